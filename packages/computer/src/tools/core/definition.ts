/** What a tool is, whoever calls it: what it takes, what it does, and how its result is told to a model. */

import type { z } from "zod";

/** What a call may bring along. */
export interface ToolContext {
  /** Ends the call where it can be ended: `exec` kills its command. */
  readonly abortSignal?: AbortSignal | undefined;
}

/** One part of what a model is told. */
export type ToolContent =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "media";
      /** Base64. */
      readonly data: string;
      readonly mediaType: string;
    };

/** A result that is none: what went wrong, and what to do. Every tool's output has one. */
export interface ToolFailure {
  readonly error: string;
}

/**
 * One tool. `execute` gives what went wrong as an output with an `error`, and throws only where the caller is at fault. A tool whose
 * work can be followed gives outputs as it goes; the last one counts.
 */
export interface ToolDefinition<Input, Output extends object> {
  readonly name: string;
  readonly description: string;
  /** It changes nothing. */
  readonly readOnly: boolean;
  /** Takes a model's near misses too, and gives an object for anything that is none. */
  readonly inputSchema: z.ZodType<Input, unknown>;
  /** A model's near miss as the object it was meant to be: stringified JSON, a bare string, another name for a field. */
  prepareArguments(args: unknown): unknown;
  execute(input: Input, context?: ToolContext): Promise<Output> | AsyncGenerator<Output>;
  /** What a model is told of an output. */
  describe(output: Output): readonly ToolContent[];
}

/** A tool of any input, as lists of tools have them. */
export type AnyToolDefinition = ToolDefinition<unknown, object>;

/** Whether an output says that the tool failed. */
export function isFailure(output: object): output is ToolFailure {
  return "error" in output && typeof output.error === "string";
}

/** An output as text alone. */
export function text(content: string): readonly ToolContent[] {
  return [{ type: "text", text: content }];
}
