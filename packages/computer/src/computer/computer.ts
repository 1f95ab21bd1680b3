/** The one interface of everything that runs things over a workspace's files. */

import type { Database, InodeStore, WorkspaceFilesystem } from "@cloudflare/dofs";
import type { ArtifactClient } from "../artifacts/artifact-client.ts";
import type { AssetsClient } from "../assets/assets-client.ts";
import type { GitClient } from "../git/client/git-client.ts";
import type { WorkspaceObserver } from "../observe/observer.ts";
import type { WorkspaceRuntime } from "../runtime/workspace-runtime.ts";
import type { SyncProgress } from "../sync/progress.ts";
import type { SyncLogger } from "../sync/sync-logger.ts";
import type { KillInput, ModuleExecutionEnvelope, ModuleExecutionInput, ReattachInput, RunReference } from "./run.ts";

/** What a computer is told about the workspace it serves. */
export interface ComputerHost {
  readonly db: Database;
  readonly fs: WorkspaceFilesystem;
  /** The files below the path API, for computers that keep a copy in step. */
  readonly store: InodeStore;
  readonly runtime: WorkspaceRuntime;
  readonly git?: GitClient;
  readonly artifacts?: ArtifactClient;
  /** Absent where the workspace cannot share files. */
  readonly assets?: AssetsClient;
  readonly observer: WorkspaceObserver;
  readonly syncLogger: SyncLogger;
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits until all that is mounted is there. */
  ready?(): Promise<void>;
}

/**
 * Somewhere to run things over a workspace's files.
 *
 * @example
 * class Echo implements Computer {
 *   readonly id = "echo";
 *   readonly type = "echo";
 *   readonly protocol = "command";
 *   async connect(): Promise<ComputerSession> { … }
 * }
 */
export interface Computer {
  readonly id: string;
  readonly type: string;
  /** What `source` means: a shell command, or the text of an ES module. */
  readonly protocol: "command" | "module";
  /** Takes a structured `input` and returns a structured `value`. */
  readonly callable?: boolean | undefined;
  /** Told to the model that chooses where to run. */
  readonly description?: string | undefined;
  /** Called on first use, and again after a session was lost. */
  connect(host: ComputerHost): Promise<ComputerSession>;
}

/** One live connection to a computer. */
export interface ComputerSession {
  /** Resolves once the run has started; a failure means that it was not, or says that it may have been. */
  exec(input: ModuleExecutionInput): Promise<ModuleExecutionEnvelope>;
  getExec(input: ReattachInput): Promise<ModuleExecutionEnvelope>;
  killExec(input: KillInput): Promise<void>;
  disposeExec(input: RunReference): Promise<void>;
  /** Brings the computer's copy of the files up to date. Absent where it has none. */
  push?(): AsyncIterable<SyncProgress>;
  /** Takes the computer's changes over. Absent where it has no copy. */
  pull?(): AsyncIterable<SyncProgress>;
  /** Settles when the session can no longer be used; the next use then connects anew. */
  readonly closed?: Promise<void> | undefined;
  close?(): Promise<void>;
}
