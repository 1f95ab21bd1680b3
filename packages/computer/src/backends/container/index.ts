/** The container computer. */

export { type ComputerdHostOptions, computerdHost } from "./computerd-host.ts";
export type {
  ContainerExitInfo,
  ContainerHostHolder,
  ContainerLaunchSpec,
  ContainerRuntimeInfo,
  IWorkspaceContainerAPI,
  WorkspaceEgressPolicy,
  WorkspaceRef,
} from "./container-api.ts";
export { ContainerBackend } from "./container-backend.ts";
export type { ContainerBackendOptions } from "./container-options.ts";
