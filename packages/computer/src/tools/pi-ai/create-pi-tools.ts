/** All the tools over a workspace, for pi-ai. */

import { z } from "zod";
import type { AnyToolDefinition, ToolContent } from "../core/definition.ts";
import { runTool } from "../core/run-tool.ts";
import { defineTools } from "../core/tool-set.ts";
import type {
  CreatePiToolsOptions,
  CreatePiToolsResult,
  PiJSONSchema,
  PiTool,
  PiToolResult,
  PiToolResultContent,
} from "./pi-types.ts";

const definitions = new WeakMap<object, readonly AnyToolDefinition[]>();

/**
 * The tools' declarations, and what answers their calls.
 *
 * @example
 * const { tools, execute } = createPiTools({ workspace });
 * const message = await complete(model, { messages, tools });
 * for (const call of message.content) if (call.type === "toolCall") results.push(await execute(call));
 */
export function createPiTools(options: CreatePiToolsOptions): CreatePiToolsResult {
  const { constrainedSampling = false, ...rest } = options;
  const tools = defineTools(rest);
  const result: CreatePiToolsResult = {
    tools: tools.map((tool) => declaration(tool, constrainedSampling)),
    execute: async (call, { abortSignal } = {}) => {
      const tool = tools.find(({ name }) => name === call.name);
      if (tool === undefined) return unknownTool(call.name, tools);
      const { output, content, isError } = await runTool(tool, call.arguments, { abortSignal });
      return { content: content.map(piContent), isError, ...(output === undefined ? {} : { details: output }) };
    },
  };
  definitions.set(result, tools);
  return result;
}

/** What the tools were made of. */
export function definitionsOf(result: CreatePiToolsResult): readonly AnyToolDefinition[] {
  return definitions.get(result) ?? [];
}

function declaration(tool: AnyToolDefinition, strict: false | "prefer" | "require"): PiTool {
  const { type, properties, required } = z.toJSONSchema(tool.inputSchema, { io: "input" }) as PiJSONSchema;
  return {
    name: tool.name,
    description: tool.description,
    parameters: { type, ...(properties && { properties }), ...(required && { required }) },
    ...(strict === false ? {} : { constrainedSampling: { type: "json_schema", strict } }),
  };
}

function piContent(part: ToolContent): PiToolResultContent {
  if (part.type === "text") return part;
  const { data, mediaType } = part;
  if (mediaType.startsWith("image/")) return { type: "image", data, mimeType: mediaType };
  return {
    type: "text",
    text: `[${mediaType} cannot be shown here. Take its text out with a command, e.g. pdftotext.]`,
  };
}

function unknownTool(name: string, tools: readonly AnyToolDefinition[]): PiToolResult {
  const names = tools.map((tool) => tool.name).join(", ");
  return { content: [{ type: "text", text: `There is no tool ${name}. There are: ${names}.` }], isError: true };
}
