/** The shapes that pi-ai and its agent loop have for tools; the library itself is not needed. */

import type { WorkspaceRuntimeValue } from "../../runtime/event.ts";
import type { CreateToolsOptions } from "../core/tool-set.ts";

/** The JSON Schema of a tool's input. */
export interface PiJSONSchema {
  type: "object";
  properties?: Record<string, unknown> | undefined;
  required?: string[] | undefined;
}

/** A tool as it is declared to a model. */
export interface PiTool {
  name: string;
  description: string;
  parameters: PiJSONSchema;
  /** Whether the model is held to the schema while it writes. */
  constrainedSampling?: { type: "json_schema"; strict: "prefer" | "require" } | undefined;
}

export interface PiDeclarationOptions {
  /** Not unless given. */
  constrainedSampling?: false | "prefer" | "require" | undefined;
}

export interface CreatePiToolsOptions extends CreateToolsOptions, PiDeclarationOptions {}

/** A call as a model's message has it. */
export interface PiToolCall {
  id: string;
  name: string;
  arguments?: unknown;
}

export interface ToolCallContext {
  abortSignal?: AbortSignal | undefined;
}

export type PiToolResultContent =
  | { type: "text"; text: string }
  | {
      type: "image";
      /** Base64. */
      data: string;
      mimeType: string;
    };

/** What goes into the message that answers a call. */
export interface PiToolResult {
  content: PiToolResultContent[];
  isError: boolean;
  details?: unknown;
}

export interface CreatePiToolsResult {
  tools: PiTool[];
  /** Never throws but where the call was aborted: a tool that is not there is a result too. */
  execute: (call: PiToolCall, context?: ToolCallContext) => Promise<PiToolResult>;
}

/** A tool of pi's agent loop. */
export interface PiAgentTool {
  name: string;
  description: string;
  parameters: object;
  prepareArguments?: ((args: unknown) => unknown) | undefined;
  execute(toolCallId: string, params: unknown, signal?: AbortSignal): Promise<PiAgentToolResult>;
}

export interface PiAgentToolResult {
  content: readonly (PiToolResultContent | { type: string })[];
  details?: unknown;
  structuredContent?: unknown;
  isError?: boolean | undefined;
}

/** A call as pi's validation takes it. */
export interface PiToolCallRequest {
  type: "toolCall";
  id: string;
  name: string;
  arguments: Record<string, WorkspaceRuntimeValue>;
}

export interface ForPiToolsOptions<T extends PiAgentTool = PiAgentTool> {
  /** Checks a call and gives the arguments to use, e.g. pi's `validateToolArguments`; throws where they are wrong. */
  validate?: ((tool: T, call: PiToolCallRequest) => unknown) | undefined;
  /** Names of the tools that change nothing. */
  readOnly?: readonly string[] | undefined;
}
