/** Every tool once, for adapters to the libraries that call tools. */

export type {
  AnyToolDefinition,
  ToolContent,
  ToolContext,
  ToolDefinition,
  ToolFailure,
} from "./definition.ts";
export { isFailure } from "./definition.ts";
export { type DeleteInput, type DeleteOutput, type DeleteToolOptions, defineDelete } from "./delete.ts";
export { defineEdit, type EditInput, type EditOutput, type EditToolOptions } from "./edit.ts";
export { defineExec } from "./exec.ts";
export type {
  ExecBackendOptions,
  ExecBackends,
  ExecCallContext,
  ExecDefinition,
  ExecInput,
  ExecRuntimeHandle,
  ExecStreamEvent,
  ExecToolOptions,
  ExecToolOutput,
  ExecWorkspaceLike,
} from "./exec-types.ts";
export { defineFind, type FindInput, type FindOutput, type FindToolOptions, type FindWorkspaceLike } from "./find.ts";
export { defineGrep, type GrepInput, type GrepOutput, type GrepToolOptions, type GrepWorkspaceLike } from "./grep.ts";
export { defineList, type ListInput, type ListOutput, type ListToolOptions, type ListWorkspaceLike } from "./ls.ts";
export {
  definePublish,
  type PublishInput,
  type PublishOutput,
  type PublishToolOptions,
  type PublishWorkspaceLike,
} from "./publish.ts";
export {
  defineRead,
  type LineTruncation,
  type ReadInput,
  type ReadMedia,
  type ReadOutput,
  type ReadText,
  type ReadToolOptions,
} from "./read.ts";
export { type RunToolContext, runTool, type ToolResult } from "./run-tool.ts";
export { type CreateToolsOptions, defineTools, type LegacyShellOptions, type WorkspaceLike } from "./tool-set.ts";
export { defineWrite, type WriteInput, type WriteOutput, type WriteToolOptions } from "./write.ts";
