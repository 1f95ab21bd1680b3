/** Compile-only: the names and members of the API of 0.8.0 that are there. What is not yet stands in `missing-0.8.0.ts`. */

import * as computer from "@cloudflare/computer";
import * as container from "@cloudflare/computer/backends/container";
import * as legacy from "@cloudflare/computer/backends/container-legacy";
import * as script from "@cloudflare/computer/backends/worker-javascript";
import * as containerModule from "@cloudflare/computer/modules/container";
import * as observe from "@cloudflare/computer/observe/cloudflare";

// .
export type computer_ApplyResult = Pick<computer.ApplyResult, "applied" | "skipped" | "minted">;
export type computer_BackendHandle = Pick<
  computer.BackendHandle,
  "rpc" | "runtimeId" | "sync" | "ignore" | "closed" | "close"
>;
void computer.DEFAULT_CPU_LIMIT_MS;
export type computer_DurableObjectStorageLike = Pick<
  computer.DurableObjectStorageLike,
  "sql" | "transaction" | "transactionSync"
>;
export type computer_ExecEncoding = computer.ExecEncoding;
export type computer_ExecSyncResult = computer.ExecSyncResult;
export type computer_FileStat = Pick<computer.FileStat, "size" | "mtime" | "mode">;
export type computer_FileStore = Pick<computer.FileStore, "lockIdentity" | "stat" | "readChunks" | "readAll" | "write">;
export type computer_KillSignal = computer.KillSignal;
export type computer_LazyWorkspaceClient = Pick<computer.LazyWorkspaceClient, "fs" | "runtime">;
export type computer_ModuleExecutionEnvelope = Pick<
  computer.ModuleExecutionEnvelope,
  "id" | "runtimeId" | "events" | "sync"
>;
export type computer_ModuleExecutionInput = Pick<
  computer.ModuleExecutionInput,
  "id" | "source" | "cwd" | "input" | "env" | "stdin" | "timeoutMs" | "sync"
>;
export type computer_MutableFileStore = Pick<
  computer.MutableFileStore,
  "remove" | "lockIdentity" | "stat" | "readChunks" | "readAll" | "write"
>;
export type computer_RawShellValue = Pick<computer.RawShellValue, "raw">;
export type computer_RuntimeExecOptions = Pick<
  computer.RuntimeExecOptions,
  "cwd" | "encoding" | "backend" | "id" | "timeoutMs" | "input" | "env" | "stdin" | "output"
>;
export type computer_RuntimeGetOptions = Pick<computer.RuntimeGetOptions, "encoding" | "backend" | "resume" | "output">;
export type computer_RuntimeKillOptions = Pick<computer.RuntimeKillOptions, "backend" | "signal">;
void computer.SQLiteWorkspaceProvider;
export type computer_SQLiteWorkspaceProvider = Pick<
  computer.SQLiteWorkspaceProvider,
  | "db"
  | "now"
  | "readonly"
  | "supportsSymlinks"
  | "supportsWatch"
  | "watchIntervalMs"
  | "open"
  | "openSync"
  | "stat"
  | "statSync"
  | "lstat"
  | "lstatSync"
  | "readdir"
  | "readdirSync"
  | "readdirEntriesSync"
  | "mkdir"
  | "mkdirSync"
  | "rmdir"
  | "rmdirSync"
  | "unlink"
  | "unlinkSync"
  | "link"
  | "linkSync"
  | "rename"
  | "renameSync"
  | "readFile"
  | "readFileSync"
  | "writeFile"
  | "writeFileSync"
  | "writeFileRangesSync"
  | "createFileSync"
  | "writeRangeSync"
  | "truncateFileSync"
  | "openWriteBufferSync"
  | "openWriteBufferForCreateSync"
  | "releaseWriteBufferSync"
  | "chmodSync"
  | "appendFile"
  | "appendFileSync"
  | "exists"
  | "existsSync"
  | "copyFile"
  | "copyFileSync"
  | "internalModuleStat"
  | "realpath"
  | "realpathSync"
  | "access"
  | "accessSync"
  | "closeSync"
  | "readSync"
  | "readRangeSync"
  | "writeSync"
  | "fstatSync"
  | "truncateSync"
  | "ftruncateSync"
  | "readlink"
  | "readlinkSync"
  | "symlink"
  | "symlinkSync"
  | "watch"
  | "watchAsync"
  | "watchFile"
  | "unwatchFile"
