/** HTTP in front of the agents: a module to run, a run to look at, a file to write or read. */

import { isComputerError, isFsError } from "@cloudflare/computer";
import type { Agent } from "./agent.ts";

export { Agent } from "./agent.ts";

interface Env {
  AGENT: DurableObjectNamespace<Agent>;
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const url = new URL(request.url);
    const agent = env.AGENT.getByName(url.searchParams.get("agent") ?? "demo");
    const [, part, ...rest] = url.pathname.split("/");
    const name = decodeURIComponent(rest.join("/"));
    try {
      if (part === "run" && request.method === "POST") return json(await agent.run(await request.text()));
      if (part === "runs" && request.method === "GET") return json(await agent.look(name));
      if (part === "files" && request.method === "PUT")
        return Response.json(await agent.write(name, await request.text()));
      if (part === "files" && request.method === "GET") return new Response(await agent.read(name));
    } catch (error) {
      if (
        !isFsError(error) &&
        !isComputerError(error) &&
        !(error instanceof Error && /^E[A-Z_]+: /.test(error.message))
      )
        throw error;
      return Response.json({ error: error.message }, { status: 400 });
    }
    return new Response("POST /run, GET /runs/<id>, PUT or GET /files/<name>\n", { status: 404 });
  },
} satisfies ExportedHandler<Env>;

function json(text: string): Response {
  return new Response(text, { headers: { "Content-Type": "application/json" } });
}
