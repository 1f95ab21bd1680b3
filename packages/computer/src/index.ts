/** What a Worker imports: a workspace of files, and what runs over them. */

export {
  ComputerError,
  type ComputerErrorCode,
  type ExecEvent,
  isComputerError,
  type KillSignal,
  type ShellRPC,
  type SyncRPC,
  WORKSPACE_ROOT,
  type WorkspaceRPC,
} from "@cloudflare/computer-rpc";
export {
  type DurableObjectStorageLike,
  FsError,
  type FsErrorCode,
  isFsError,
  SQLiteWorkspaceProvider,
  type SQLiteWorkspaceProviderOptions,
} from "@cloudflare/dofs";
export type { WorkspaceEgressPolicy } from "./backends/container/container-api.ts";
export { TestBackend, type TestBackendOptions } from "./backends/test-backend.ts";
export type {
  WorkspaceRuntimeInterruptPolicy,
  WorkspaceRuntimeLoader,
} from "./backends/worker-javascript/javascript-options.ts";
export type {
  WorkspaceModule,
  WorkspaceModuleCallContext,
  WorkspaceModuleFactory,
  WorkspaceModuleFunction,
  WorkspaceModuleFunctions,
  WorkspaceModuleHost,
  WorkspaceRuntimeAccess,
} from "./backends/worker-javascript/module-types.ts";
export type {
  BackendHandle,
  WorkspaceBackend,
  WorkspaceModuleBackend,
  WorkspaceModuleBackendHandle,
  WorkspaceModuleBackendHost,
  WorkspaceRegisteredBackend,
} from "./computer/backend.ts";
export type { WorkspaceBackendInfo } from "./computer/backend-info.ts";
export type { Computer, ComputerHost, ComputerSession } from "./computer/computer.ts";
export type { ModuleExecutionEnvelope, ModuleExecutionInput } from "./computer/run.ts";
export {
  type FileStat,
  type FileStore,
  type MutableFileStore,
  WorkspaceFileStore,
} from "./files/file-store.ts";
export type { GitClientFactory as WorkspaceGitFactory } from "./git/client/create-git-client.ts";
export type {
  EagerMount,
  Mount,
  MountBase,
  MountContext,
  MountFactory,
  MountValue,
  MountWriteAPI,
} from "./mounts/mount.ts";
export { R2Bucket, type R2BucketBinding, type R2BucketOptions } from "./mounts/r2-bucket.ts";
export {
  WorkerBundle,
  type WorkerBundleEntry,
  type WorkerBundleFile,
  type WorkerBundleOptions,
  type WorkerBundleSource,
  type WorkerBundleTree,
} from "./mounts/worker-bundle.ts";
export {
  noopObserver,
  type WorkspaceAttributes,
  type WorkspaceAttributeValue,
  type WorkspaceObserver,
  type WorkspaceSpan,
} from "./observe/observer.ts";
export { WorkspaceProxy, type WorkspaceProxyProps } from "./proxy/workspace-proxy.ts";
export { WorkspaceServiceProxy, type WorkspaceServiceProxyProps } from "./proxy/workspace-service-proxy.ts";
export type {
  ExecEncoding,
  ScriptReport,
  TruncatedOutput,
  WorkspaceRuntimeEvent,
  WorkspaceRuntimeTruncation,
  WorkspaceRuntimeValue,
} from "./runtime/event.ts";
export { decodeExecEvents, decodeRuntimeEvents, encodeExecEvents, encodeRuntimeEvent } from "./runtime/event-codec.ts";
export type { WorkspaceRuntimeExecHandle } from "./runtime/exec-handle.ts";
export type {
  WorkspaceRuntimeDisposeOptions,
  WorkspaceRuntimeExecOptions,
  WorkspaceRuntimeGetOptions,
  WorkspaceRuntimeKillOptions,
  WorkspaceRuntimeOutputOptions,
} from "./runtime/exec-options.ts";
export type {
  ApplyResult,
  ExecSyncResult,
  SkippedEntry,
  WorkspaceRuntimeResult,
  WorkspaceRuntimeStatus,
} from "./runtime/result.ts";
export { type RawShellValue, type ShellValue, sh, shellQuote } from "./runtime/shell-quote.ts";
export { ArtifactsCLITarget } from "./stubs/artifacts-cli-target.ts";
export { WorkspaceAssetsStub } from "./stubs/assets-stub.ts";
export { WorkspaceRuntimeExecHandleStub } from "./stubs/exec-handle-stub.ts";
export { WorkspaceFilesystemStub } from "./stubs/filesystem-stub.ts";
export { WorkspaceGitStub } from "./stubs/git-stub.ts";
export { WorkspaceRuntimeStub } from "./stubs/runtime-stub.ts";
export { WorkspaceStub } from "./stubs/workspace-stub.ts";
export type { SyncProgress } from "./sync/progress.ts";
export {
  createSyncLogger,
  DEFAULT_CPU_LIMIT_MS,
  type SyncBlockTelemetry,
  type SyncLogger,
  type SyncLoggerOptions,
  type SyncOperationTelemetry,
  syncBlockLog,
  syncOperationLog,
  type TelemetryRecord,
} from "./sync/sync-logger.ts";
export { getWorkspace } from "./workspace/get-workspace.ts";
export { type WithWorkspaceCtor, withWorkspace } from "./workspace/with-workspace.ts";
export { Workspace, type WorkspaceOptions } from "./workspace/workspace.ts";
export type {
  LazyWorkspaceClient,
  RuntimeExecOptions,
  RuntimeGetOptions,
  RuntimeKillOptions,
  WorkspaceClient,
  WorkspaceRuntimeClient,
} from "./workspace/workspace-client.ts";
export type {
  WorkspaceHandle,
  WorkspaceLocalHost,
  WorkspaceSource,
  WorkspaceStubHost,
} from "./workspace/workspace-host.ts";
export type { WorkspaceOutputOptions } from "./workspace/workspace-options.ts";