>;
export type computer_SQLiteWorkspaceProviderOptions = Pick<
  computer.SQLiteWorkspaceProviderOptions,
  "now" | "watchIntervalMs"
>;
export type computer_ShellValue = computer.ShellValue;
export type computer_SkippedEntry = Pick<computer.SkippedEntry, "path" | "mountRoot" | "op" | "reason">;
export type computer_SyncBlockTelemetry = Pick<
  computer.SyncBlockTelemetry,
  | "backend"
  | "direction"
  | "mode"
  | "operationId"
  | "generation"
  | "entries"
  | "bytes"
  | "skipped"
  | "complete"
  | "blockMs"
  | "cursorRev"
  | "targetRev"
  | "cpuLimitMs"
>;
export type computer_SyncLogger = Pick<computer.SyncLogger, "block" | "operation">;
export type computer_SyncLoggerOptions = Pick<computer.SyncLoggerOptions, "enabled" | "log">;
export type computer_SyncOperationTelemetry = Pick<
  computer.SyncOperationTelemetry,
  | "backend"
  | "direction"
  | "mode"
  | "operationId"
  | "generation"
  | "blocks"
  | "entries"
  | "bytes"
  | "skipped"
  | "totalMs"
  | "worstBlockMs"
  | "restarts"
>;
export type computer_SyncProgress = Pick<
  computer.SyncProgress,
  | "operationId"
  | "generation"
  | "backend"
  | "direction"
  | "mode"
  | "cursor"
  | "targetCursor"
  | "entries"
  | "bytes"
  | "skipped"
  | "complete"
>;
export type computer_TelemetryRecord = computer.TelemetryRecord;
void computer.TestBackend;
export type computer_TestBackend = Pick<computer.TestBackend, "type" | "id" | "connect">;
export type computer_TestBackendOptions = Pick<computer.TestBackendOptions, "url" | "id">;
export type computer_TruncatedOutput = computer.TruncatedOutput;
void computer.WORKSPACE_ROOT;
void computer.Workspace;
export type computer_Workspace = Pick<
  computer.Workspace,
  "db" | "observer" | "fs" | "sessionId" | "runtime" | "provider" | "ready" | "stub" | "pull" | "push" | "close"
>;
export type computer_WorkspaceAttributeValue = computer.WorkspaceAttributeValue;
export type computer_WorkspaceAttributes = computer.WorkspaceAttributes;
export type computer_WorkspaceBackend = Pick<
  computer.WorkspaceBackend,
  "id" | "type" | "callable" | "description" | "connect"
>;
export type computer_WorkspaceBackendInfo = Pick<
  computer.WorkspaceBackendInfo,
  "id" | "protocol" | "callable" | "description"
>;
export type computer_WorkspaceClient = Pick<computer.WorkspaceClient, "fs" | "runtime">;
export type computer_WorkspaceEgressPolicy = computer.WorkspaceEgressPolicy;
void computer.WorkspaceFileStore;
export type computer_WorkspaceFileStore = Pick<
  computer.WorkspaceFileStore,
  "lockIdentity" | "stat" | "readAll" | "write" | "remove" | "readChunks"
>;
void computer.WorkspaceFilesystemStub;
export type computer_WorkspaceFilesystemStub = Pick<
  computer.WorkspaceFilesystemStub,
  | "readFile"
  | "exists"
  | "stat"
  | "statOrNull"
  | "lstat"
  | "lstatOrNull"
  | "readlink"
  | "readdir"
  | "find"
  | "ls"
  | "grep"
  | "writeFile"
  | "mkdir"
  | "rm"
  | "rename"
  | "chmod"
  | "symlink"
