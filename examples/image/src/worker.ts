/** The Worker: `POST /image` makes an image of a prompt, `GET /images/…` serves it. */

import { z } from "zod";
import type { Env } from "./env.ts";

export { Studio } from "./studio.ts";

const EXAMPLE = '{"prompt": "a red boat at sunset"}';
const MAX_BODY_BYTES = 65_536;

const USAGE = `POST /image ${EXAMPLE} → a link to the image
GET  /images/NAME/… → an image of the workspace NAME, by its link
`;

const body = z.strictObject({ prompt: z.string().trim().min(1).max(2000) });
const workspaceName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, {
  error: "a workspace's name is up to 63 lower-case letters, digits and dashes",
});

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    const [, name] = pathname.match(/^\/images\/([a-z0-9][a-z0-9-]{0,62})\/[\w.-]+$/) ?? [];
    const allowed = pathname === "/image" ? ["POST"] : pathname === "/" || name !== undefined ? ["GET", "HEAD"] : [];
    if (allowed.length === 0) return failure(404, "not_found", `there is no ${pathname}. ${USAGE}`);
    if (!allowed.includes(request.method)) {
      const message = `${pathname} takes ${allowed.join(" and ")}, not ${request.method}`;
      return failure(405, "method_not_allowed", message, { allow: allowed.join(", ") });
    }
    if (pathname === "/image") return make(request, env);
    return name === undefined ? new Response(USAGE) : env.STUDIO.getByName(name).fetch(request);
  },
} satisfies ExportedHandler<Env>;

async function make(request: Request, env: Env): Promise<Response> {
  const url = new URL(request.url);
  const name = workspaceName.safeParse(url.searchParams.get("workspace") ?? "demo");
  const text = await limitedText(request);
  if (text === undefined) return failure(413, "bad_request", "the body is over 64 KiB");
  const json = parsed(text);
  if (json === undefined) return failure(400, "bad_request", `the body must be JSON, such as ${EXAMPLE}`);
  const asked = body.safeParse(json);
  if (!name.success || !asked.success) {
    const issues = [...(name.error?.issues ?? []), ...(asked.error?.issues ?? [])];
    const words = issues.map(({ path, message }) => [...path, message].join(": ")).join("; ");
    return failure(400, "bad_request", `${words}. Send JSON such as ${EXAMPLE}.`);
  }
  let made: Awaited<ReturnType<ReturnType<typeof env.STUDIO.getByName>["makeImage"]>>;
  try {
    made = await env.STUDIO.getByName(name.data).makeImage(asked.data.prompt);
  } catch (error) {
    return failure(502, "image_failed", error instanceof Error ? error.message : String(error));
  }
  return Response.json({
    image: new URL(made.link, url).href,
    bytes: made.bytes,
    ...made.by,
  });
}

/** The body as text; undefined once it is over the limit, and then not read to its end. */
async function limitedText(request: Request): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    size += part.length;
    if (size > MAX_BODY_BYTES) return undefined;
    parts.push(part);
  }
  return new Blob(parts).text();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failure(status: number, code: string, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: { code, message } }, { status, headers });
}
