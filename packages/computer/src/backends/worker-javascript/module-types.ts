/** Modules that a script can import beside its files: text, or functions that run on the host. */

import type { ArtifactClient } from "../../artifacts/artifact-client.ts";
import type { AssetsClient } from "../../assets/assets-client.ts";
import type { GitClient } from "../../git/client/git-client.ts";
import type { WorkspaceRuntimeValue } from "../../runtime/event.ts";
import type { WorkspaceRuntime } from "../../runtime/workspace-runtime.ts";

/** Whether scripts may change files. */
export type WorkspaceRuntimeAccess = "read-write" | "read";

/** What a host function knows of the call. */
export interface WorkspaceModuleCallContext {
  /** Aborted when the run is killed or out of time, and when the call is. */
  readonly signal: AbortSignal;
  /** When the run ends at the latest, in milliseconds since 1970. */
  readonly deadline: number;
  readonly access: WorkspaceRuntimeAccess;
  /** The absolute path of the directory that scripts are confined to. */
  readonly root: string;
  /** The path without links, a relative one from the run's working directory. `EACCES` where it leads out of the root. */
  resolvePath(path: string, options?: { readonly allowMissing?: boolean }): Promise<string>;
  /** Names this call within its run. */
  readonly callId: string;
}

/** One export of a host module. It takes and gives data that JSON can carry. */
export type WorkspaceModuleFunction = (
  args: readonly WorkspaceRuntimeValue[],
  context: WorkspaceModuleCallContext,
) => unknown;

export type WorkspaceModuleFunctions = Readonly<Record<string, WorkspaceModuleFunction>>;

/** What a module of functions is made with, once a workspace. */
export interface WorkspaceModuleHost {
  readonly runtime: WorkspaceRuntime;
  readonly git: GitClient;
  readonly artifacts: ArtifactClient;
  /** Absent where the workspace cannot share files. */
  readonly assets?: AssetsClient | undefined;
}

/** Makes a module's functions for a workspace. */
export interface WorkspaceModuleFactory {
  /** Told to the model, as part of the computer's description. */
  readonly description?: string | undefined;
  (host: WorkspaceModuleHost): WorkspaceModuleFunctions;
}

/** The text of an ES module, functions of the host by name, or what makes them. */
export type WorkspaceModule = string | WorkspaceModuleFunctions | WorkspaceModuleFactory;
