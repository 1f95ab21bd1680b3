/** A workspace's files as those who edit whole files want them: null for absence, parents made, one identity to lock on. */

import { isFsError } from "@cloudflare/dofs";

/** What is told of a file. */
export interface FileStat {
  size: number;
  /** Milliseconds since 1970. */
  mtime: number;
  /** Permission bits. */
  mode?: number | undefined;
}

/** Files to read and to write whole. */
export interface FileStore {
  /** The same object for every store over the same files, so that edits of one path can wait for each other. */
  readonly lockIdentity?: object | undefined;
  /** Null where nothing is. */
  stat(path: string): Promise<FileStat | null>;
  /** The bytes from `byteOffset`, at most `byteLength`; `ENOENT` where nothing is. */
  readChunks(path: string, byteOffset?: number, byteLength?: number): AsyncIterable<Uint8Array>;
  /** Null where nothing is. */
  readAll(path: string): Promise<Uint8Array | null>;
  /** Makes the directories above it. */
  write(path: string, content: Uint8Array, opts?: { mode?: number }): Promise<void>;
}

/** Files that can be removed too. */
export interface MutableFileStore extends FileStore {
  remove(path: string, opts?: { recursive?: boolean; force?: boolean }): Promise<void>;
}

/** The part of a workspace or its client that is used. */
export interface WorkspaceFileStoreLike {
  readonly fs: {
    stat(path: string): Promise<{ size: number; mtime: number; mode: number }>;
    readFile(path: string, options?: { byteOffset?: number; byteLength?: number }): Promise<ReadableStream<Uint8Array>>;
    writeFile(path: string, content: Uint8Array, options?: { mode?: number }): Promise<void>;
    mkdir(path: string, options?: { recursive?: boolean }): Promise<unknown>;
    rm(path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void>;
  };
}

/**
 * The files of a workspace, or of a client of one.
 *
 * @example
 * const store = new WorkspaceFileStore(getWorkspace(env.AGENT.getByName("alice")));
 * await store.write("/workspace/a/b.txt", new TextEncoder().encode("text"));
 */
export class WorkspaceFileStore implements MutableFileStore {
  readonly #fs: WorkspaceFileStoreLike["fs"];

  constructor(ws: WorkspaceFileStoreLike) {
    this.#fs = ws.fs;
  }

  get lockIdentity(): object {
    // A client of a workspace is an object of its own over the workspace's files.
    const own = Reflect.get(this.#fs, "lockIdentity");
    return typeof own === "object" && own !== null ? own : this.#fs;
  }

  async stat(path: string): Promise<FileStat | null> {
    return orNull(async () => {
      const { size, mtime, mode } = await this.#fs.stat(path);
      return { size, mtime, mode };
    });
  }

  async readAll(path: string): Promise<Uint8Array | null> {
    return orNull(async () => new Uint8Array(await new Response(await this.#fs.readFile(path)).arrayBuffer()));
  }

  async *readChunks(path: string, byteOffset?: number, byteLength?: number): AsyncIterable<Uint8Array> {
    const range = {
      ...(byteOffset === undefined ? {} : { byteOffset }),
      ...(byteLength === undefined ? {} : { byteLength }),
    };
    yield* await this.#fs.readFile(path, range);
  }

  async write(path: string, content: Uint8Array, opts: { mode?: number } = {}): Promise<void> {
    try {
      await this.#fs.writeFile(path, content, opts);
    } catch (error) {
      if (!isFsError(error, "ENOENT")) throw error;
      await this.#fs.mkdir(path.slice(0, Math.max(path.lastIndexOf("/"), 1)), { recursive: true });
      await this.#fs.writeFile(path, content, opts);
    }
  }

  remove(path: string, opts: { recursive?: boolean; force?: boolean } = {}): Promise<void> {
    return this.#fs.rm(path, opts);
  }
}

async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (isFsError(error, "ENOENT") || isFsError(error, "ENOTDIR")) return null;
    throw error;
  }
}
