/** The files that a script sees: the workspace's, and a few places that every Unix has and no workspace keeps. */

import { type CpOptions, type FileContent, type FsStat, type IFileSystem, InMemoryFs, type RmOptions } from "just-bash";
import { absolutePath } from "../../files/absolute-path.ts";
import type { DirentEntry } from "../shell-types.ts";

const OWN = ["/dev", "/bin", "/usr/bin", "/proc"];

type Options = { encoding?: never } | undefined;

/** Sends each path to the workspace's files or to files that live as long as the run. */
export class ShellFileSystem implements IFileSystem {
  readonly #workspace: IFileSystem;
  readonly #own: InMemoryFs = new InMemoryFs({
    "/dev/null": "",
    "/proc/self/status": "",
    "/bin/.keep": "",
    "/usr/bin/.keep": "",
  });

  constructor(workspace: IFileSystem) {
    this.#workspace = workspace;
  }

  readFile(path: string, options?: Options): Promise<string> {
    return this.#of(path).readFile(path, options);
  }

  async readFileBytes(path: string): Promise<never> {
    const fs = this.#of(path);
    // Every file system that is put here has it.
    return (await fs.readFileBytes?.(path)) as never;
  }

  async readFileBuffer(path: string): Promise<Uint8Array> {
    return this.#of(path).readFileBuffer(path);
  }

  async writeFile(path: string, content: FileContent, options?: Options): Promise<void> {
    if (path === "/dev/null") return;
    return this.#of(path).writeFile(path, content, options);
  }

  async appendFile(path: string, content: FileContent, options?: Options): Promise<void> {
    if (path === "/dev/null") return;
    return this.#of(path).appendFile(path, content, options);
  }

  exists(path: string): Promise<boolean> {
    return this.#of(path).exists(path);
  }

  stat(path: string): Promise<FsStat> {
    return this.#of(path).stat(path);
  }

  lstat(path: string): Promise<FsStat> {
    return this.#of(path).lstat(path);
  }

  mkdir(path: string, options?: { recursive?: boolean }): Promise<void> {
    return this.#of(path).mkdir(path, options);
  }

  readdir(path: string): Promise<string[]> {
    return this.#of(path).readdir(path);
  }

  async readdirWithFileTypes(path: string): Promise<DirentEntry[]> {
    return (await this.#of(path).readdirWithFileTypes?.(path)) ?? [];
  }

  rm(path: string, options?: RmOptions): Promise<void> {
    return this.#of(path).rm(path, options);
  }

  async cp(src: string, dest: string, options?: CpOptions): Promise<void> {
    const [from, to] = [this.#of(src), this.#of(dest)];
    if (from === to) return from.cp(src, dest, options);
    await to.writeFile(dest, await from.readFileBuffer(src));
  }

  async mv(src: string, dest: string): Promise<void> {
    const [from, to] = [this.#of(src), this.#of(dest)];
    if (from === to) return from.mv(src, dest);
    await to.writeFile(dest, await from.readFileBuffer(src));
    await from.rm(src);
  }

  chmod(path: string, mode: number): Promise<void> {
    return this.#of(path).chmod(path, mode);
  }

  symlink(target: string, path: string): Promise<void> {
    return this.#of(path).symlink(target, path);
  }

  link(existing: string, path: string): Promise<void> {
    return this.#of(path).link(existing, path);
  }

  readlink(path: string): Promise<string> {
    return this.#of(path).readlink(path);
  }

  realpath(path: string): Promise<string> {
    return this.#of(path).realpath(path);
  }

  utimes(path: string, atime: Date, mtime: Date): Promise<void> {
    return this.#of(path).utimes(path, atime, mtime);
  }

  resolvePath(base: string, path: string): string {
    return absolutePath(base, path);
  }

  getAllPaths(): string[] {
    return [];
  }

  /** The interpreter puts a file here for each command that it has, and finds commands by them. */
  writeFileSync(path: string, content: string): void {
    if (this.#of(path) === this.#own) this.#own.writeFileSync(path, content);
  }

  #of(path: string): IFileSystem {
    return OWN.some((own) => path === own || path.startsWith(`${own}/`)) ? this.#own : this.#workspace;
  }
}
