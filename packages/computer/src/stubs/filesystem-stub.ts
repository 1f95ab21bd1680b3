/** The files of a workspace, for another isolate. */

import { RpcTarget } from "cloudflare:workers";
import type {
  FindOptions,
  GrepOptions,
  MkdirOptions,
  ReaddirOptions,
  ReadFileOptions,
  RmOptions,
  StatFs,
  WorkspaceDirentResult,
  WorkspaceFilesystem,
  WorkspaceFoundEntry,
  WorkspaceGrepMatch,
  WorkspaceStatResult,
  WriteFileContent,
  WriteFileOptions,
} from "@cloudflare/dofs";
import type { ServedWorkspace } from "./served-workspace.ts";

/** Passes each call on to the workspace's files; errors lead with their code, so that the client can rebuild them. */
export class WorkspaceFilesystemStub extends RpcTarget {
  readonly #fs: WorkspaceFilesystem;

  constructor(ws: ServedWorkspace) {
    super();
    this.#fs = ws.fs;
  }

  readFile(path: string): Promise<ReadableStream<Uint8Array>>;
  readFile(path: string, encoding: "utf8"): Promise<string>;
  readFile(path: string, options: ReadFileOptions & { encoding?: undefined }): Promise<ReadableStream<Uint8Array>>;
  readFile(path: string, options: ReadFileOptions & { encoding: "utf8" }): Promise<string>;
  readFile(path: string, options: ReadFileOptions): Promise<string | ReadableStream<Uint8Array>>;
  readFile(path: string, options?: "utf8" | ReadFileOptions): Promise<string | ReadableStream<Uint8Array>> {
    return this.#fs.readFile(path, options === "utf8" ? { encoding: "utf8" } : (options ?? {}));
  }

  exists(path: string): Promise<boolean> {
    return this.#fs.exists(path);
  }

  stat(path: string): Promise<WorkspaceStatResult> {
    return this.#fs.stat(path);
  }

  statOrNull(path: string): Promise<WorkspaceStatResult | null> {
    return this.#fs.statOrNull(path);
  }

  lstat(path: string): Promise<WorkspaceStatResult> {
    return this.#fs.lstat(path);
  }

  lstatOrNull(path: string): Promise<WorkspaceStatResult | null> {
    return this.#fs.lstatOrNull(path);
  }

  readlink(path: string): Promise<string> {
    return this.#fs.readlink(path);
  }

  readdir(path: string, options?: ReaddirOptions): Promise<WorkspaceDirentResult[]> {
    return this.#fs.readdir(path, options);
  }

  find(directory: string, pattern?: string, options?: FindOptions): Promise<WorkspaceFoundEntry[]> {
    return this.#fs.find(directory, pattern, options);
  }

  ls(prefix: string): Promise<string[]> {
    return this.#fs.ls(prefix);
  }

  grep(pattern: string, path: string, options?: GrepOptions): Promise<WorkspaceGrepMatch[]> {
    return this.#fs.grep(pattern, path, options);
  }

  writeFile(path: string, content: WriteFileContent, options?: WriteFileOptions): Promise<void> {
    return this.#fs.writeFile(path, content, options);
  }

  mkdir(path: string, options?: MkdirOptions): Promise<void> {
    return this.#fs.mkdir(path, options);
  }

  rm(path: string, options?: RmOptions): Promise<void> {
    return this.#fs.rm(path, options);
  }

  rename(oldPath: string, newPath: string): Promise<void> {
    return this.#fs.rename(oldPath, newPath);
  }

  chmod(path: string, mode: number): Promise<void> {
    return this.#fs.chmod(path, mode);
  }

  symlink(target: string, path: string): Promise<void> {
    return this.#fs.symlink(target, path);
  }

  usage(): Promise<StatFs> {
    return this.#fs.usage();
  }

  /** A part of its workspace's stub, which is what counts. */
  [Symbol.dispose](): void {}
}
