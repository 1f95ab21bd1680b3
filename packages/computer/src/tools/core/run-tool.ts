/** Runs a tool on what a model sent, and gives its result in one piece, whatever happened. */

import { reasonOf } from "./define-tool.ts";
import { type AnyToolDefinition, isFailure, type ToolContent, type ToolContext, text } from "./definition.ts";

/** A tool's result, for those who call it. */
export interface ToolResult {
  /** The tool's own output; undefined where it could not be called. */
  readonly output: object | undefined;
  /** What a model is told. */
  readonly content: readonly ToolContent[];
  readonly isError: boolean;
}

export interface RunToolContext extends ToolContext {
  /** Told each output of a tool whose work can be followed, the last one too. */
  readonly onProgress?: ((output: object) => void) | undefined;
}

/** Throws only where the call was aborted. */
export async function runTool(
  tool: AnyToolDefinition,
  args: unknown,
  context: RunToolContext = {},
): Promise<ToolResult> {
  const parsed = tool.inputSchema.safeParse(args);
  if (!parsed.success) return failed(parsed.error.issues.map(({ message }) => message).join(" "));
  try {
    const output = await lastOutput(tool.execute(parsed.data, context), context.onProgress);
    return { output, content: tool.describe(output as never), isError: isFailure(output) };
  } catch (error) {
    context.abortSignal?.throwIfAborted();
    return failed(reasonOf(error));
  }
}

async function lastOutput(
  outputs: Promise<object> | AsyncGenerator<object>,
  onProgress: ((output: object) => void) | undefined,
): Promise<object> {
  if (outputs instanceof Promise) return outputs;
  let last: object | undefined;
  for await (const output of outputs) {
    onProgress?.(output);
    last = output;
  }
  if (last === undefined) throw new Error("The tool gave nothing.");
  return last;
}

function failed(message: string): ToolResult {
  return { output: undefined, content: text(message), isError: true };
}

/** What a model is told as text; of an image or a PDF only that there is one. */
export function contentText(content: readonly ToolContent[]): string {
  return content.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n");
}
