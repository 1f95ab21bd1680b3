/** A workspace's files, over any stub of it, as the file system that just-bash wants. One call here is one call there, or few. */

import type { FsStat } from "just-bash";
import { absolutePath } from "../files/absolute-path.ts";
import { byteString, bytesOf } from "./engine/byte-string.ts";
import { failure } from "./files/failure.ts";
import type { DirentEntry } from "./shell-types.ts";
import type { WorkspaceFs } from "./workspace-fs.ts";

export type AdapterReadFileOptions = "utf8" | { encoding?: "utf8" | null } | null | undefined;

const LINKS_MAX = 40;

/**
 * For shells of your own over a workspace.
 *
 * @example
 * const bash = new Bash({ fs: new WorkspaceFsAdapter(workspace.fs), cwd: "/workspace" });
 */
export class WorkspaceFsAdapter {
  readonly #fs: WorkspaceFs;

  constructor(fs: WorkspaceFs) {
    this.#fs = fs;
  }

  readFile(path: string, _options?: AdapterReadFileOptions): Promise<string> {
    return this.#fs.readFile(path, "utf8");
  }

  async readFileBuffer(path: string): Promise<Uint8Array> {
    return new Uint8Array(await new Response(await this.#fs.readFile(path)).arrayBuffer());
  }

  async readFileBytes(path: string): Promise<never> {
    // A byte string is a string with a brand that only just-bash can give.
    return byteString(await this.readFileBuffer(path)) as never;
  }

  exists(path: string): Promise<boolean> {
    return this.#fs.exists(path);
  }

  async stat(path: string): Promise<FsStat> {
    return statOf(await this.#fs.stat(path));
  }

  async lstat(path: string): Promise<FsStat> {
    return statOf(await this.#fs.lstat(path));
  }

  async readdir(path: string): Promise<string[]> {
    return (await this.#fs.readdir(path)).map(({ name }) => name);
  }

  async readdirWithFileTypes(path: string): Promise<DirentEntry[]> {
    const entries = await this.#fs.readdir(path);
    return entries.map(({ name, isFile, isDirectory, isSymbolicLink }) => ({
      name,
      isFile,
      isDirectory,
      isSymbolicLink,
    }));
  }

  readlink(path: string): Promise<string> {
    return this.#fs.readlink(path);
  }

  /** A string is text unless the encoding says that it has one character a byte. */
  async writeFile(path: string, content: string | Uint8Array, options?: unknown): Promise<void> {
    await this.#fs.writeFile(path, contentOf(content, options));
  }

  async appendFile(path: string, content: string | Uint8Array, options?: unknown): Promise<void> {
    const added = contentOf(content, options);
    if ((await this.#fs.statOrNull(path)) === null) return this.#fs.writeFile(path, added);
    const old = await this.readFileBuffer(path);
    const bytes = new Uint8Array(old.length + added.length);
    bytes.set(old);
    bytes.set(added, old.length);
    await this.#fs.writeFile(path, bytes);
  }

  mkdir(path: string, options?: { recursive?: boolean }): Promise<void> {
    return this.#fs.mkdir(path, options);
  }

  rm(path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void> {
    return this.#fs.rm(path, options);
  }

  chmod(path: string, mode: number): Promise<void> {
    return this.#fs.chmod(path, mode);
  }

  symlink(target: string, linkPath: string): Promise<void> {
    return this.#fs.symlink(target, linkPath);
  }

  async cp(src: string, dest: string, options?: { recursive?: boolean }): Promise<void> {
    const stat = await this.#fs.lstat(src);
    if (stat.isSymbolicLink) return this.#fs.symlink(await this.#fs.readlink(src), dest);
    if (stat.isFile) {
      await this.#fs.writeFile(dest, await this.#fs.readFile(src));
      return this.#fs.chmod(dest, stat.mode);
    }
    if (options?.recursive !== true) throw failure("EISDIR", "illegal operation on a directory", "cp", src);
    await this.#fs.mkdir(dest, { recursive: true });
    for (const { name } of await this.#fs.readdir(src)) await this.cp(`${src}/${name}`, `${dest}/${name}`, options);
  }

  mv(src: string, dest: string): Promise<void> {
    return this.#fs.rename(src, dest);
  }

  resolvePath(base: string, path: string): string {
    return absolutePath(base, path);
  }

  /** Always empty: globs are read directory by directory. */
  getAllPaths(): string[] {
    return [];
  }

  /** Refused with `ENOTSUP`: a stub of a workspace makes no hard links. */
  async link(_existingPath: string, newPath: string): Promise<void> {
    throw failure("ENOTSUP", "hard links are not supported here", "link", newPath);
  }

  /** Refused with `ENOTSUP`: a stub of a workspace sets no times. */
  async utimes(path: string, _atime: Date, _mtime: Date): Promise<void> {
    throw failure("ENOTSUP", "setting times is not supported here", "utime", path);
  }

  async realpath(path: string): Promise<string> {
    let left = absolutePath("/", path)
      .split("/")
      .filter((name) => name !== "");
    let here = "";
    for (let links = 0; left.length > 0; ) {
      const next = absolutePath(here === "" ? "/" : here, left[0] ?? "");
      left = left.slice(1);
      const stat = await this.#fs.lstat(next);
      if (!stat.isSymbolicLink) {
        here = next;
        continue;
      }
      if (++links > LINKS_MAX) throw failure("ELOOP", "too many symbolic links encountered", "realpath", path);
      const target = await this.#fs.readlink(next);
      if (target.startsWith("/")) here = "";
      left = [...target.split("/").filter((name) => name !== ""), ...left];
    }
    return here === "" ? "/" : here;
  }
}

interface Stat {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly isSymbolicLink: boolean;
  readonly mode: number;
  readonly size: number;
  readonly mtime: number;
}

function statOf({ isFile, isDirectory, isSymbolicLink, mode, size, mtime }: Stat): FsStat {
  return { isFile, isDirectory, isSymbolicLink, mode, size, mtime: new Date(mtime) };
}

function contentOf(content: string | Uint8Array, options: unknown): Uint8Array {
  if (typeof content !== "string") return content;
  const encoding =
    typeof options === "object" && options !== null && "encoding" in options ? options.encoding : options;
  return encoding === "binary" || encoding === "latin1"
    ? Uint8Array.from(content, (c) => c.charCodeAt(0))
    : bytesOf(content);
}
