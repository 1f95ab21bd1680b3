/** The Worker: `/mcp/NAME` is the MCP server of the computer NAME, `/shared/NAME/…` are links to its files. */

import type { Env } from "./agent.ts";
import { mayCall } from "./may-call.ts";

export { WorkspaceServiceProxy } from "@cloudflare/computer";
export { Agent } from "./agent.ts";

const USAGE = "/mcp/NAME is an MCP server over streamable HTTP: a computer of its own for each NAME.\n";

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const [, kind, name, ...rest] = new URL(request.url).pathname.split("/");
    if (name === undefined || name === "" || name.length > 64)
      return new Response(USAGE, { status: kind === "" ? 200 : 404 });
    const agent = env.AGENT.getByName(name);
    // A link is its own permission.
    if (kind === "shared" && rest.length === 1) return agent.fetch(request);
    if (kind !== "mcp" || rest.length > 0) return new Response(USAGE, { status: 404 });
    if (await mayCall(request, env.MCP_TOKEN)) return agent.fetch(request);
    return new Response("Send the token as Authorization: Bearer TOKEN.\n", {
      status: 401,
      headers: { "WWW-Authenticate": "Bearer" },
    });
  },
} satisfies ExportedHandler<Env>;
