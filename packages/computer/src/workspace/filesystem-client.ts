/** The files of a workspace in reach of a client. */

import {
  checkContent,
  type FindOptions,
  type GrepOptions,
  type MkdirOptions,
  type ReaddirOptions,
  type ReadFileOptions,
  type RmOptions,
  type StatFs,
  type WorkspaceDirentResult,
  type WorkspaceFilesystem,
  type WorkspaceFoundEntry,
  type WorkspaceGrepMatch,
  type WorkspaceStatResult,
  type WriteFileContent,
  type WriteFileOptions,
} from "@cloudflare/dofs";
import type { AsyncMethods } from "./workspace-client.ts";
import type { WorkspaceLink } from "./workspace-link.ts";

type Files = AsyncMethods<WorkspaceFilesystem>;

/** Larger contents go as a stream: a call of Workers RPC carries 32 MiB. */
const LARGEST_IN_CALL = 8 * 1024 * 1024;

export class FilesystemClient implements Files {
  readonly #link: WorkspaceLink;

  constructor(link: WorkspaceLink) {
    this.#link = link;
  }

  /** One object for all clients of a workspace of this isolate, so that edits of one path can wait for each other. */
  get lockIdentity(): object {
    return this.#link.here?.fs ?? this;
  }

  readFile(path: string): Promise<ReadableStream<Uint8Array>>;
  readFile(path: string, encoding: "utf8"): Promise<string>;
  readFile(path: string, options: ReadFileOptions & { encoding?: undefined }): Promise<ReadableStream<Uint8Array>>;
  readFile(path: string, options: ReadFileOptions & { encoding: "utf8" }): Promise<string>;
  readFile(path: string, options: ReadFileOptions): Promise<string | ReadableStream<Uint8Array>>;
  readFile(path: string, options?: "utf8" | ReadFileOptions): Promise<string | ReadableStream<Uint8Array>> {
    return this.#call((fs) => fs.readFile(path, options === "utf8" ? { encoding: "utf8" } : (options ?? {})));
  }

  exists(path: string): Promise<boolean> {
    return this.#call((fs) => fs.exists(path));
  }

  stat(path: string): Promise<WorkspaceStatResult> {
    return this.#call((fs) => fs.stat(path));
  }

  statOrNull(path: string): Promise<WorkspaceStatResult | null> {
    return this.#call((fs) => fs.statOrNull(path));
  }

  lstat(path: string): Promise<WorkspaceStatResult> {
    return this.#call((fs) => fs.lstat(path));
  }

  lstatOrNull(path: string): Promise<WorkspaceStatResult | null> {
    return this.#call((fs) => fs.lstatOrNull(path));
  }

  readlink(path: string): Promise<string> {
    return this.#call((fs) => fs.readlink(path));
  }

  readdir(path: string, options?: ReaddirOptions): Promise<WorkspaceDirentResult[]> {
    return this.#call((fs) => fs.readdir(path, options));
  }

  find(directory: string, pattern?: string, options?: FindOptions): Promise<WorkspaceFoundEntry[]> {
    return this.#call((fs) => fs.find(directory, pattern, options));
  }

  ls(prefix: string): Promise<string[]> {
    return this.#call((fs) => fs.ls(prefix));
  }

  grep(pattern: string, path: string, options?: GrepOptions): Promise<WorkspaceGrepMatch[]> {
    return this.#call((fs) => fs.grep(pattern, path, options));
  }

  async writeFile(path: string, content: WriteFileContent, options?: WriteFileOptions): Promise<void> {
    checkContent(path, content);
    await this.#link.use((link) =>
      "local" in link
        ? link.local.fs.writeFile(path, content, options)
        : link.remote.fs.writeFile(path, streamedIfLarge(content), options),
    );
  }

  mkdir(path: string, options?: MkdirOptions): Promise<void> {
    return this.#call((fs) => fs.mkdir(path, options));
  }

  rm(path: string, options?: RmOptions): Promise<void> {
    return this.#call((fs) => fs.rm(path, options));
  }

  rename(oldPath: string, newPath: string): Promise<void> {
    return this.#call((fs) => fs.rename(oldPath, newPath));
  }

  chmod(path: string, mode: number): Promise<void> {
    return this.#call((fs) => fs.chmod(path, mode));
  }

  symlink(target: string, path: string): Promise<void> {
    return this.#call((fs) => fs.symlink(target, path));
  }

  usage(): Promise<StatFs> {
    return this.#call((fs) => fs.usage());
  }

  #call<T>(call: (fs: Files) => Promise<T>): Promise<T> {
    return this.#link.use((link) => call("local" in link ? link.local.fs : link.remote.fs));
  }
}

function streamedIfLarge(content: WriteFileContent): WriteFileContent {
  if (content instanceof ReadableStream || content.length <= LARGEST_IN_CALL) return content;
  // A Blob takes its bytes at once, so what the caller does with its own afterwards is not written.
  return new Blob([content as string | Uint8Array<ArrayBuffer>]).stream();
}
