/** Tools of the AI SDK, one's own among them, as scripts can call them. */

import type { ToolSet } from "ai";
import { jsonOf, type ToolBinding, type ToolBindingResult } from "../../modules/tools.ts";
import { reasonOf } from "../core/define-tool.ts";
import { contentText } from "../core/run-tool.ts";
import { definitionOf } from "./ai-tool.ts";
import { checkedInput } from "./checked-input.ts";

type AITool = ToolSet[string];

/**
 * Bindings for `createToolBindings`. Tools without `execute`, which a client runs, are left out.
 *
 * @example
 * const tools = createAITools({ workspace });
 * const modules = { "ws:tools": createToolBindings(forAISDKTools(tools), { exclude: ["exec"] }) };
 */
export function forAISDKTools(tools: ToolSet | (() => ToolSet)): () => ToolBinding[] {
  return () => {
    const all = Object.entries(typeof tools === "function" ? tools() : tools);
    return all.flatMap(([name, tool]) => (tool.execute === undefined ? [] : binding(name, tool)));
  };
}

function binding(name: string, tool: AITool): ToolBinding {
  return {
    name,
    readOnly: definitionOf(tool)?.readOnly ?? false,
    call: async (input, { signal, callId }) => {
      const checked = await checkedInput(name, tool.inputSchema, input);
      if ("error" in checked) return { text: checked.error, isError: true };
      try {
        const options = { toolCallId: callId, messages: [], abortSignal: signal, context: {} };
        const output = await lastOf(tool.execute?.(checked.value as never, options));
        return await told(tool, callId, checked.value, output);
      } catch (error) {
        signal.throwIfAborted();
        return { text: reasonOf(error), isError: true };
      }
    },
  };
}

async function lastOf(outputs: unknown): Promise<unknown> {
  const given = await outputs;
  if (typeof given !== "object" || given === null || !(Symbol.asyncIterator in given)) return given;
  let last: unknown;
  for await (const output of given as AsyncIterable<unknown>) last = output;
  return last;
}

async function told(tool: AITool, toolCallId: string, input: unknown, output: unknown): Promise<ToolBindingResult> {
  const data = jsonOf(output);
  const structured = data === undefined ? {} : { structuredContent: data };
  const definition = definitionOf(tool);
  if (definition !== undefined) {
    const isError = typeof output === "object" && output !== null && "error" in output;
    return { text: contentText(definition.describe(output as never)), isError, ...structured };
  }
  if (tool.toModelOutput === undefined) {
    return {
      text: typeof output === "string" ? output : JSON.stringify(output ?? null),
      isError: false,
      ...structured,
    };
  }
  const model = await tool.toModelOutput({ toolCallId, input: input as never, output: output as never });
  switch (model.type) {
    case "text":
      return { text: model.value, isError: false, ...structured };
    case "error-text":
      return { text: model.value, isError: true, ...structured };
    case "json":
    case "error-json":
      return { text: JSON.stringify(model.value), isError: model.type === "error-json", ...structured };
    case "content":
      return {
        text: model.value.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n"),
        isError: false,
        ...structured,
      };
    default:
      return { text: model.reason ?? "The call was not allowed.", isError: true };
  }
}
