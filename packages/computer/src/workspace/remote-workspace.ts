/** What the stubs of a workspace look like from the other side of Workers RPC: every member a promise, every object disposable. */

import type { KillSignal } from "@cloudflare/computer-rpc";
import type { WorkspaceFilesystem } from "@cloudflare/dofs";
import type { ArtifactClient } from "../artifacts/artifact-client.ts";
import type { AssetsClient } from "../assets/assets-client.ts";
import type { WorkspaceBackendInfo } from "../computer/backend-info.ts";
import type { GitClient } from "../git/client/git-client.ts";
import type { ExecEncoding } from "../runtime/event.ts";
import type { WorkspaceRuntimeResult } from "../runtime/result.ts";
import type { AsyncMethods, RuntimeExecOptions, RuntimeGetOptions, RuntimeKillOptions } from "./workspace-client.ts";

/** A stub of a run's handle. */
export interface RemoteRun extends Disposable {
  readonly id: PromiseLike<string>;
  readonly backend: PromiseLike<string>;
  result(): Promise<WorkspaceRuntimeResult<ExecEncoding> & Partial<Disposable>>;
  stream(): Promise<ReadableStream<Uint8Array>>;
  kill(signal?: KillSignal): Promise<void>;
}

/** A call that is on its way: what it will give can already be asked things. */
export type PendingRun = PromiseLike<RemoteRun> & Pick<RemoteRun, "id" | "backend">;

export interface RemoteRuntime {
  exec(source: string, options?: RuntimeExecOptions): PendingRun;
  getExec(id: string, options?: RuntimeGetOptions): PendingRun;
  killExec(id: string, options?: RuntimeKillOptions): Promise<void>;
  disposeExec(id: string, options?: { backend?: string }): Promise<void>;
  backends(): Promise<WorkspaceBackendInfo[]>;
}

export interface RemoteWorkspace extends Disposable {
  readonly fs: AsyncMethods<WorkspaceFilesystem>;
  readonly runtime: RemoteRuntime;
  readonly git: GitClient;
  readonly artifacts: AsyncMethods<ArtifactClient>;
  readonly assets: AssetsClient;
  readonly hasAssets: PromiseLike<boolean>;
}
