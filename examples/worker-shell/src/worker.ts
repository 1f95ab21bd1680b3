/** The Worker: `PUT` and `GET /files/…` for files, `POST /exec` for scripts. */

import { getWorkspace } from "@cloudflare/computer";
import type { Env } from "./agent.ts";
import { eventStream } from "./event-stream.ts";

export { WorkspaceServiceProxy } from "@cloudflare/computer";
export { Agent } from "./agent.ts";

const USAGE = `PUT  /files/PATH  the body becomes the file
GET  /files/PATH  the file
POST /exec        the body is a script; its output comes as Server-Sent Events
`;
const ROOT = "/workspace";

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    const path = /^\/files\/(.+)$/.exec(decodeURIComponent(pathname))?.[1];
    using workspace = getWorkspace(env.AGENT.getByName("demo"));
    try {
      if (request.method === "PUT" && path !== undefined) {
        const file = `${ROOT}/${path}`;
        await workspace.fs.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
        await workspace.fs.writeFile(file, new Uint8Array(await request.arrayBuffer()));
        return new Response(null, { status: 204 });
      }
      if (request.method === "GET" && path !== undefined) {
        const bytes = await new Response(await workspace.fs.readFile(`${ROOT}/${path}`)).arrayBuffer();
        return new Response(bytes, { headers: { "Content-Type": "application/octet-stream" } });
      }
      if (request.method === "POST" && pathname === "/exec") return eventStream(env, await request.text());
      return new Response(USAGE, { status: pathname === "/" ? 200 : 404 });
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "EUNKNOWN";
      const message = error instanceof Error ? error.message : String(error);
      return Response.json({ error: { code, message } }, { status: code === "ENOENT" ? 404 : 400 });
    }
  },
} satisfies ExportedHandler<Env>;
