/** The agent: a Durable Object with a workspace, a shell over it, and an MCP server in front of both. */

import { DurableObject } from "cloudflare:workers";
import { getWorkspace, withWorkspace } from "@cloudflare/computer";
import { createAssetLinks, serveAsset } from "@cloudflare/computer/assets";
import { WorkerShellBackend, type WorkerShellLoader } from "@cloudflare/computer/backends/worker-shell";
import { createMcpHandler } from "@cloudflare/computer/mcp";
import jq from "@cloudflare/computer/shell/jq";

export interface Env {
  readonly AGENT: DurableObjectNamespace<Agent>;
  readonly LOADER: WorkerShellLoader;
  /** What clients must send as their bearer token; without one only this machine is answered. */
  readonly MCP_TOKEN?: string;
}

class Reachable extends DurableObject<Env> {
  /** Where links to shared files begin: the address that the last request came to. */
  linkBase = "/shared";
}

export class Agent extends withWorkspace(Reachable, (self) => ({
  storage: self.ctx.storage,
  backends: [
    new WorkerShellBackend({
      loader: self.env.LOADER,
      workspace: { binding: "AGENT", id: self.ctx.id.toString() },
      commands: [jq],
    }),
  ],
  assets: (ws) => createAssetLinks({ ws, base: () => self.linkBase }),
})) {
  readonly #mcp = createMcpHandler({
    workspace: getWorkspace(this),
    assets: true,
    storage: this.ctx.storage,
    instructions: "A computer with durable files under /workspace. Scripts run in a shell without a network.",
  });

  override async fetch(request: Request): Promise<Response> {
    const { origin, pathname } = new URL(request.url);
    const [, kind, name = ""] = pathname.split("/");
    if (kind === "shared") return serveAsset(this, request);
    this.linkBase = `${origin}/shared/${name}`;
    await getWorkspace(this).fs.mkdir("/workspace", { recursive: true });
    return this.#mcp.fetch(request);
  }
}
