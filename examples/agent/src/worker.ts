/** The Worker: `POST /chat/NAME` says something to the agent NAME, `GET /chat/NAME` tells what was said. */

import { EVENT_STREAM_HEADERS } from "example-agent-loop";
import { z } from "zod";
import type { Env } from "./env.ts";

export { WorkspaceServiceProxy } from "@cloudflare/computer";
export { ChatAgent } from "./chat-agent.ts";

const USAGE = `POST /chat/NAME {"text": "hello"} → what the agent NAME does and says, as events
GET  /chat/NAME → what was said so far
`;

const MAX_BODY_BYTES = 262_144;
const body = z.strictObject({ text: z.string().trim().min(1).max(100_000) });

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/") return new Response(USAGE);
    const [, name] = /^\/chat\/([a-z0-9][a-z0-9-]{0,62})$/.exec(pathname) ?? [];
    if (name === undefined) return failure(404, "not_found", `there is no ${pathname}. ${USAGE}`);
    const agent = env.AGENT.getByName(name);
    if (request.method === "GET") return Response.json(await agent.history());
    if (request.method !== "POST") return failure(405, "method_not_allowed", USAGE, { allow: "GET, POST" });
    if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) {
      return failure(413, "bad_request", "the body is over 256 KiB");
    }
    const asked = body.safeParse(await request.json().catch(() => undefined));
    if (!asked.success) return failure(400, "bad_request", `the body must be JSON such as {"text": "hello"}. ${USAGE}`);
    return new Response(await agent.send(asked.data.text), { headers: EVENT_STREAM_HEADERS });
  },
} satisfies ExportedHandler<Env>;

function failure(status: number, code: string, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: { code, message } }, { status, headers });
}
