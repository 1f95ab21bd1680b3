/** A model that understands nothing: it plays a plan, through the same loop and the same tools as any other. */

import type {
  LanguageModelV4,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";

export type ScriptedCall = readonly [tool: string, input: Readonly<Record<string, unknown>>];

/** What the model answers with: words, calls of tools, or both. One without calls ends the plan. */
export interface ScriptedTurn {
  readonly say?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Whether the plan goes on where a call of it fails. */
  readonly mayFail?: boolean;
}

/** What came of a call of the turn before, as a model is told it. */
export interface ToolAnswer {
  readonly tool: string;
  readonly text: string;
  readonly failed: boolean;
}

/** A turn, or how it follows from what the turn before has brought. */
export type PlannedTurn = ScriptedTurn | ((answers: readonly ToolAnswer[]) => ScriptedTurn);

/** The turns that answer what a user has asked. */
export type Plan = (asked: string) => readonly PlannedTurn[];

const USAGE: LanguageModelV4Usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/**
 * The model that plays `plan` for each message of the user's. Where it stands it reads from the conversation, so it may be made anew at
 * any time. Where a call fails it says so and stops.
 */
export function scriptedModel(plan: Plan): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "example",
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: async ({ prompt }) => ({ ...answer(plan, prompt), usage: USAGE, warnings: [] }),
    doStream: async ({ prompt }) => ({ stream: streamOf(parts(answer(plan, prompt))) }),
  };
}

interface Answer {
  readonly content: LanguageModelV4Content[];
  readonly finishReason: LanguageModelV4FinishReason;
}

function answer(plan: Plan, prompt: LanguageModelV4Prompt): Answer {
  const asked = prompt.findLastIndex(({ role }) => role === "user");
  const since = prompt.slice(asked + 1);
  const at = since.filter(({ role }) => role === "assistant").length;
  const turns = plan(textOf(prompt[asked]));
  const answers = toolAnswers(since.at(-1));
  const failed = answers.find((answer) => answer.failed);
  const before = turns[at - 1];
  if (failed !== undefined && !(typeof before === "object" && before.mayFail === true)) {
    return content(at, { say: `I stop here, since ${failed.tool} failed:\n${failed.text}` });
  }
  const turn = turns[at] ?? {};
  return content(at, typeof turn === "function" ? turn(answers) : turn);
}

function content(at: number, { say, calls = [] }: ScriptedTurn): Answer {
  const text: LanguageModelV4Content[] = say === undefined ? [] : [{ type: "text", text: say }];
  const made = calls.map(
    ([toolName, input], index): LanguageModelV4Content => ({
      type: "tool-call",
      toolCallId: `call-${at}-${index}-${crypto.randomUUID()}`,
      toolName,
      input: JSON.stringify(input),
    }),
  );
  return {
    content: [...text, ...made],
    finishReason: { unified: made.length > 0 ? "tool-calls" : "stop", raw: undefined },
  };
}

function* parts({ content, finishReason }: Answer): Generator<LanguageModelV4StreamPart> {
  yield { type: "stream-start", warnings: [] };
  for (const part of content) {
    if (part.type === "tool-call") yield part;
    if (part.type !== "text") continue;
    yield { type: "text-start", id: "text" };
    // A word at a time, as models do.
    for (const delta of part.text.match(/\s*\S+\s*$|\s*\S+/g) ?? []) yield { type: "text-delta", id: "text", delta };
    yield { type: "text-end", id: "text" };
  }
  yield { type: "finish", finishReason, usage: USAGE };
}

function streamOf<T>(items: Iterable<T>): ReadableStream<T> {
  return new ReadableStream<T>({
    start(controller) {
      for (const item of items) controller.enqueue(item);
      controller.close();
    },
  });
}

function textOf(message: LanguageModelV4Prompt[number] | undefined): string {
  if (message?.role !== "user") return "";
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function toolAnswers(message: LanguageModelV4Prompt[number] | undefined): ToolAnswer[] {
  if (message?.role !== "tool") return [];
  return message.content.flatMap((part) => {
    if (part.type !== "tool-result") return [];
    const { output } = part;
    const value = "value" in output ? output.value : "";
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const failed = output.type.startsWith("error") || /^\[Exit code [1-9]/.test(text);
    return [{ tool: part.toolName, text, failed }];
  });
}
