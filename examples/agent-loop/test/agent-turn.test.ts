/** The scripted model in the AI SDK's own loop, with tools that work and tools that fail. */

import { tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { type AgentEvent, agentTurn, type Plan, scriptedModel } from "../src/index.ts";

const tools = {
  add: tool({
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    execute: async ({ a, b }) => a + b,
  }),
  exec: tool({
    inputSchema: z.object({ command: z.string() }),
    execute: async ({ command }) => ({ exitCode: command === "false" ? 1 : 0 }),
    toModelOutput: ({ output }) => ({ type: "text", value: output.exitCode === 0 ? "fine" : "[Exit code 1]\nbroken" }),
  }),
};

async function play(plan: Plan, asked = "go") {
  const events: AgentEvent[] = [];
  const messages = await agentTurn(
    { model: scriptedModel(plan), tools, instructions: "Work.", messages: [{ role: "user", content: asked }] },
    async (event) => {
      events.push(event);
    },
  );
  const said = events.map((event) => (event.type === "text" ? event.text : "")).join("");
  const results = events.flatMap((event) => (event.type === "result" ? [[event.tool, event.ok, event.output]] : []));
  return { messages, said, results };
}

test("a plan is played to its end, and a turn may follow from the answers before it", async () => {
  const { said, results, messages } = await play((asked) => [
    { say: `You said ${asked}. `, calls: [["add", { a: 1, b: 2 }]] },
    ([sum]) => ({ calls: [["add", { a: Number(sum!.text), b: 10 }]] }),
    ([sum]) => ({ say: `It is ${sum!.text}.` }),
  ]);
  expect(said).toBe("You said go. It is 13.");
  expect(results).toEqual([
    ["add", true, 3],
    ["add", true, 13],
  ]);
  expect(messages.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant", "tool", "assistant"]);
});

test("where a call fails the model says so and stops, unless the plan reckoned with it", async () => {
  const failing = { calls: [["exec", { command: "false" }]] } as const;
  const stopped = await play(() => [failing, { calls: [["add", { a: 1, b: 1 }]] }]);
  expect(stopped.said).toBe("I stop here, since exec failed:\n[Exit code 1]\nbroken");
  expect(stopped.results).toEqual([["exec", false, { exitCode: 1 }]]);
  const foreseen = await play(() => [{ ...failing, mayFail: true }, { say: "as foreseen" }]);
  expect(foreseen.said).toBe("as foreseen");
});

test("a conversation goes on where it stood, whoever plays the model", async () => {
  const plan: Plan = (asked) => [{ calls: [["add", { a: asked.length, b: 0 }]] }, ([sum]) => ({ say: sum!.text })];
  const first = await play(plan, "four");
  const events: AgentEvent[] = [];
  await agentTurn(
    {
      model: scriptedModel(plan),
      tools,
      instructions: "",
      messages: [{ role: "user", content: "four" }, ...first.messages, { role: "user", content: "seventh" }],
    },
    async (event) => void events.push(event),
  );
  expect(events.map((event) => (event.type === "text" ? event.text : "")).join("")).toBe("7");
});

test("a turn ends with its signal", async () => {
  const stop = new AbortController();
  const endless = agentTurn(
    {
      model: scriptedModel(() => Array(100).fill({ calls: [["add", { a: 1, b: 1 }]] })),
      tools,
      instructions: "",
      messages: [{ role: "user", content: "go" }],
      signal: stop.signal,
      maxSteps: 100,
    },
    async () => stop.abort(new Error("enough")),
  );
  await expect(endless).rejects.toThrow("enough");
});
