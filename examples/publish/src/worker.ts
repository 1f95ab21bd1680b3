/** The Worker: `POST /project` has an agent write a Worker, build it and publish it. */

import { EVENT_STREAM_HEADERS } from "example-agent-loop";
import { z } from "zod";
import type { Env } from "./env.ts";

export { Publisher } from "./publisher.ts";

const USAGE = `POST /project {"prompt": "a Worker for Roman numerals"} → what an agent does to write and publish it, as events
`;
const MAX_BODY_BYTES = 65_536;

const body = z.strictObject({ prompt: z.string().trim().min(1).max(2000) });
const workspaceName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, {
  error: "a workspace's name is up to 31 lower-case letters, digits and dashes",
});

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const url = new URL(request.url);
    if (url.pathname === "/") return new Response(USAGE);
    if (url.pathname !== "/project") return failure(404, "not_found", `there is no ${url.pathname}. ${USAGE}`);
    if (request.method !== "POST") return failure(405, "method_not_allowed", "/project takes POST", { allow: "POST" });
    if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) {
      return failure(413, "bad_request", "the body is over 64 KiB");
    }
    const name = workspaceName.safeParse(url.searchParams.get("workspace") ?? "demo");
    const asked = body.safeParse(await request.json().catch(() => undefined));
    if (!name.success || !asked.success) {
      const issues = [...(name.error?.issues ?? []), ...(asked.error?.issues ?? [])];
      return failure(400, "bad_request", `${issues.map(({ message }) => message).join("; ")}. ${USAGE}`);
    }
    const events = await env.PUBLISHER.getByName(name.data).write(asked.data.prompt);
    return new Response(events, { headers: EVENT_STREAM_HEADERS });
  },
} satisfies ExportedHandler<Env>;

function failure(status: number, code: string, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: { code, message } }, { status, headers });
}
