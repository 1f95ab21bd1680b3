/** The shapes of a user's own computer in the API of 0.8.0: one that speaks `WorkspaceRPC`, and one that runs modules. */

import type { ContentsRPC, WorkspaceRPC } from "@cloudflare/computer-rpc";
import type { Database, WorkspaceFilesystem } from "@cloudflare/dofs";
import type { ArtifactClient } from "../artifacts/artifact-client.ts";
import type { AssetsClient } from "../assets/assets-client.ts";
import type { GitClient } from "../git/client/git-client.ts";
import type { WorkspaceRuntime } from "../runtime/workspace-runtime.ts";
import type { KillInput, ModuleExecutionEnvelope, ModuleExecutionInput, ReattachInput, RunReference } from "./run.ts";

/** What a backend is told about the workspace. */
export interface WorkspaceBackendHost {
  readonly db: Database;
  readonly fs: WorkspaceFilesystem;
  readonly git?: GitClient;
  readonly artifacts?: ArtifactClient;
  /** Absent where the workspace cannot share files. */
  readonly assets?: AssetsClient;
}

/** A connection that speaks the wire of a workspace. */
export interface BackendHandle {
  rpc: WorkspaceRPC;
  /** Which life of the computer this is; runs are fenced to it. */
  runtimeId?: string | undefined;
  /** `"remote"`, the default: files are pushed before a run and pulled after it. `"none"`: the computer works on the workspace's own. */
  sync?: "remote" | "none" | undefined;
  /**
   * What the computer does at paths that these patterns, as in a `.gitignore` in `root` (default `/workspace`), fit is not taken over. `supported`
   * says that the computer heeds them in `fetchChanges`; otherwise the workspace passes such changes over.
   */
  ignore?:
    | { readonly patterns: readonly string[]; readonly root: string | undefined; readonly supported: boolean }
    | undefined;
  /** How commands see the files; told in each result. */
  mount?: "fuse" | "files" | undefined;
  /** Each exit says whether the run was cut short. Otherwise exit code 124 of a run with a timeout means that it ran out of time. */
  tellsEnd?: boolean | undefined;
  /** Present where the computer fetches contents when they are first read, so that a push need not bring them; told once whom to ask. */
  fetchFrom?: ((contents: ContentsRPC) => void) | undefined;
  /** Settles when the connection is gone. */
  closed?: Promise<void> | undefined;
  close(): Promise<void>;
}

/** A computer of the user's that runs commands. */
export interface WorkspaceBackend {
  readonly id: string;
  readonly type: string;
  readonly callable?: boolean | undefined;
  readonly description?: string | undefined;
  connect(host: WorkspaceBackendHost): Promise<BackendHandle>;
}

/** What a module backend is told about the workspace. */
export type WorkspaceModuleBackendHost = WorkspaceBackendHost & { readonly runtime: WorkspaceRuntime };

/** A connection that runs modules. */
export interface WorkspaceModuleBackendHandle {
  exec(input: ModuleExecutionInput): Promise<ModuleExecutionEnvelope>;
  getExec(input: ReattachInput): Promise<ModuleExecutionEnvelope>;
  killExec(input: KillInput): Promise<void>;
  disposeExec(input: RunReference): Promise<void>;
  close?(): Promise<void>;
}

/** A computer of the user's that runs modules. */
export interface WorkspaceModuleBackend {
  readonly protocol: "module";
  readonly id: string;
  readonly type: string;
  readonly callable?: boolean | undefined;
  readonly description?: string | undefined;
  connect(host: WorkspaceModuleBackendHost): Promise<WorkspaceModuleBackendHandle>;
}

/** A backend of either kind. */
export type WorkspaceRegisteredBackend = WorkspaceBackend | WorkspaceModuleBackend;
