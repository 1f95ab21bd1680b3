/** Compile-only: the names and members of the tools in the API of 0.8.0, and that the libraries they are for take them. */

import type { LazyWorkspaceClient, Workspace } from "@cloudflare/computer";
import * as modules from "@cloudflare/computer/modules/tools";
import * as tools from "@cloudflare/computer/tools";
import * as ai from "@cloudflare/computer/tools/ai-sdk";
import * as core from "@cloudflare/computer/tools/core";
import * as pi from "@cloudflare/computer/tools/pi-ai";
import * as tanstack from "@cloudflare/computer/tools/tanstack-ai";
import { type AnyTextAdapter, chat } from "@tanstack/ai";
import { generateText, type LanguageModel, type Tool, type ToolSet } from "ai";

// ./modules/tools
export type modules_ToolBinding = Pick<modules.ToolBinding, "name" | "readOnly" | "call">;
export type modules_ToolBindingResult = Pick<
  modules.ToolBindingResult,
  "text" | "isError" | "details" | "structuredContent"
>;
export type modules_ToolBindings = modules.ToolBindings;
export type modules_ToolBindingsOptions = Pick<modules.ToolBindingsOptions, "exclude" | "description">;
void modules.createToolBindings;

// ./tools
export type tools_DeleteToolOptions = Pick<tools.DeleteToolOptions, "store">;
export type tools_EditToolOptions = Pick<tools.EditToolOptions, "store" | "maxBytes" | "maxDiffLines" | "maxDiffBytes">;
export type tools_ExecBackendOptions = Pick<tools.ExecBackendOptions, "description">;
export type tools_ExecBackends = tools.ExecBackends;
export type tools_ExecRuntimeHandle = Pick<tools.ExecRuntimeHandle, "result" | "kill">;
export type tools_ExecStreamEvent = tools.ExecStreamEvent;
export type tools_ExecToolOptions = Pick<
  tools.ExecToolOptions,
  "workspace" | "backends" | "maxBytes" | "maxLines" | "streamMaxBytes" | "now"
>;
export type tools_ExecToolOutput = tools.ExecToolOutput;
export type tools_FileStat = Pick<tools.FileStat, "size" | "mtime" | "mode">;
export type tools_FileStore = Pick<tools.FileStore, "lockIdentity" | "stat" | "readChunks" | "readAll" | "write">;
export type tools_FindToolOptions = Pick<tools.FindToolOptions, "workspace">;
export type tools_GrepToolOptions = Pick<tools.GrepToolOptions, "workspace">;
export type tools_LineTruncation = tools.LineTruncation;
export type tools_ListToolOptions = Pick<tools.ListToolOptions, "workspace">;
export type tools_MutableFileStore = Pick<
  tools.MutableFileStore,
  "remove" | "lockIdentity" | "stat" | "readChunks" | "readAll" | "write"
>;
export type tools_PublishToolOptions = Pick<tools.PublishToolOptions, "workspace">;
export type tools_ReadToolOptions = Pick<
  tools.ReadToolOptions,
  "store" | "maxLines" | "maxBytes" | "includeLineNumbers" | "lineTruncation" | "maxModelBytes" | "mediaSniffBytes"
>;
void tools.WorkspaceFileStore;
export type tools_WorkspaceFileStore = Pick<
  InstanceType<typeof tools.WorkspaceFileStore>,
  "lockIdentity" | "stat" | "readAll" | "write" | "remove" | "readChunks"
>;
export type tools_WorkspaceLike = Pick<tools.WorkspaceLike, "fs">;
export type tools_WriteToolOptions = Pick<tools.WriteToolOptions, "store" | "maxBytes">;
void tools.createDeleteTool;
void tools.createEditTool;
void tools.createExecTool;
void tools.createFindTool;
void tools.createGrepTool;
void tools.createListTool;
void tools.createPublishTool;
void tools.createReadTool;
void tools.createWriteTool;

// ./tools/core
export type core_ExecBackendOptions = Pick<core.ExecBackendOptions, "description">;
export type core_ExecBackends = core.ExecBackends;
export type core_ExecCallContext = Pick<core.ExecCallContext, "abortSignal">;
export type core_ExecDefinition = Pick<
  core.ExecDefinition,
  "description" | "inputSchema" | "prepareArguments" | "execute"
