/** Makes a tool of what it takes and what it does; its failures become outputs, so that a model reads them and goes on. */

import type { ToolContent, ToolContext, ToolDefinition, ToolFailure } from "./definition.ts";
import { type InputOptions, toolInput } from "./tool-input.ts";

export interface ToolParts<Input, Output extends object> extends InputOptions<Input> {
  readonly description: string;
  readonly readOnly: boolean;
  /** May throw what the filesystem throws. */
  run(input: Input, context: ToolContext): Promise<Output>;
  describe(output: Output | ToolFailure): readonly ToolContent[];
}

export function defineTool<Input, Output extends object>(
  parts: ToolParts<Input, Output>,
): ToolDefinition<Input, Output | ToolFailure> {
  const { inputSchema, prepareArguments, refusal } = toolInput<Input>(parts);
  return {
    name: parts.tool,
    description: parts.description,
    readOnly: parts.readOnly,
    inputSchema,
    prepareArguments,
    describe: parts.describe,
    execute: async (input, context = {}) => {
      const refused = refusal(input);
      if (refused !== undefined) return { error: refused };
      context.abortSignal?.throwIfAborted();
      try {
        return await parts.run(input, context);
      } catch (error) {
        return { error: reasonOf(error) };
      }
    },
  };
}

/** What to tell of an error. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
