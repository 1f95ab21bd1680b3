/** Tools of pi, and those made here for it, as scripts can call them. */

import { jsonOf, type ToolBinding, type ToolBindingResult } from "../../modules/tools.ts";
import { reasonOf } from "../core/define-tool.ts";
import { definitionsOf } from "./create-pi-tools.ts";
import type {
  CreatePiToolsResult,
  ForPiToolsOptions,
  PiAgentTool,
  PiAgentToolResult,
  PiToolResult,
} from "./pi-types.ts";

/**
 * Bindings for `createToolBindings`.
 *
 * @example
 * const modules = { "ws:tools": createToolBindings(forPiTools(createPiTools({ workspace })), { exclude: ["exec"] }) };
 */
export function forPiTools<T extends PiAgentTool>(
  tools: readonly T[] | (() => readonly T[]),
  options?: ForPiToolsOptions<T>,
): () => ToolBinding[];
export function forPiTools(tools: CreatePiToolsResult): () => ToolBinding[];
export function forPiTools<T extends PiAgentTool>(
  tools: readonly T[] | (() => readonly T[]) | CreatePiToolsResult,
  options: ForPiToolsOptions<T> = {},
): () => ToolBinding[] {
  if (isMade(tools)) return () => tools.tools.map(({ name }) => madeBinding(name, tools));
  return () => (typeof tools === "function" ? tools() : tools).map((tool) => agentBinding(tool, options));
}

function isMade(tools: object): tools is CreatePiToolsResult {
  return "tools" in tools && "execute" in tools;
}

function madeBinding(name: string, made: CreatePiToolsResult): ToolBinding {
  return {
    name,
    readOnly: definitionsOf(made).some((tool) => tool.name === name && tool.readOnly),
    call: async (input, { signal, callId }) =>
      bindingResult(await made.execute({ id: callId, name, arguments: input }, { abortSignal: signal })),
  };
}

function agentBinding<T extends PiAgentTool>(tool: T, { validate, readOnly = [] }: ForPiToolsOptions<T>): ToolBinding {
  const { name } = tool;
  return {
    name,
    readOnly: readOnly.includes(name),
    call: async (input, { signal, callId }) => {
      try {
        const prepared = (tool.prepareArguments?.(input) ?? input) as typeof input;
        const params = validate?.(tool, { type: "toolCall", id: callId, name, arguments: prepared }) ?? prepared;
        return bindingResult(await tool.execute(callId, params, signal));
      } catch (error) {
        signal.throwIfAborted();
        return { text: reasonOf(error), isError: true };
      }
    },
  };
}

function bindingResult(result: PiToolResult | PiAgentToolResult): ToolBindingResult {
  const parts = result.content.map((part) => ("text" in part ? part.text : `[${part.type}]`));
  const details = jsonOf(result.details);
  const structuredContent = jsonOf("structuredContent" in result ? result.structuredContent : undefined);
  return {
    text: parts.join("\n"),
    isError: result.isError === true,
    ...(details === undefined ? {} : { details }),
    ...(structuredContent === undefined ? {} : { structuredContent }),
  };
}
