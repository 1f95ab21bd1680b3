/** The files of a workspace with mounts: each call waits for the mounts that its path may lead into. */

import {
  type Database,
  type FindOptions,
  type GrepOptions,
  type MkdirOptions,
  type ReaddirOptions,
  type ReadFileOptions,
  type RmOptions,
  type WorkspaceDirentResult,
  WorkspaceFilesystem,
  type WorkspaceFilesystemOptions,
  type WorkspaceFoundEntry,
  type WorkspaceGrepMatch,
  type WorkspaceStatResult,
  type WriteFileContent,
  type WriteFileOptions,
} from "@cloudflare/dofs";
import type { Mounts } from "./mounts.ts";

export class MountedFilesystem extends WorkspaceFilesystem {
  readonly #mounts: Mounts;

  constructor(db: Database, mounts: Mounts, options: WorkspaceFilesystemOptions) {
    super(db, options);
    this.#mounts = mounts;
  }

  override readFile(path: string): Promise<ReadableStream<Uint8Array>>;
  override readFile(path: string, encoding: "utf8"): Promise<string>;
  override readFile(
    path: string,
    options: ReadFileOptions & { encoding?: undefined },
  ): Promise<ReadableStream<Uint8Array>>;
  override readFile(path: string, options: ReadFileOptions & { encoding: "utf8" }): Promise<string>;
  override readFile(path: string, options: ReadFileOptions): Promise<string | ReadableStream<Uint8Array>>;
  override async readFile(
    path: string,
    options?: "utf8" | ReadFileOptions,
  ): Promise<string | ReadableStream<Uint8Array>> {
    await this.#mounts.reach(path);
    return super.readFile(path, options === "utf8" ? { encoding: "utf8" } : (options ?? {}));
  }

  override async exists(path: string): Promise<boolean> {
    await this.#mounts.reach(path);
    return super.exists(path);
  }

  override async stat(path: string): Promise<WorkspaceStatResult> {
    await this.#mounts.reach(path);
    return super.stat(path);
  }

  override async statOrNull(path: string): Promise<WorkspaceStatResult | null> {
    await this.#mounts.reach(path);
    return super.statOrNull(path);
  }

  override async lstat(path: string): Promise<WorkspaceStatResult> {
    await this.#mounts.reach(path);
    return super.lstat(path);
  }

  override async lstatOrNull(path: string): Promise<WorkspaceStatResult | null> {
    await this.#mounts.reach(path);
    return super.lstatOrNull(path);
  }

  override async readlink(path: string): Promise<string> {
    await this.#mounts.reach(path);
    return super.readlink(path);
  }

  override async readdir(path: string, options?: ReaddirOptions): Promise<WorkspaceDirentResult[]> {
    await this.#mounts.reach(path);
    return super.readdir(path, options);
  }

  override async find(directory: string, pattern?: string, options?: FindOptions): Promise<WorkspaceFoundEntry[]> {
    await this.#mounts.reach(directory);
    return super.find(directory, pattern, options);
  }

  override async ls(prefix: string): Promise<string[]> {
    await this.#mounts.reach(prefix);
    return super.ls(prefix);
  }

  override async grep(pattern: string, path: string, options?: GrepOptions): Promise<WorkspaceGrepMatch[]> {
    await this.#mounts.reach(path);
    return super.grep(pattern, path, options);
  }

  override async writeFile(path: string, content: WriteFileContent, options?: WriteFileOptions): Promise<void> {
    await this.#mounts.reach(path);
    return super.writeFile(path, content, options);
  }

  override async mkdir(path: string, options?: MkdirOptions): Promise<void> {
    await this.#mounts.reach(path);
    return super.mkdir(path, options);
  }

  override async rm(path: string, options?: RmOptions): Promise<void> {
    await this.#mounts.reach(path);
    return super.rm(path, options);
  }

  override async rename(oldPath: string, newPath: string): Promise<void> {
    await this.#mounts.reach(oldPath, newPath);
    return super.rename(oldPath, newPath);
  }

  override async chmod(path: string, mode: number): Promise<void> {
    await this.#mounts.reach(path);
    return super.chmod(path, mode);
  }

  override async symlink(target: string, path: string): Promise<void> {
    await this.#mounts.reach(path);
    return super.symlink(target, path);
  }
}
