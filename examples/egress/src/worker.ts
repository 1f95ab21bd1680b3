/** The Worker: scripts for three computers, each with another way to the network. */

import type { Env } from "./env.ts";

export { WorkspaceProxy } from "@cloudflare/computer";
export { Agent } from "./agent.ts";
export { Gateway } from "./gateway.ts";

const USAGE = "POST /none/exec, /direct/exec or /gateway/exec with a script → what became of it\n";

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    const [, name] = /^\/(none|direct|gateway)\/exec$/.exec(pathname) ?? [];
    if (name === undefined || request.method !== "POST")
      return new Response(USAGE, { status: pathname === "/" ? 200 : 404 });
    try {
      return Response.json(await env.AGENT.getByName(name).run(await request.text()));
    } catch (error) {
      return Response.json({ error: error instanceof Error ? error.message : String(error) }, { status: 502 });
    }
  },
} satisfies ExportedHandler<Env>;
