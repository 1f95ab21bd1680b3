/** A tool as the AI SDK calls it. */

import type { Tool } from "ai";
import { type AnyToolDefinition, isFailure, type ToolContent, type ToolDefinition } from "../core/definition.ts";

/** What the AI SDK hands to a model. */
type ModelOutput = Awaited<ReturnType<NonNullable<Tool["toModelOutput"]>>>;

const definitions = new WeakMap<object, AnyToolDefinition>();

export function aiTool<Input, Output extends object>(definition: ToolDefinition<Input, Output>): Tool<Input, Output> {
  const tool: Tool = {
    description: definition.description,
    inputSchema: definition.inputSchema,
    execute: (input: Input, { abortSignal }: { abortSignal?: AbortSignal }) =>
      definition.execute(input, abortSignal === undefined ? {} : { abortSignal }),
    toModelOutput: ({ output }: { output: Output }) => modelOutput(definition.describe(output), isFailure(output)),
  };
  definitions.set(tool, definition);
  return tool as Tool<Input, Output>;
}

/** What a tool was made of, where it is one of ours. */
export function definitionOf(tool: object): AnyToolDefinition | undefined {
  return definitions.get(tool);
}

function modelOutput(content: readonly ToolContent[], isError: boolean): ModelOutput {
  const [first, ...more] = content;
  if (first?.type === "text" && more.length === 0) {
    return { type: isError ? "error-text" : "text", value: first.text };
  }
  return {
    type: "content",
    value: content.map((part) =>
      part.type === "text"
        ? { type: "text", text: part.text }
        : { type: "file", mediaType: part.mediaType, data: { type: "data", data: part.data } },
    ),
  };
}
