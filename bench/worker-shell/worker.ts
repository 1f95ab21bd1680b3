/** The Worker of the bench: a Durable Object for each of the two systems, which prepares and runs a script when asked. */

import { DurableObject } from "cloudflare:workers";
import * as ours from "@cloudflare/computer";
import { WorkerShellBackend } from "@cloudflare/computer/backends/worker-shell";
import * as published from "published-computer";
import { WorkerShellBackend as PublishedBackend } from "published-computer/backends/worker-shell";
import type { Answer } from "../beside/bench.ts";
import { type Shelled, scripts } from "./scripts.ts";

/** What the published shell reaches its files through; ours takes them along with each run. */
export { WorkspaceServiceProxy } from "published-computer";

interface Env {
  OURS: DurableObjectNamespace;
  PUBLISHED: DurableObjectNamespace;
  LOADER: WorkerLoader;
}

// The whole point is to use the one as though it were the other.
const systems = {
  OURS: { api: ours, Backend: WorkerShellBackend },
  PUBLISHED: {
    api: published as never as typeof ours,
    Backend: PublishedBackend as never as typeof WorkerShellBackend,
  },
} as const;

type Constructor = new (ctx: DurableObjectState, env: Env) => DurableObject<Env>;

function objectOf(binding: keyof typeof systems): Constructor {
  const { api, Backend } = systems[binding];
  class Bare extends DurableObject<Env> {}
  return class extends api.withWorkspace(Bare, ({ ctx, env }) => ({
    storage: ctx.storage,
    backends: [new Backend({ loader: env.LOADER, workspace: { binding, id: ctx.id.toString() }, ctx })],
  })) {
    override async fetch(request: Request): Promise<Response> {
      if (request.url.includes("/restart/")) this.ctx.abort("so that nothing is remembered");
      return served(api.getWorkspace(this) as Shelled, request);
    }
  };
}

/** Prepares or runs the script that the path names. */
async function served(workspace: Shelled, request: Request): Promise<Response> {
  const [, step, id] = new URL(request.url).pathname.split("/");
  const script = scripts.find((script) => script.id === id);
  if (script === undefined) return new Response(null, { status: 404 });
  if (step === "prepare") {
    await workspace.fs.mkdir("/workspace", { recursive: true });
    await script.prepare(workspace);
    return new Response();
  }
  const handle = await workspace.runtime.exec(script.source, { encoding: "utf8", output: false });
  const { exitCode, stdout, stderr } = await handle.result();
  return Response.json({ exitCode, output: stdout, stderr: stderr.slice(0, 500) } satisfies Answer);
}

export const Ours: Constructor = objectOf("OURS");
export const Published: Constructor = objectOf("PUBLISHED");

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const url = new URL(request.url);
    const namespace = url.searchParams.get("system") === "ours" ? env.OURS : env.PUBLISHED;
    const object = namespace.get(namespace.idFromName(url.searchParams.get("name") ?? ""));
    try {
      return await object.fetch(request);
    } catch (error) {
      if (url.pathname.startsWith("/restart")) return new Response();
      return new Response(String(error), { status: 500 });
    }
  },
};