>;
export type computer_WorkspaceHandle = computer.WorkspaceHandle;
export type computer_WorkspaceLocalHost = computer.WorkspaceLocalHost;
export type computer_WorkspaceModuleBackend = Pick<
  computer.WorkspaceModuleBackend,
  "protocol" | "id" | "type" | "callable" | "description" | "connect"
>;
export type computer_WorkspaceModuleBackendHandle = Pick<
  computer.WorkspaceModuleBackendHandle,
  "exec" | "getExec" | "killExec" | "disposeExec" | "close"
>;
export type computer_WorkspaceModuleBackendHost = computer.WorkspaceModuleBackendHost;
export type computer_WorkspaceObserver = Pick<computer.WorkspaceObserver, "span">;
export type computer_WorkspaceOptions = Pick<
  computer.WorkspaceOptions,
  "storage" | "backends" | "now" | "sessionId" | "observer" | "syncTelemetry" | "syncTelemetryEnabled" | "output"
>;
export type computer_WorkspaceOutputOptions = Pick<
  computer.WorkspaceOutputOptions,
  "maxLines" | "maxBytes" | "dir" | "keep"
>;
void computer.WorkspaceProxy;
export type computer_WorkspaceProxy = Pick<computer.WorkspaceProxy, "fetch">;
export type computer_WorkspaceProxyProps = Pick<
  computer.WorkspaceProxyProps,
  "binding" | "id" | "name" | "egressToken"
>;
export type computer_WorkspaceRegisteredBackend = computer.WorkspaceRegisteredBackend;
export type computer_WorkspaceRuntimeClient = Pick<
  computer.WorkspaceRuntimeClient,
  "exec" | "getExec" | "killExec" | "disposeExec" | "backends"
>;
export type computer_WorkspaceRuntimeDisposeOptions = Pick<computer.WorkspaceRuntimeDisposeOptions, "backend">;
void computer.WorkspaceRuntimeExecHandleStub;
export type computer_WorkspaceRuntimeKillOptions = Pick<computer.WorkspaceRuntimeKillOptions, "backend" | "signal">;
export type computer_WorkspaceRuntimeOutputOptions = Pick<
  computer.WorkspaceRuntimeOutputOptions,
  "maxLines" | "maxBytes"
>;
export type computer_WorkspaceRuntimeStatus = computer.WorkspaceRuntimeStatus;
void computer.WorkspaceRuntimeStub;
export type computer_WorkspaceRuntimeStub = Pick<
  computer.WorkspaceRuntimeStub,
  "backends" | "exec" | "getExec" | "killExec" | "disposeExec"
>;
export type computer_WorkspaceRuntimeTruncation = Pick<computer.WorkspaceRuntimeTruncation, "stdout" | "stderr">;
export type computer_WorkspaceRuntimeValue = computer.WorkspaceRuntimeValue;
void computer.WorkspaceServiceProxy;
export type computer_WorkspaceServiceProxy = Pick<computer.WorkspaceServiceProxy, "getWorkspace">;
export type computer_WorkspaceServiceProxyProps = Pick<computer.WorkspaceServiceProxyProps, "binding" | "id" | "name">;
export type computer_WorkspaceSource = computer.WorkspaceSource;
export type computer_WorkspaceSpan = Pick<computer.WorkspaceSpan, "setAttribute">;
void computer.WorkspaceStub;
export type computer_WorkspaceStub = Pick<computer.WorkspaceStub, "fs" | "runtime">;
export type computer_WorkspaceStubHost = computer.WorkspaceStubHost;
void computer.createSyncLogger;
void computer.decodeExecEvents;
void computer.decodeRuntimeEvents;
void computer.encodeExecEvents;
void computer.encodeRuntimeEvent;
void computer.getWorkspace;
void computer.noopObserver;
void computer.sh;
void computer.shellQuote;
void computer.syncBlockLog;
void computer.syncOperationLog;
void computer.withWorkspace;
export type computer_WithWorkspaceCtor = computer.WithWorkspaceCtor<new () => object>;
export type computer_WorkspaceRuntimeEvent = computer.WorkspaceRuntimeEvent;
export type computer_WorkspaceRuntimeExecHandle = computer.WorkspaceRuntimeExecHandle;
export type computer_WorkspaceRuntimeExecOptions = computer.WorkspaceRuntimeExecOptions;
export type computer_WorkspaceRuntimeGetOptions = computer.WorkspaceRuntimeGetOptions;
export type computer_WorkspaceRuntimeResult = computer.WorkspaceRuntimeResult;

