/** One turn of an agent: the model and its tools, until the model has nothing more to call. */

import { isStepCount, type LanguageModel, type ModelMessage, streamText, type ToolSet } from "ai";

/** What happens in a turn, in its order. */
export type AgentEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "call"; readonly id: string; readonly tool: string; readonly input: unknown }
  | {
      readonly type: "result";
      readonly id: string;
      readonly tool: string;
      /** False for an error, and for a command that did not end with 0. */
      readonly ok: boolean;
      readonly output: unknown;
    };

export interface AgentTurn {
  readonly model: LanguageModel;
  readonly tools: ToolSet;
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  readonly signal?: AbortSignal;
  /** Calls of the model at most; default 30. */
  readonly maxSteps?: number;
}

/** Plays the turn, tells what happens, and gives what it adds to the conversation. Throws where the model fails or the signal ends it. */
export async function agentTurn(turn: AgentTurn, tell: (event: AgentEvent) => Promise<void>): Promise<ModelMessage[]> {
  const { model, tools, instructions, messages, signal, maxSteps = 30 } = turn;
  const result = streamText({
    model,
    tools,
    instructions,
    messages: [...messages],
    stopWhen: isStepCount(maxSteps),
    ...(signal && { abortSignal: signal }),
    // They are thrown below.
    onError: () => {},
  });
  for await (const part of result.fullStream) {
    if (part.type === "error") throw part.error;
    if (part.type === "abort") throw signal?.reason ?? new Error("the turn was ended");
    if (part.type === "text-delta") await tell({ type: "text", text: part.text });
    if (part.type === "tool-call") {
      await tell({ type: "call", id: part.toolCallId, tool: part.toolName, input: part.input });
    }
    if (part.type === "tool-result" && part.preliminary !== true) {
      const { toolCallId: id, toolName: tool, output } = part;
      await tell({ type: "result", id, tool, ok: isGood(output), output });
    }
    if (part.type === "tool-error") {
      const { toolCallId: id, toolName: tool, error } = part;
      await tell({ type: "result", id, tool, ok: false, output: { error: String(error) } });
    }
  }
  return await result.responseMessages;
}

function isGood(output: unknown): boolean {
  if (typeof output !== "object" || output === null) return true;
  return !("error" in output) && (!("exitCode" in output) || output.exitCode === 0);
}
