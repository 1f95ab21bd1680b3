/** The agent: a Durable Object that keeps a conversation and files, and has three computers over them. */

import { DurableObject } from "cloudflare:workers";
import { getWorkspace, withWorkspace } from "@cloudflare/computer";
import { ContainerBackend, computerdHost, withWorkspaceContainer } from "@cloudflare/computer/backends/container";
import { WorkerJavaScriptBackend } from "@cloudflare/computer/backends/worker-javascript";
import { WorkerShellBackend } from "@cloudflare/computer/backends/worker-shell";
import { createAITools } from "@cloudflare/computer/tools/ai-sdk";
import type { ModelMessage } from "ai";
import { agentTurn, chooseModel, eventStream } from "example-agent-loop";
import { chatPlan } from "./chat-plan.ts";
import { Conversation, type Line } from "./conversation.ts";
import type { Env } from "./env.ts";

const INSTRUCTIONS = `You are an agent with computers of your own, in a conversation with one person in a terminal.
Your files are in /workspace and stay. Three computers work on them; pick one by the argument backend of exec:
worker-shell starts at once and has the usual text tools; worker-javascript runs one ES module and gives what its default export returns;
container-shell is Linux and runs any program, and takes longest to start. Answer in plain text, shortly.`;

export class ChatAgent extends withWorkspace(withWorkspaceContainer(DurableObject<Env>), (agent) => {
  const id = agent.ctx.id.toString();
  const workspace = { binding: "AGENT", id };
  const { LOADER: loader, COMPUTER_HOST_URL: url, COMPUTER_HOST_TOKEN: token } = agent.env;
  return {
    storage: agent.ctx.storage,
    backends: [
      new WorkerShellBackend({ loader, workspace }),
      new WorkerJavaScriptBackend({ loader }),
      // A computer of a host where one is named, the object's own container otherwise.
      new ContainerBackend({ workspace, container: () => (url === "" ? agent : computerdHost({ url, token, id })) }),
    ],
  };
}) {
  readonly #conversation = new Conversation(this.ctx.storage);
  #busy = false;

  /**
   * Answers a message. The events: `model`, those of the turn by their types, and `end`. A turn that fails, or that nobody reads to its
   * end, is not kept; what it has done to the files is.
   */
  send(text: string): ReadableStream<Uint8Array> {
    return eventStream(async (say, signal) => {
      if (this.#busy) throw new Error("this session is answering another message: wait for its end");
      this.#busy = true;
      try {
        using workspace = getWorkspace(this);
        const { model, name, note } = chooseModel(this.env.AI, chatPlan);
        await say("model", { name, note });
        await workspace.fs.mkdir("/workspace", { recursive: true });
        const asked: ModelMessage = { role: "user", content: text };
        const messages = [...(await this.#conversation.messages()), asked];
        const tools = createAITools({ workspace });
        const answered = await agentTurn(
          { model, tools, instructions: INSTRUCTIONS, messages, signal },
          ({ type, ...event }) => say(type, event),
        );
        await this.#conversation.add([asked, ...answered]);
        await say("end", {});
      } finally {
        this.#busy = false;
      }
    });
  }

  /** What was said so far. */
  history(): Promise<Line[]> {
    return this.#conversation.lines();
  }
}
