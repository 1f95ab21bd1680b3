/** The Worker: `POST /card` has an agent make a PDF of a prompt, `POST /pdf` makes one of Markdown, `GET /files/…` serves it. */

import { EVENT_STREAM_HEADERS } from "example-agent-loop";
import { BadRequest, MAX_BODY_BYTES, parseCard, parsePrompt } from "./card.ts";
import type { Env } from "./env.ts";
import { serveFile } from "./files.ts";

export { Agent } from "./agent.ts";

const USAGE = `POST /card {"prompt": "a card about filter coffee"} → what an agent does to make a PDF of it, as events
POST /pdf {"title": "…", "markdown": "…"} or {"topic": "coffee"} → a link to the PDF
GET  /files/NAME/PATH → a file of the workspace NAME
`;

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    const [, name, path] = pathname.match(/^\/files\/([^/]+)\/(.+)$/) ?? [];
    const makes = pathname === "/pdf" || pathname === "/card";
    const allowed = makes ? ["POST"] : pathname === "/" || name !== undefined ? ["GET", "HEAD"] : [];
    if (allowed.length === 0) return failure(404, "not_found", `there is no ${pathname}. ${USAGE}`);
    if (!allowed.includes(request.method)) return wrongMethod(request.method, pathname, allowed);
    try {
      if (pathname === "/pdf") return await makePdf(request, env);
      if (pathname === "/card") return await writeCard(request, env);
      if (name === undefined || path === undefined) return new Response(USAGE);
      return await serveFile(request.method, workspaceName(name), path, env);
    } catch (error) {
      if (error instanceof BadRequest) return failure(error.status, error.code, error.message);
      throw error;
    }
  },
} satisfies ExportedHandler<Env>;

async function makePdf(request: Request, env: Env): Promise<Response> {
  const url = new URL(request.url);
  const name = asked(url);
  const card = parseCard(await limitedText(request));
  let outcome: Awaited<ReturnType<ReturnType<typeof env.AGENT.getByName>["makePdf"]>>;
  try {
    outcome = await env.AGENT.getByName(name).makePdf(card);
  } catch (error) {
    return failure(502, "computer_failed", error instanceof Error ? error.message : String(error));
  }
  const { failure: why, exitCode, stderr, pdfBytes, sync, ms } = outcome;
  if (why !== null) return failure(422, "pandoc_failed", why, { exitCode, stderr, sync, ms });
  const link = (path: string): string => new URL(`/files/${name}/${path}`, url).href;
  return Response.json({
    pdf: link("card.pdf"),
    markdown: link("card.md"),
    bytes: pdfBytes,
    warnings: stderr,
    sync,
    ms,
  });
}

async function writeCard(request: Request, env: Env): Promise<Response> {
  const name = asked(new URL(request.url));
  const prompt = parsePrompt(await limitedText(request));
  const events = await env.AGENT.getByName(name).writeCard(prompt);
  return new Response(events, { headers: EVENT_STREAM_HEADERS });
}

/** The name of the workspace that is meant. */
function asked(url: URL): string {
  return workspaceName(url.searchParams.get("workspace") ?? "demo");
}

function failure(status: number, code: string, message: string, more: object = {}): Response {
  return Response.json({ error: { code, message, ...more } }, { status });
}

function wrongMethod(method: string, pathname: string, allowed: readonly string[]): Response {
  const answer = failure(405, "method_not_allowed", `${pathname} takes ${allowed.join(" and ")}, not ${method}`);
  answer.headers.set("allow", allowed.join(", "));
  return answer;
}

function workspaceName(name: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,62}$/.test(name)) return name;
  throw new BadRequest("a workspace's name is up to 63 lower-case letters, digits and dashes");
}

/** The body as text, refused once it is over the limit rather than read to its end. */
async function limitedText(request: Request): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    size += part.length;
    if (size > MAX_BODY_BYTES) throw new BadRequest("the body is over 24 MiB", 413);
    parts.push(part);
  }
  return new Blob(parts).text();
}