// ./backends/container
void container.ContainerBackend;
export type container_ContainerBackend = Pick<
  container.ContainerBackend,
  "type" | "description" | "id" | "connect" | "handleFetch"
>;
export type container_ContainerBackendOptions = Pick<
  container.ContainerBackendOptions,
  | "container"
  | "workspace"
  | "egress"
  | "egressHost"
  | "ignore"
  | "instance"
  | "containerPort"
  | "containerEnv"
  | "connectTimeoutMs"
  | "heartbeatIntervalMs"
  | "restartAttempts"
  | "healthProbeTimeoutMs"
  | "healthRetryInitialDelayMs"
  | "healthRetryMaxDelayMs"
  | "id"
  | "name"
  | "launch"
>;
export type container_ContainerHostHolder = Pick<container.ContainerHostHolder, "getWorkspaceContainer">;
export type container_ContainerLaunchSpec = Pick<container.ContainerLaunchSpec, "env" | "enableInternet" | "name">;
export type container_ContainerRuntimeInfo = Pick<
  container.ContainerRuntimeInfo,
  "runtimeId" | "clientSecret" | "outcome"
>;
export type container_IWorkspaceContainerAPI = Pick<
  container.IWorkspaceContainerAPI,
  | "start"
  | "interceptOutboundHttp"
  | "interceptAllOutboundHttp"
  | "fetchPort"
  | "port"
  | "restart"
  | "setInactivityTimeout"
  | "status"
  | "exitInfo"
>;
export type container_ContainerInstanceSize = container.ContainerInstanceSize;
void container.WorkspaceContainerAPI;
export type container_WorkspaceContainerAPI = Pick<
  container.WorkspaceContainerAPI,
  | "start"
  | "restart"
  | "setInactivityTimeout"
  | "status"
  | "exitInfo"
  | "interceptAllOutboundHttp"
  | "interceptOutboundHttp"
  | "fetchPort"
  | "port"
>;
void container.withWorkspaceContainer;
export type container_WorkspaceEgressPolicy = container.WorkspaceEgressPolicy;
export type container_WorkspaceRef = Pick<container.WorkspaceRef, "binding" | "id" | "name">;

// ./backends/container-legacy
export type legacy_ContainerLaunchSpec = Pick<legacy.ContainerLaunchSpec, "env" | "enableInternet">;
export type legacy_ContainerRuntimeInfo = Pick<legacy.ContainerRuntimeInfo, "runtimeId" | "clientSecret" | "outcome">;
export type legacy_ILegacyWorkspaceContainerAPI = Pick<
  legacy.ILegacyWorkspaceContainerAPI,
  | "start"
  | "interceptOutboundHttp"
  | "interceptAllOutboundHttp"
  | "fetchPort"
  | "port"
  | "restart"
  | "setInactivityTimeout"
  | "status"
  | "exitInfo"
>;
void legacy.LegacyContainerBackend;
export type legacy_LegacyContainerBackend = Pick<
  legacy.LegacyContainerBackend,
  "type" | "id" | "connect" | "handleFetch"
