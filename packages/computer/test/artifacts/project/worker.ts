/** Passes what a test asks on to the workspace of an object, from another isolate. */

import { DurableObject } from "cloudflare:workers";
import { getWorkspace, type WithWorkspaceCtor, withWorkspace } from "@cloudflare/computer";
import { WorkerJavaScriptBackend } from "@cloudflare/computer/backends/worker-javascript";
import { WorkerShellBackend } from "@cloudflare/computer/backends/worker-shell";
import { createArtifactsModule } from "@cloudflare/computer/modules/artifacts";

export { WorkspaceServiceProxy } from "@cloudflare/computer";

interface Env {
  readonly AGENT: DurableObjectNamespace<Agent>;
  readonly ARTIFACTS: Artifacts;
  readonly LOADER: WorkerLoader;
}

/** What a test asks; `all` is the workspace that sees the whole namespace, `none` one without artifacts. */
interface Asked {
  readonly agent: string;
  readonly call?: string;
  readonly args?: unknown[];
  readonly run?: string;
  readonly backend?: string;
}

class Bare extends DurableObject<Env> {}

const Base: WithWorkspaceCtor<typeof Bare> = withWorkspace(Bare, ({ ctx, env }) => ({
  storage: ctx.storage,
  backends: [
    new WorkerShellBackend({ loader: env.LOADER, workspace: { binding: "AGENT", id: ctx.id.toString() } }),
    new WorkerJavaScriptBackend({ loader: env.LOADER, modules: { "ws:artifacts": createArtifactsModule() } }),
  ],
  ...(ctx.id.name === "none"
    ? {}
    : { artifacts: { binding: env.ARTIFACTS, sessionId: ctx.id.name === "all" ? null : (ctx.id.name ?? null) } }),
}));

export class Agent extends Base {}

const handler: ExportedHandler<Env> = {
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const { agent, call, args = [], run, backend } = await request.json<Asked>();
    const id = env.AGENT.idFromName(agent);
    using workspace = getWorkspace(env.AGENT.get(id));
    try {
      if (call === "proxy") {
        const exports = ctx.exports as Cloudflare.Exports & { WorkspaceServiceProxy(options: object): unknown };
        const proxy = exports.WorkspaceServiceProxy({ props: { binding: "AGENT", id: id.toString(), name: agent } });
        const target = await (
          proxy as { getArtifacts(): Promise<{ cli(input: unknown): Promise<object> }> }
        ).getArtifacts();
        return Response.json({ value: await target.cli({ argv: args }) });
      }
      if (run !== undefined) {
        using handle = await workspace.runtime.exec(run, { backend, encoding: "utf8" });
        return Response.json({ value: await handle.result() });
      }
      const method = Reflect.get(workspace.artifacts, call ?? "") as (...args: unknown[]) => Promise<unknown>;
      return Response.json({ value: (await method(...args)) ?? null });
    } catch (error) {
      const { name, message, code } = error as Error & { code?: string };
      return Response.json({ error: { name, message, code } });
    }
  },
};

export default handler;
