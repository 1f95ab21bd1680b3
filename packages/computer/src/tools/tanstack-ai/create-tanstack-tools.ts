/** All the tools over a workspace, for TanStack AI. */

import { ComputerError } from "@cloudflare/computer-rpc";
import type { z } from "zod";
import type { AnyToolDefinition } from "../core/definition.ts";
import { contentText, runTool } from "../core/run-tool.ts";
import { type CreateToolsOptions, defineTools } from "../core/tool-set.ts";

export type TanStackToolFormat = "object" | "array";

export interface TanStackToolExecutionContext {
  toolCallId?: string | undefined;
  abortSignal?: AbortSignal | undefined;
  emitCustomEvent?: ((eventName: string, value: Record<string, unknown>) => void) | undefined;
}

/** A tool of a server, as `chat` takes them. */
export interface TanStackTool<Input> {
  name: string;
  description: string;
  inputSchema: z.ZodType<Input, unknown>;
  outputSchema?: z.ZodType | undefined;
  /** Gives the tool's output; throws where the tool fails, with what to do. */
  execute: (input: unknown, context?: TanStackToolExecutionContext) => Promise<unknown>;
  needsApproval?: boolean;
  lazy?: boolean;
  readonly "~toolKind"?: never;
}

export type TanStackToolList = TanStackTool<never>[];

export type TanStackToolSet = Record<string, TanStackTool<never>>;

export type TanStackToolsFor<Format extends TanStackToolFormat> = Format extends "object"
  ? TanStackToolSet
  : TanStackToolList;

export interface CreateTanStackToolsOptions<Format extends TanStackToolFormat = "array"> extends CreateToolsOptions {
  /** A list, or the tools by name; a list unless given. */
  format?: Format | undefined;
  /** Names of the tools that need approval, or `"mutating"` for all that can change something. */
  approve?: string[] | "mutating" | undefined;
  /** The custom event that says how far a command is, `workspace:exec` unless given. */
  streamEventName?: string | undefined;
  /** Names of the tools that a model is told of when it asks, or `"all"`. */
  lazy?: string[] | "all" | undefined;
}

const STREAM_EVENT = "workspace:exec";

/**
 * The tools for `chat`.
 *
 * @example
 * const stream = chat({ adapter, messages, tools: createTanStackTools({ workspace, approve: ["delete"] }) });
 */
export function createTanStackTools<Format extends TanStackToolFormat = "array">(
  options: CreateTanStackToolsOptions<Format>,
): TanStackToolsFor<Format> {
  const { format, approve = [], streamEventName = STREAM_EVENT, lazy = [], ...rest } = options;
  const definitions = defineTools(rest);
  for (const name of [approve, lazy].flatMap((names) => (typeof names === "string" ? [] : names))) {
    if (definitions.some((tool) => tool.name === name)) continue;
    const names = definitions.map((tool) => tool.name).join(", ");
    throw new ComputerError("EOPTION", `approve and lazy take names of the tools, and ${name} is none: ${names}.`);
  }
  const tools = definitions.map((definition) => {
    const needsApproval = approve === "mutating" ? !definition.readOnly : approve.includes(definition.name);
    const isLazy = lazy === "all" || lazy.includes(definition.name);
    return {
      ...tanStackTool(definition, streamEventName),
      ...(needsApproval && { needsApproval }),
      ...(isLazy && { lazy: isLazy }),
    };
  });
  const made = format === "object" ? Object.fromEntries(tools.map((tool) => [tool.name, tool])) : tools;
  return made as TanStackToolsFor<Format>;
}

function tanStackTool(definition: AnyToolDefinition, streamEventName: string): TanStackTool<never> {
  return {
    name: definition.name,
    description: definition.description,
    inputSchema: definition.inputSchema as z.ZodType<never, unknown>,
    execute: async (input, { abortSignal, emitCustomEvent, toolCallId } = {}) => {
      const onProgress = (output: object): void =>
        emitCustomEvent?.(streamEventName, { ...output, ...(toolCallId === undefined ? {} : { toolCallId }) });
      const { output, content, isError } = await runTool(definition, input, { abortSignal, onProgress });
      if (isError) throw new Error(contentText(content));
      return output;
    },
  };
}