>;
export type core_ExecInput = Pick<core.ExecInput, "command" | "cwd" | "backend" | "env" | "input">;
export type core_ExecRuntimeHandle = Pick<core.ExecRuntimeHandle, "result" | "kill">;
export type core_ExecStreamEvent = core.ExecStreamEvent;
export type core_ExecToolOptions = Pick<
  core.ExecToolOptions,
  "workspace" | "backends" | "maxBytes" | "maxLines" | "streamMaxBytes" | "now"
>;
export type core_ExecToolOutput = core.ExecToolOutput;
export type core_ExecWorkspaceLike = Pick<core.ExecWorkspaceLike, "runtime">;
void core.defineExec;

// ./tools/pi-ai
export type pi_CreatePiToolsOptions = Pick<
  pi.CreatePiToolsOptions,
  | "workspace"
  | "readonly"
  | "root"
  | "assets"
  | "read"
  | "write"
  | "edit"
  | "exec"
  | "execOutput"
  | "shell"
  | "constrainedSampling"
>;
export type pi_CreatePiToolsResult = Pick<pi.CreatePiToolsResult, "tools" | "execute">;
export type pi_PiAgentTool = Pick<
  pi.PiAgentTool,
  "name" | "description" | "parameters" | "prepareArguments" | "execute"
>;
export type pi_PiAgentToolResult = Pick<pi.PiAgentToolResult, "content" | "details" | "structuredContent" | "isError">;
export type pi_PiDeclarationOptions = Pick<pi.PiDeclarationOptions, "constrainedSampling">;
export type pi_PiJSONSchema = Pick<pi.PiJSONSchema, "type" | "properties" | "required">;
export type pi_PiTool = Pick<pi.PiTool, "name" | "description" | "parameters" | "constrainedSampling">;
export type pi_PiToolCall = Pick<pi.PiToolCall, "id" | "name" | "arguments">;
export type pi_PiToolCallRequest = Pick<pi.PiToolCallRequest, "type" | "id" | "name" | "arguments">;
export type pi_PiToolResult = Pick<pi.PiToolResult, "content" | "isError" | "details">;
export type pi_PiToolResultContent = pi.PiToolResultContent;
export type pi_ToolCallContext = Pick<pi.ToolCallContext, "abortSignal">;
void pi.createPiTools;
void pi.forPiTools;

// ./tools/tanstack-ai
export type tanstack_TanStackToolExecutionContext = Pick<
  tanstack.TanStackToolExecutionContext,
  "toolCallId" | "abortSignal" | "emitCustomEvent"
>;
export type tanstack_TanStackToolFormat = tanstack.TanStackToolFormat;
export type tanstack_TanStackToolList = tanstack.TanStackToolList;
export type tanstack_TanStackToolSet = tanstack.TanStackToolSet;
void tanstack.createTanStackTools;

// ./tools/ai-sdk
export type ai_CreateAIToolsOptions = ai.CreateAIToolsOptions;
void ai.createAITools;
void ai.createDeleteTool;
void ai.createEditTool;
void ai.createExecTool;
void ai.createFindTool;
void ai.createGrepTool;
void ai.createListTool;
void ai.createPublishTool;
void ai.createReadTool;
void ai.createWriteTool;
void ai.forAISDKTools;

// What the tools are made for takes them
declare const workspace: Workspace;
declare const client: LazyWorkspaceClient;
declare const adapter: AnyTextAdapter;
declare const model: LanguageModel;

const set: ToolSet = ai.createAITools({ workspace, readonly: true });
void generateText({ model, prompt: "", tools: set });
void generateText({ model, prompt: "", tools: { ls: tools.createListTool({ workspace: client }) } });
const read: Tool = tools.createReadTool({
  store: new tools.WorkspaceFileStore(client),
});
void read;
void chat({ adapter, messages: [], tools: tanstack.createTanStackTools({ workspace: client, approve: "mutating" }) });
void tanstack.createTanStackTools({ workspace, format: "object", lazy: "all" }).read?.execute({ path: "/workspace" });
void modules.createToolBindings(ai.forAISDKTools(set), { exclude: ["exec"] });
void modules.createToolBindings(pi.forPiTools(pi.createPiTools({ workspace })));
for (const output of [core.defineExec({ workspace }).execute({ command: "ls" })]) void output.next();
void tools.createExecTool({ workspace: client, backends: { shell: {} } });
