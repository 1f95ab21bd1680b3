/** The container computer. */

export { type ComputerdHostOptions, computerdHost } from "./computerd-host.ts";
export type {
  ContainerExitInfo,
  ContainerHostHolder,
  ContainerInstanceSize,
  ContainerLaunchSpec,
  ContainerRuntimeInfo,
  IWorkspaceContainerAPI,
  WorkspaceEgressPolicy,
  WorkspaceRef,
} from "./container-api.ts";
export { ContainerBackend } from "./container-backend.ts";
export type { ContainerBackendOptions } from "./container-options.ts";
export { type WithWorkspaceContainerCtor, withWorkspaceContainer } from "./with-workspace-container.ts";
export {
  type ContainerHooks,
  ContainerPort,
  type ContainerState,
  WorkspaceContainerAPI,
} from "./workspace-container-api.ts";
