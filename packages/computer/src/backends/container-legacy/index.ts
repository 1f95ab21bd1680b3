/** The container computer under the names that it had before; each is what `./backends/container` has under its own. */

export type {
  ContainerHostHolder,
  ContainerLaunchSpec,
  ContainerRuntimeInfo,
  IWorkspaceContainerAPI as ILegacyWorkspaceContainerAPI,
  WorkspaceEgressPolicy,
  WorkspaceRef,
} from "../container/container-api.ts";
export { withWorkspaceContainer as withLegacyWorkspaceContainer } from "../container/with-workspace-container.ts";
export { WorkspaceContainerAPI as LegacyWorkspaceContainerAPI } from "../container/workspace-container-api.ts";
export { LegacyContainerBackend, type LegacyContainerBackendOptions } from "./legacy-container-backend.ts";
