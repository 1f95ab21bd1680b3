/** The files of a mount on their way in, where nobody sees them yet. */

import { FsError, type WorkspaceFilesystem } from "@cloudflare/dofs";
import { absolutePath } from "../files/absolute-path.ts";
import type { MountBase, MountWriteAPI } from "./mount.ts";
import { isWithin } from "./mount-roots.ts";

/** Where files lie until all are there. */
export const STAGING: string = "/.computer/mounts";

export class StagedMount {
  /** The directory that becomes the mount. */
  readonly path: string = `${STAGING}/${crypto.randomUUID()}`;
  readonly #fs: WorkspaceFilesystem;
  readonly #root: string;
  readonly #limits: Pick<MountBase, "maxBytes" | "maxEntries">;
  readonly #made = new Set<string>();
  #entries = 0;
  #bytes = 0;
  #open = true;

  constructor(fs: WorkspaceFilesystem, root: string, limits: Pick<MountBase, "maxBytes" | "maxEntries">) {
    this.#fs = fs;
    this.#root = root;
    this.#limits = limits;
  }

  /** Begins with an empty directory. */
  async begin(): Promise<MountWriteAPI> {
    await this.#fs.mkdir(this.path, { recursive: true });
    this.#made.add(this.#root);
    return {
      root: this.#root,
      writeFile: (path, source, mode) => this.#write(path, source, mode),
      mkdir: (path, mode) => this.#mkdir(path, mode),
    };
  }

  /** Takes no more. */
  close(): void {
    this.#open = false;
  }

  async discard(): Promise<void> {
    this.close();
    await this.#fs.rm(this.path, { recursive: true, force: true });
  }

  async #write(given: string, source: ReadableStream<Uint8Array>, mode = 0o644): Promise<void> {
    try {
      const path = this.#checked(given);
      if (path === this.#root) throw new FsError("EISDIR", { syscall: "open", path });
      await this.#parents(path);
      this.#count();
      await this.#fs.writeFile(this.#staged(path), await this.#content(source), { mode });
    } catch (error) {
      if (!source.locked) await source.cancel(error).catch(() => {});
      throw error;
    }
  }

  /** The bytes, each counted as it comes; in one piece where there is not more than one. */
  async #content(source: ReadableStream<Uint8Array>): Promise<Uint8Array | ReadableStream<Uint8Array>> {
    const reader = source.getReader();
    const read = async (): Promise<Uint8Array | undefined> => {
      const { value } = await reader.read();
      if (value !== undefined) this.#take(value.length);
      return value;
    };
    try {
      const first = await read();
      const second = first && (await read());
      if (first === undefined || second === undefined) return first ?? new Uint8Array(0);
      const begun = [first, second];
      return new ReadableStream({
        pull: async (controller) => {
          const piece = begun.shift() ?? (await read());
          if (piece === undefined) controller.close();
          else controller.enqueue(piece);
        },
        cancel: (reason) => reader.cancel(reason),
      });
    } catch (error) {
      await reader.cancel(error).catch(() => {});
      throw error;
    }
  }

  async #mkdir(given: string, mode = 0o755): Promise<void> {
    const path = this.#checked(given);
    await this.#parents(path);
    await this.#directory(path, mode);
  }

  async #parents(path: string): Promise<void> {
    const parent = path.slice(0, path.lastIndexOf("/"));
    if (this.#made.has(parent)) return;
    await this.#parents(parent);
    await this.#directory(parent, 0o755);
  }

  async #directory(path: string, mode: number): Promise<void> {
    if (this.#made.has(path)) return;
    this.#made.add(path);
    this.#count();
    await this.#fs.mkdir(this.#staged(path), { mode });
  }

  #checked(path: string): string {
    if (!this.#open) throw new FsError("EBADF", { path, detail: "the mount has been brought over, or has failed" });
    if (isWithin(path, this.#root) && absolutePath("/", path) === path) return path;
    throw new FsError("EINVAL", { path, detail: `a mount writes absolute paths under ${this.#root}` });
  }

  #staged(path: string): string {
    return this.path + path.slice(this.#root.length);
  }

  #count(): void {
    const { maxEntries = Number.POSITIVE_INFINITY } = this.#limits;
    if (++this.#entries > maxEntries)
      throw new Error(`it has more than ${maxEntries} files and directories (maxEntries)`);
  }

  #take(bytes: number): void {
    const { maxBytes = Number.POSITIVE_INFINITY } = this.#limits;
    this.#bytes += bytes;
    if (this.#bytes > maxBytes) throw new Error(`it has more than ${maxBytes} bytes (maxBytes)`);
  }
}
