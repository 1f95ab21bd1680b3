/** What someone new writes: an agent with two computers, the tools, and a model that happens to be a script. */

import { DurableObject } from "cloudflare:workers";
import { getWorkspace, withWorkspace } from "@cloudflare/computer";
import { WorkerJavaScriptBackend } from "@cloudflare/computer/backends/worker-javascript";
import { WorkerShellBackend, type WorkerShellLoader } from "@cloudflare/computer/backends/worker-shell";
import { createAITools } from "@cloudflare/computer/tools/ai-sdk";
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";

interface Env {
  readonly AGENT: DurableObjectNamespace<Agent>;
  readonly LOADER: WorkerLoader & WorkerShellLoader;
}

const SUM = `import { readFile } from "node:fs/promises";
export default async () => (await readFile("/workspace/numbers.txt", "utf8")).trim().split("\\n").reduce((sum, n) => sum + Number(n), 0);`;

const CALLS: [tool: string, input: object][] = [
  ["write", { path: "numbers.txt", content: "7\n5\n30\n" }],
  ["exec", { command: "sort -n numbers.txt | head -n 1", cwd: "/workspace", backend: "worker-shell" }],
  ["exec", { command: SUM, backend: "worker-javascript" }],
];

function scriptedModel(): MockLanguageModelV4 {
  let turn = 0;
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const call = CALLS[turn++];
      return {
        content:
          call === undefined
            ? [{ type: "text", text: "done" }]
            : [{ type: "tool-call", toolCallId: `${turn}`, toolName: call[0], input: JSON.stringify(call[1]) }],
        finishReason: { unified: call === undefined ? "stop" : "tool-calls", raw: undefined },
        usage: {
          inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 0, text: 0, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
}

export class Agent extends withWorkspace(DurableObject<Env>, ({ ctx, env }) => ({
  storage: ctx.storage,
  backends: [new WorkerShellBackend({ loader: env.LOADER }), new WorkerJavaScriptBackend({ loader: env.LOADER })],
})) {
  async work(prompt: string): Promise<string> {
    using workspace = getWorkspace(this);
    const { steps, text } = await generateText({
      model: scriptedModel(),
      prompt,
      tools: createAITools({ workspace }),
      stopWhen: isStepCount(10),
    });
    const outputs = steps.flatMap(({ toolResults }) =>
      toolResults.map(({ toolName, output }) => ({ toolName, output })),
    );
    return JSON.stringify({ text, outputs });
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    return new Response(await env.AGENT.getByName("alice").work(await request.text()));
  },
} satisfies ExportedHandler<Env>;
