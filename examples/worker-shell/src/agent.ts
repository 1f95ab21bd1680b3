/** The agent: a Durable Object with a workspace, and a shell that works on it. */

import { DurableObject } from "cloudflare:workers";
import { withWorkspace } from "@cloudflare/computer";
import { WorkerShellBackend, type WorkerShellLoader } from "@cloudflare/computer/backends/worker-shell";
import jq from "@cloudflare/computer/shell/jq";

export interface Env {
  readonly AGENT: DurableObjectNamespace<Agent>;
  readonly LOADER: WorkerShellLoader;
}

export class Agent extends withWorkspace(DurableObject<Env>, ({ ctx, env }) => ({
  storage: ctx.storage,
  backends: [
    new WorkerShellBackend({
      loader: env.LOADER,
      workspace: { binding: "AGENT", id: ctx.id.toString() },
      commands: [jq],
    }),
  ],
})) {}
