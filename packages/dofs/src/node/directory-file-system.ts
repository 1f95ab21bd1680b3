/** The path API over a directory of this machine, through Node's fs: for tests on mounts, and for comparing with Linux itself. */

import { promises as fs, type Stats } from "node:fs";
import { basename } from "node:path";
import type { MkdirOptions } from "../filesystem/mkdir.ts";
import type { ReadFileOptions } from "../filesystem/read-file.ts";
import type { ReaddirOptions, WorkspaceDirentResult } from "../filesystem/readdir.ts";
import type { RmOptions } from "../filesystem/rm.ts";
import type { WorkspaceStatResult } from "../filesystem/stat.ts";
import type { WriteFileContent, WriteFileOptions } from "../filesystem/write-file.ts";
import { compareNames } from "../store/names.ts";

const PIECE_BYTES = 64 * 1024;

/**
 * Files below `root` by paths that start at it. Errors are Node's own, their messages with the paths that the caller gave.
 * Links with an absolute target lead out of it; a stream is written as it comes, and read as the file is by then.
 */
export class DirectoryFileSystem {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  readFile(path: string): Promise<ReadableStream<Uint8Array>>;
  readFile(path: string, encoding: "utf8"): Promise<string>;
  readFile(path: string, options: ReadFileOptions & { encoding?: undefined }): Promise<ReadableStream<Uint8Array>>;
  readFile(path: string, options: ReadFileOptions & { encoding: "utf8" }): Promise<string>;
  async readFile(path: string, options?: "utf8" | ReadFileOptions): Promise<string | ReadableStream<Uint8Array>> {
    const read = typeof options === "string" ? { encoding: options } : (options ?? {});
    const stream = await this.#stream(path, read);
    return read.encoding === "utf8" ? new Response(stream).bytes().then((bytes) => text(bytes)) : stream;
  }

  async exists(path: string): Promise<boolean> {
    return this.statOrNull(path).then(
      (stat) => stat !== null,
      () => false,
    );
  }

  async stat(path: string): Promise<WorkspaceStatResult> {
    return result(path, await this.#call(path, (real) => fs.stat(real)));
  }

  async lstat(path: string): Promise<WorkspaceStatResult> {
    return result(path, await this.#call(path, (real) => fs.lstat(real)));
  }

  async statOrNull(path: string): Promise<WorkspaceStatResult | null> {
    return this.stat(path).catch(absent);
  }

  async lstatOrNull(path: string): Promise<WorkspaceStatResult | null> {
    return this.lstat(path).catch(absent);
  }

  async readlink(path: string): Promise<string> {
    return this.#call(path, (real) => fs.readlink(real));
  }

  async readdir(path: string, { limit, offset = 0 }: ReaddirOptions = {}): Promise<WorkspaceDirentResult[]> {
    const names = (await this.#call(path, (real) => fs.readdir(real))).sort(compareNames);
    const page = names.slice(offset, limit === undefined ? undefined : offset + limit);
    return Promise.all(
      page.map(async (name) => {
        const { size, mtime, isFile, isDirectory, isSymbolicLink } = await this.lstat(`${path}/${name}`);
        return { name, parentPath: path, size, mtime, isFile, isDirectory, isSymbolicLink };
      }),
    );
  }

  async writeFile(path: string, content: WriteFileContent, options: WriteFileOptions = {}): Promise<void> {
    await this.#call(path, async (real) => {
      const file = await fs.open(real, options.exclusive ? "wx" : "w", options.mode ?? 0o644);
      try {
        if (content instanceof ReadableStream) for await (const piece of content) await file.writeFile(piece);
        else await file.writeFile(content);
      } finally {
        await file.close();
      }
    });
  }

  async mkdir(path: string, { recursive = false, mode = 0o755 }: MkdirOptions = {}): Promise<void> {
    await this.#call(path, (real) => fs.mkdir(real, { recursive, mode }));
  }

  async rm(path: string, { recursive = false, force = false }: RmOptions = {}): Promise<void> {
    await this.#call(path, async (real) => {
      const stat = await fs.lstat(real).catch((error) => {
        if (force && error.code === "ENOENT") return undefined;
        throw error;
      });
      if (stat === undefined) return;
      if (stat.isDirectory() && recursive) {
        for (const name of await fs.readdir(real)) await fs.rm(`${real}/${name}`, { recursive: true });
      }
      await (stat.isDirectory() ? fs.rmdir(real) : fs.unlink(real));
    });
  }

  async rename(oldPath: string, newPath: string): Promise<void> {
    await this.#call(oldPath, (real) => fs.rename(real, this.root + newPath));
  }

  async chmod(path: string, mode: number): Promise<void> {
    await this.#call(path, (real) => fs.chmod(real, mode & 0o7777));
  }

  async symlink(target: string, path: string): Promise<void> {
    await this.#call(path, (real) => fs.symlink(target, real));
  }

  async #stream(path: string, { byteOffset = 0, byteLength }: ReadFileOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#call(path, async (real) => {
      const file = await fs.open(real);
      const { size } = await file.stat();
      let at = Math.min(byteOffset, size);
      const end = Math.min(at + (byteLength ?? size), size);
      const piece = async () => {
        const { buffer, bytesRead } = await file.read(new Uint8Array(Math.min(PIECE_BYTES, end - at)), {
          position: at,
        });
        at += bytesRead;
        return buffer.subarray(0, bytesRead);
      };
      // A directory can be opened, but the first read of it is refused.
      const first = await piece().catch(async (error) => {
        await file.close();
        throw error;
      });
      return new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(first),
        async pull(controller) {
          const bytes = at < end ? await piece() : new Uint8Array();
          if (bytes.length > 0) return controller.enqueue(bytes);
          await file.close();
          controller.close();
        },
        cancel: () => file.close(),
      });
    });
  }

  async #call<T>(path: string, call: (real: string) => Promise<T>): Promise<T> {
    try {
      return await call(this.root + path);
    } catch (error) {
      if (error instanceof Error) error.message = error.message.replaceAll(this.root, "");
      throw error;
    }
  }
}

function result(path: string, stat: Stats): WorkspaceStatResult {
  return {
    name: basename(path),
    inode: stat.ino,
    mode: stat.mode & 0o7777,
    mtime: Math.floor(stat.mtimeMs),
    size: stat.isDirectory() ? 0 : stat.size,
    isFile: stat.isFile(),
    isDirectory: stat.isDirectory(),
    isSymbolicLink: stat.isSymbolicLink(),
  };
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
  throw error;
}

function text(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
}
