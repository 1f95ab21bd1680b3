/** The tools for pi-ai. */

export { createPiTools } from "./create-pi-tools.ts";
export { forPiTools } from "./for-pi-tools.ts";
export type {
  CreatePiToolsOptions,
  CreatePiToolsResult,
  ForPiToolsOptions,
  PiAgentTool,
  PiAgentToolResult,
  PiDeclarationOptions,
  PiJSONSchema,
  PiTool,
  PiToolCall,
  PiToolCallRequest,
  PiToolResult,
  PiToolResultContent,
  ToolCallContext,
} from "./pi-types.ts";
