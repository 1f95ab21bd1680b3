/** The agent: a Durable Object with a workspace, a Linux computer that builds in it, git, and a registry of repositories. */

import { DurableObject } from "cloudflare:workers";
import { getWorkspace, withWorkspace } from "@cloudflare/computer";
import { ContainerBackend, computerdHost, withWorkspaceContainer } from "@cloudflare/computer/backends/container";
import { createGitClient } from "@cloudflare/computer/git";
import { createAITools } from "@cloudflare/computer/tools/ai-sdk";
import { agentTurn, chooseModel, eventStream } from "example-agent-loop";
import type { Env } from "./env.ts";
import { PROJECT, projectPlan } from "./project-plan.ts";
import { type Published, publishRepository } from "./publish-repository.ts";

const INSTRUCTIONS = `You write small Cloudflare Workers and publish them as git repositories.
You have a Linux computer over the files in /workspace, with esbuild, tsc and node, and without a network: nothing can be installed.
Write the project to ${PROJECT}: package.json, wrangler.jsonc, tsconfig.json, .gitignore, README.md, src/worker.ts and whatever it imports.
Use no packages. In tsconfig.json set "lib": ["ESNext", "WebWorker"], "noEmit" and "strict"; write imports with their extension .ts.
Run tests with node --test, type-check with tsc -p ., bundle with esbuild src/worker.ts --bundle --format=esm --outfile=dist/worker.js.
Mend what fails and run it again. Once all pass, call publish_repository, and tell the address it gives.`;

export class Publisher extends withWorkspace(withWorkspaceContainer(DurableObject<Env>), (publisher) => ({
  storage: publisher.ctx.storage,
  backends: [
    new ContainerBackend({
      workspace: { binding: "PUBLISHER", id: publisher.ctx.id.toString() },
      // A computer of a host where one is named, the object's own container otherwise.
      container: () => {
        const { COMPUTER_HOST_URL: url, COMPUTER_HOST_TOKEN: token } = publisher.env;
        return url === "" ? publisher : computerdHost({ url, token, id: publisher.ctx.id.toString() });
      },
    }),
  ],
  git: createGitClient(),
  artifacts: { binding: publisher.env.ARTIFACTS, sessionId: publisher.ctx.id.name ?? publisher.ctx.id.toString() },
})) {
  #busy = false;

  /**
   * Has a model write, build and publish what the prompt asks for. The events: `model`, those of the turn by their types, and `repository`
   * with the address to clone. Fails where one is being written already, or where the turn ends without a repository.
   */
  write(prompt: string): ReadableStream<Uint8Array> {
    return eventStream(async (say, signal) => {
      if (this.#busy)
        throw new Error("this workspace is at work on another project: wait for it, or name another workspace");
      this.#busy = true;
      try {
        using workspace = getWorkspace(this);
        const { model, name, note } = chooseModel(this.env.AI, projectPlan);
        await say("model", { name, note });
        await workspace.fs.mkdir(PROJECT, { recursive: true });
        let published: Published | undefined;
        const publish = publishRepository(workspace, (repository) => {
          published = repository;
        });
        await agentTurn(
          {
            model,
            tools: { ...createAITools({ workspace }), publish_repository: publish },
            instructions: INSTRUCTIONS,
            messages: [{ role: "user", content: prompt }],
            signal,
            maxSteps: 60,
          },
          ({ type, ...event }) => say(type, event),
        );
        if (published === undefined) throw new Error("the agent has ended without publishing a repository");
        await say("repository", published);
      } finally {
        this.#busy = false;
      }
    });
  }
}
