/** Open files as objects, for `@platformatic/vfs`, which keeps descriptors of its own. */

import type { Buffer } from "node:buffer";
import { decode, type EncodingOptions, encode, type WriteData } from "./bytes.ts";
import type { StatOptions, VirtualBigIntStatsLike, VirtualStatsLike } from "./stats.ts";
import type { StoreProvider } from "./store-provider.ts";
import type { WriteOptions } from "./sync-provider.ts";

/** One open file. Each method is that of the provider, for the descriptor that this holds. */
export class FileHandle {
  readonly fd: number;
  readonly path: string;
  readonly #provider: StoreProvider;

  constructor(provider: StoreProvider, fd: number, path: string) {
    this.#provider = provider;
    this.fd = fd;
    this.path = path;
  }

  readSync(buffer: Uint8Array, offset?: number, length?: number, position?: number | null): number {
    return this.#provider.readSync(this.fd, buffer, offset, length, position);
  }

  async read<B extends Uint8Array>(
    buffer: B,
    offset?: number,
    length?: number,
    position?: number | null,
  ): Promise<{ bytesRead: number; buffer: B }> {
    return { bytesRead: this.readSync(buffer, offset, length, position), buffer };
  }

  writeSync(buffer: Uint8Array, offset?: number, length?: number, position?: number | null): number {
    return this.#provider.writeSync(this.fd, buffer, offset, length, position);
  }

  async write<B extends Uint8Array>(
    buffer: B,
    offset?: number,
    length?: number,
    position?: number | null,
  ): Promise<{ bytesWritten: number; buffer: B }> {
    return { bytesWritten: this.writeSync(buffer, offset, length, position), buffer };
  }

  /** The whole file, wherever the position is. */
  readFileSync(options?: EncodingOptions): Buffer | string {
    const bytes = new Uint8Array(this.#provider.fstatSync(this.fd).size);
    const length = this.#provider.readSync(this.fd, bytes, 0, bytes.length, 0);
    return decode(bytes.subarray(0, length), options);
  }

  async readFile(options?: EncodingOptions): Promise<Buffer | string> {
    return this.readFileSync(options);
  }

  /** Exchanges the whole contents; a handle opened to append adds to them. */
  writeFileSync(data: WriteData, options?: WriteOptions): void {
    const bytes = encode(data, options);
    this.#provider.ftruncateSync(this.fd, 0);
    this.#provider.writeSync(this.fd, bytes, 0, bytes.length, 0);
  }

  async writeFile(data: WriteData, options?: WriteOptions): Promise<void> {
    this.writeFileSync(data, options);
  }

  statSync(options?: StatOptions): VirtualStatsLike | VirtualBigIntStatsLike {
    return this.#provider.fstatSync(this.fd, options);
  }

  async stat(options?: StatOptions): Promise<VirtualStatsLike | VirtualBigIntStatsLike> {
    return this.statSync(options);
  }

  truncateSync(len?: number): void {
    this.#provider.ftruncateSync(this.fd, len);
  }

  async truncate(len?: number): Promise<void> {
    this.truncateSync(len);
  }

  closeSync(): void {
    this.#provider.closeSync(this.fd);
  }

  async close(): Promise<void> {
    this.closeSync();
  }
}

/** What `@platformatic/vfs` takes as a provider, where `open` gives objects. */
export type HandleProvider = Omit<StoreProvider, "open" | "openSync"> & {
  open(path: string, flags?: string | number, mode?: number): Promise<FileHandle>;
  openSync(path: string, flags?: string | number, mode?: number): FileHandle;
};

/**
 * The provider with `open` giving {@link FileHandle}s, so that descriptors and streams of a `VirtualFileSystem` work too.
 *
 * @example
 * const vfs = new VirtualFileSystem(withFileHandles(workspace.provider())).mount("/workspace");
 */
export function withFileHandles(provider: StoreProvider): HandleProvider {
  const openSync = (path: string, flags?: string | number, mode?: number) =>
    new FileHandle(provider, provider.openSync(path, flags, mode), path);
  const own = { openSync, open: async (...call: Parameters<typeof openSync>) => openSync(...call) };
  return new Proxy<object>(provider, {
    get(_, name) {
      if (name === "open" || name === "openSync") return own[name];
      const member: unknown = Reflect.get(provider, name);
      return typeof member === "function" ? member.bind(provider) : member;
    },
  }) as HandleProvider;
}
