/** The shell computer: scripts in a Dynamic Worker, over a workspace's own files. */

export {
  type ArtifactsCommandHost,
  type AssetsCommandHost,
  type BashFactory,
  defineArtifactsCommand,
  defineAssetsCommand,
  defineGitCommand,
  type GitCommandHost,
  ShellWorker,
  type ShellWorkerOptions,
  WorkspaceFsAdapter,
} from "../../../out/shell/worker/main.js";
export type { ExecInput, HostWorkspaceStub, ShellHostFetcher, ShellWorkerEnv } from "../../shell/shell-types.ts";
export type { WorkspaceFs } from "../../shell/workspace-fs.ts";
export type { WorkspaceEgressPolicy } from "../container/container-api.ts";
export { assembleShellModules, SHELL_CORE_MODULES, type ShellModuleGroup } from "./modules.ts";
export type { WorkerLoaderCode, WorkerShellLoader, WorkerShellRuntime, WorkerShellSource } from "./runtime.ts";
export { SHELL_RUNTIME_MODULES } from "./runtime-modules.ts";
export { WorkerShellBackend } from "./worker-shell-backend.ts";
export type { WorkerShellBackendOptions } from "./worker-shell-options.ts";
