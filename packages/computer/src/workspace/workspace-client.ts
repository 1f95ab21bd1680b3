/** A workspace as its clients see it, wherever it is. */

import type { KillSignal } from "@cloudflare/computer-rpc";
import type { WorkspaceFilesystem } from "@cloudflare/dofs";
import type { ArtifactClient } from "../artifacts/artifact-client.ts";
import type { AssetsClient, AssetsPublisher } from "../assets/assets-client.ts";
import type { WorkspaceBackendInfo } from "../computer/backend-info.ts";
import type { GitClient } from "../git/client/git-client.ts";
import type { ExecEncoding, WorkspaceRuntimeValue } from "../runtime/event.ts";
import type { WorkspaceRuntimeExecHandle } from "../runtime/exec-handle.ts";
import type { WorkspaceRuntimeOutputOptions } from "../runtime/exec-options.ts";
import type { ShellValue } from "../runtime/shell-quote.ts";

export interface RuntimeExecOptions {
  cwd?: string | undefined;
  encoding?: "utf8" | undefined;
  backend?: string | undefined;
  id?: string | undefined;
  /** Milliseconds until the run is cancelled with exit code 124. */
  timeoutMs?: number | undefined;
  input?: WorkspaceRuntimeValue | undefined;
  env?: Record<string, string> | undefined;
  stdin?: string | Uint8Array | undefined;
  output?: false | WorkspaceRuntimeOutputOptions | undefined;
}

export interface RuntimeGetOptions {
  encoding?: "utf8" | undefined;
  backend?: string | undefined;
  resume?: number | "tail" | "full" | undefined;
  output?: false | WorkspaceRuntimeOutputOptions | undefined;
}

export interface RuntimeKillOptions {
  backend?: string | undefined;
  signal?: KillSignal | undefined;
}

/** Runs things on the computers of a workspace. */
export interface WorkspaceRuntimeClient {
  /**
   * A command from a template, everything in it quoted, its output as text.
   *
   * @example
   * using run = await client.runtime.exec`cp ${from} ${to}`;
   */
  exec(strings: TemplateStringsArray, ...values: ShellValue[]): Promise<WorkspaceRuntimeExecHandle<"utf8">>;
  exec(source: string): Promise<WorkspaceRuntimeExecHandle<undefined>>;
  exec(source: string, options: RuntimeExecOptions & { encoding: "utf8" }): Promise<WorkspaceRuntimeExecHandle<"utf8">>;
  exec(
    source: string,
    options: RuntimeExecOptions & { encoding?: undefined },
  ): Promise<WorkspaceRuntimeExecHandle<undefined>>;
  exec(source: string, options: RuntimeExecOptions): Promise<WorkspaceRuntimeExecHandle<ExecEncoding>>;
  getExec(id: string): Promise<WorkspaceRuntimeExecHandle<undefined>>;
  getExec(id: string, options: RuntimeGetOptions & { encoding: "utf8" }): Promise<WorkspaceRuntimeExecHandle<"utf8">>;
  getExec(id: string, options?: RuntimeGetOptions): Promise<WorkspaceRuntimeExecHandle<ExecEncoding>>;
  killExec(id: string, options?: RuntimeKillOptions): Promise<void>;
  disposeExec(id: string, options?: { backend?: string }): Promise<void>;
  /** The computers there are. From another isolate the list must be awaited; read before it has come, it says so. */
  backends(): readonly WorkspaceBackendInfo[];
}

/** A workspace in hand. */
export interface WorkspaceClient {
  readonly fs: WorkspaceFilesystem;
  readonly runtime: WorkspaceRuntimeClient;
  readonly git: GitClient;
  readonly artifacts: ArtifactClient;
  readonly assets: AssetsClient & AssetsPublisher;
  [Symbol.dispose](): void;
}

/** The methods of `T` that give promises: those that work from another isolate as they do here. */
export type AsyncMethods<T> = {
  [K in keyof T as T[K] extends (...args: never[]) => PromiseLike<unknown> ? K : never]: T[K];
};

/** A workspace that is reached when it is first used. */
export interface LazyWorkspaceClient {
  readonly fs: AsyncMethods<WorkspaceFilesystem>;
  readonly runtime: WorkspaceRuntimeClient;
  /** Git over the files; each call fails where the workspace has no `git`. */
  readonly git: GitClient;
  /** Git repositories that outlive the workspace; each call fails where it has no `artifacts`. */
  readonly artifacts: AsyncMethods<ArtifactClient>;
  /** Links to files. `EUNAVAILABLE` where the workspace has no `assets`. */
  readonly assets: AssetsClient & AssetsPublisher;
  /** Lets go of the workspace; of one in the same isolate there is nothing to let go. */
  [Symbol.dispose](): void;
}
