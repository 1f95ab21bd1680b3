/** The Worker: scripts for the agents' computers, and the files they leave. */

import { getWorkspace, isFsError } from "@cloudflare/computer";
import type { Env } from "./agent.ts";

export { Agent, Sandbox } from "./agent.ts";

const USAGE = `POST /NAME/exec        a script for the computer of the agent NAME → what became of it
GET  /NAME/files/PATH  a file under its /workspace
PUT  /NAME/files/PATH  writes one
`;

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    const [, name, what, path] = /^\/([a-z0-9-]{1,63})\/(exec|files)(?:\/(.+))?$/.exec(pathname) ?? [];
    if (name === undefined) return new Response(USAGE, { status: pathname === "/" ? 200 : 404 });
    const agent = env.AGENT.getByName(name);
    if (what === "exec" && path === undefined && request.method === "POST") {
      try {
        return Response.json(await agent.run(await request.text()));
      } catch (error) {
        return Response.json({ error: error instanceof Error ? error.message : String(error) }, { status: 502 });
      }
    }
    if (what !== "files" || path === undefined) return new Response(USAGE, { status: 404 });
    using workspace = getWorkspace(agent);
    const file = `/workspace/${decodeURIComponent(path)}`;
    try {
      if (request.method === "GET") return new Response(await workspace.fs.readFile(file));
      if (request.method !== "PUT") return new Response(USAGE, { status: 405 });
      await workspace.fs.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
      await workspace.fs.writeFile(file, request.body ?? "");
      return new Response(null, { status: 204 });
    } catch (error) {
      if (!isFsError(error)) throw error;
      return Response.json({ error: error.message }, { status: error.code === "ENOENT" ? 404 : 400 });
    }
  },
} satisfies ExportedHandler<Env>;