>;
export type legacy_LegacyContainerBackendOptions = Pick<
  legacy.LegacyContainerBackendOptions,
  | "container"
  | "workspace"
  | "egressHost"
  | "egress"
  | "containerPort"
  | "containerEnv"
  | "connectTimeoutMs"
  | "heartbeatIntervalMs"
  | "restartAttempts"
  | "healthProbeTimeoutMs"
  | "healthRetryInitialDelayMs"
  | "healthRetryMaxDelayMs"
  | "id"
>;
void legacy.LegacyWorkspaceContainerAPI;
export type legacy_LegacyWorkspaceContainerAPI = Pick<
  InstanceType<typeof legacy.LegacyWorkspaceContainerAPI>,
  | "start"
  | "restart"
  | "setInactivityTimeout"
  | "status"
  | "exitInfo"
  | "interceptAllOutboundHttp"
  | "interceptOutboundHttp"
  | "fetchPort"
  | "port"
>;
export type legacy_WorkspaceEgressPolicy = legacy.WorkspaceEgressPolicy;
export type legacy_WorkspaceRef = Pick<legacy.WorkspaceRef, "binding" | "id" | "name">;
void legacy.withLegacyWorkspaceContainer;

// ./observe/cloudflare
export type observe_CloudflareObserverOptions = Pick<observe.CloudflareObserverOptions, "tracing">;
void observe.createCloudflareObserver;

// The JavaScript computer and its host modules
export type computer_WorkspaceModule = computer.WorkspaceModule;
export type computer_WorkspaceModuleCallContext = Pick<
  computer.WorkspaceModuleCallContext,
  "signal" | "deadline" | "access" | "resolvePath" | "callId"
>;
export type computer_WorkspaceModuleFactory = Pick<computer.WorkspaceModuleFactory, "description">;
export type computer_WorkspaceModuleFunction = computer.WorkspaceModuleFunction;
export type computer_WorkspaceModuleFunctions = computer.WorkspaceModuleFunctions;
export type computer_WorkspaceModuleHost = Pick<computer.WorkspaceModuleHost, "runtime">;
export type computer_WorkspaceRuntimeAccess = computer.WorkspaceRuntimeAccess;
export type computer_WorkspaceRuntimeInterruptPolicy = computer.WorkspaceRuntimeInterruptPolicy;
export type computer_WorkspaceRuntimeLoader = Pick<computer.WorkspaceRuntimeLoader, "load">;
void script.WorkerJavaScriptBackend;
export type script_WorkspaceEgressPolicy = script.WorkspaceEgressPolicy;
export type script_WorkerJavaScriptBackend = Pick<
  script.WorkerJavaScriptBackend,
  "protocol" | "type" | "callable" | "id" | "description" | "connect"
>;
export type script_WorkerJavaScriptBackendOptions = Pick<
  script.WorkerJavaScriptBackendOptions,
  | "loader"
  | "id"
  | "root"
  | "access"
  | "modules"
  | "defaultTimeoutMs"
  | "maxTimeoutMs"
  | "maxCpuMs"
  | "onInterrupt"
  | "maxSourceBytes"
  | "maxInputBytes"
  | "maxStdinBytes"
  | "maxEnvBytes"
  | "maxResultBytes"
  | "maxStdioBytes"
  | "maxCapabilityBytes"
  | "maxHostCallMs"
  | "maxConcurrentCapabilityCalls"
  | "maxCapabilityCalls"
  | "maxCapabilityRequestBytes"
  | "maxCapabilityResponseBytes"
  | "maxDirectoryEntries"
  | "maxExecutionSubscribers"
  | "retentionMs"
  | "maxRetainedExecutions"
  | "compatibilityDate"
  | "compatibilityFlags"
  | "egress"
  | "globalOutbound"
>;

// ./modules/container
export type containerModule_ContainerModuleOptions = Pick<
  containerModule.ContainerModuleOptions,
  "backend" | "maxOutputBytes" | "maxOutputLines" | "prelude"
>;
void containerModule.createContainerModule;
