/** Tools that models work on a workspace with, for the AI SDK one by one. */

export {
  type FileStat,
  type FileStore,
  type MutableFileStore,
  WorkspaceFileStore,
} from "../files/file-store.ts";
export {
  createDeleteTool,
  createEditTool,
  createExecTool,
  createFindTool,
  createGrepTool,
  createListTool,
  createPublishTool,
  createReadTool,
  createWriteTool,
} from "./ai-sdk/create-tools.ts";
export type { DeleteToolOptions } from "./core/delete.ts";
export type { EditToolOptions } from "./core/edit.ts";
export type {
  ExecBackendOptions,
  ExecBackends,
  ExecRuntimeHandle,
  ExecStreamEvent,
  ExecToolOptions,
  ExecToolOutput,
} from "./core/exec-types.ts";
export type { FindToolOptions } from "./core/find.ts";
export type { GrepToolOptions } from "./core/grep.ts";
export type { ListToolOptions } from "./core/ls.ts";
export type { PublishToolOptions } from "./core/publish.ts";
export type { LineTruncation, ReadToolOptions } from "./core/read.ts";
export type { WorkspaceLike } from "./core/tool-set.ts";
export type { WriteToolOptions } from "./core/write.ts";
