import { generateText, stepCountIs, streamText } from "ai";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import { expect, test } from "vitest";
import { createAITools } from "../../src/tools/ai-sdk/index.ts";
import { equipped } from "./equipped.ts";
import { ORDERS, STEPS } from "./task.ts";

type Prompt = Parameters<MockLanguageModelV4["doGenerate"]>[0]["prompt"];
type Generated = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** The tool results that a model was sent last, as it was sent them. */
function answers(prompt: Prompt): { name: string; type: string; text: string }[] {
  const message = prompt.at(-1);
  if (message?.role !== "tool") return [];
  return message.content.flatMap((part) => {
    if (part.type !== "tool-result") return [];
    const text = "value" in part.output ? part.output.value : "";
    return [
      { name: part.toolName, type: part.output.type, text: typeof text === "string" ? text : JSON.stringify(text) },
    ];
  });
}

function calls(...inputs: readonly (readonly [tool: string, input: string])[]): Generated {
  return {
    content: inputs.map(([toolName, input], index) => ({
      type: "tool-call",
      toolCallId: `call-${index}`,
      toolName,
      input,
    })),
    finishReason: { unified: "tool-calls", raw: undefined },
    usage,
    warnings: [],
  };
}

function says(text: string): Generated {
  return { content: [{ type: "text", text }], finishReason: { unified: "stop", raw: undefined }, usage, warnings: [] };
}

test("an agent finishes a task with every tool", async () => {
  await equipped(async ({ workspace, whole, published }) => {
    await whole.fs.writeFile("/workspace/orders.csv", ORDERS);
    let done = 0;
    let link = "";
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt }) => {
        for (const { name, type, text } of answers(prompt)) {
          const step = STEPS[done++];
          expect([name, type]).toEqual([step?.tool, "text"]);
          expect(text).toMatch(step!.expects);
          if (name === "publish") link = step!.expects.exec(text)?.[1] ?? "";
        }
        const next = STEPS[done];
        return next === undefined ? says(`The report is at ${link}`) : calls([next.tool, JSON.stringify(next.input)]);
      },
    });
    const tools = createAITools({ workspace });
    const { text, steps } = await generateText({ model, tools, prompt: "Sum the orders.", stopWhen: stepCountIs(20) });
    expect(steps).toHaveLength(STEPS.length + 1);
    expect(new Set(STEPS.map(({ tool }) => tool))).toEqual(new Set(Object.keys(tools)));
    expect(text).toBe(`The report is at ${link}`);
    expect(published.get(link)).toBe("total: 7\n");
    expect(link).toContain("for=3600000");
    expect(await whole.fs.exists("/workspace/sum.sh")).toBe(false);
  });
});

test("T-08 history holds objects only, whatever a model sent, and says what to send instead", async () => {
  await equipped(async ({ workspace }) => {
    const told: { type: string; text: string }[] = [];
    const sent: Prompt[] = [];
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt }) => {
        sent.push(prompt);
        told.push(...answers(prompt));
        if (sent.length > 1) return says("done");
        return calls(
          ["exec", '"echo one"'],
          ["exec", '"{\\"command\\":\\"echo two\\"}"'],
          ["exec", '"{\\"command\\": \\"echo"'],
          ["exec", '{"command": "echo'],
          ["write", '"text"'],
          ["read", "{}"],
        );
      },
    });
    await generateText({ model, tools: createAITools({ workspace }), prompt: "go", stopWhen: stepCountIs(3) });
    expect(told.map(({ type }) => type)).toEqual(["text", "text", ...Array(4).fill("error-text")]);
    expect(told.slice(0, 2).map(({ text }) => text)).toEqual(["one\n", "two\n"]);
    expect(told[2]?.text).toMatch(/^exec takes a JSON object such as \{"command":"ls -l"\}/);
    expect(told[4]?.text).toMatch(/^write takes a JSON object such as/);
    expect(told[5]?.text).toContain("Send for example");
    const inputs = sent[1]?.flatMap((message) =>
      message.role === "assistant"
        ? message.content.flatMap((part) => (part.type === "tool-call" ? [part.input] : []))
        : [],
    );
    expect(inputs).toHaveLength(6);
    expect(inputs?.filter((input) => typeof input !== "object")).toEqual([]);
  });
});

test("a model sees an image as an image, and a command while it runs", async () => {
  await equipped(async ({ workspace, whole }) => {
    const png = Uint8Array.from("\x89PNG\r\n\x1a\n\0", (character) => character.charCodeAt(0));
    await whole.fs.writeFile("/workspace/picture", png);
    const seen: Prompt[] = [];
    const model = new MockLanguageModelV4({
      doStream: async ({ prompt }) => {
        seen.push(prompt);
        const { content, finishReason } =
          seen.length === 1
            ? calls(
                ["read", '{"path":"picture"}'],
                ["exec", '{"command":"for i in 1 2 3; do echo $i; sleep 0.4; done"}'],
              )
            : says("done");
        const parts = content.flatMap((part) => (part.type === "tool-call" ? [part] : []));
        return {
          stream: simulateReadableStream({
            chunks: [{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", finishReason, usage }],
          }),
        };
      },
    });
    const { fullStream } = streamText({
      model,
      tools: createAITools({ workspace }),
      prompt: "go",
      stopWhen: stepCountIs(3),
    });
    const live: { exitCode: number | null; stdout: string }[] = [];
    for await (const part of fullStream) {
      if (part.type === "error") throw part.error;
      if (part.type === "tool-result" && part.toolName === "exec") live.push(part.output as (typeof live)[number]);
    }
    expect(live.length).toBeGreaterThan(1);
    expect(live[0]).toMatchObject({ exitCode: null });
    expect(live[0]?.stdout).not.toContain("3");
    expect(live.at(-1)).toMatchObject({ exitCode: 0, stdout: "1\n2\n3\n" });
    const message = seen[1]?.at(-1);
    const results = message?.role === "tool" ? message.content : [];
    expect(results.flatMap((part) => (part.type === "tool-result" ? [part.output] : []))).toMatchObject([
      {
        type: "content",
        value: [
          { type: "text", text: "/workspace/picture: image/png, 9 bytes" },
          { type: "file", mediaType: "image/png", data: { type: "data", data: btoa("\x89PNG\r\n\x1a\n\0") } },
        ],
      },
      { type: "text", value: "1\n2\n3\n" },
    ]);
  });
});
