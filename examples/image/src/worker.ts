/** The Worker: `POST /image` makes an image of a prompt, `GET /images/…` serves it. */

import { getWorkspace } from "@cloudflare/computer";
import { z } from "zod";
import type { Env } from "./env.ts";
import { FOLDER } from "./studio.ts";

export { Studio } from "./studio.ts";

const USAGE = `POST /image {"prompt": "a red boat at sunset"} → a link to the image
GET  /images/NAME/FILE → an image of the workspace NAME
`;

const TYPES: Readonly<Record<string, string>> = { png: "image/png", jpg: "image/jpeg" };

const body = z.strictObject({ prompt: z.string().trim().min(1).max(2000) });
const workspaceName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, {
  error: "a workspace's name is up to 63 lower-case letters, digits and dashes",
});

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const url = new URL(request.url);
    const [, name, file] = url.pathname.match(/^\/images\/([a-z0-9-]+)\/([a-z0-9-]+\.(?:png|jpg))$/) ?? [];
    if (request.method === "POST" && url.pathname === "/image") return make(request, env);
    if (request.method === "GET" && name !== undefined && file !== undefined) return serve(name, file, env);
    if (request.method === "GET" && url.pathname === "/") return new Response(USAGE);
    return failure(404, "not_found", `there is no ${request.method} ${url.pathname}. ${USAGE}`);
  },
} satisfies ExportedHandler<Env>;

async function make(request: Request, env: Env): Promise<Response> {
  const url = new URL(request.url);
  const name = workspaceName.safeParse(url.searchParams.get("workspace") ?? "demo");
  const asked = body.safeParse(await request.json().catch(() => undefined));
  if (!name.success || !asked.success) {
    const issues = [...(name.error?.issues ?? []), ...(asked.error?.issues ?? [])];
    const words = issues.map(({ path, message }) => [...path, message].join(": ")).join("; ");
    return failure(400, "bad_request", `${words}. Send JSON such as {"prompt": "a red boat at sunset"}.`);
  }
  let made: Awaited<ReturnType<ReturnType<typeof env.STUDIO.getByName>["makeImage"]>>;
  try {
    made = await env.STUDIO.getByName(name.data).makeImage(asked.data.prompt);
  } catch (error) {
    return failure(502, "image_failed", error instanceof Error ? error.message : String(error));
  }
  return Response.json({
    image: new URL(`/images/${name.data}/${made.file}`, url).href,
    bytes: made.bytes,
    ...made.by,
  });
}

async function serve(name: string, file: string, env: Env): Promise<Response> {
  using workspace = getWorkspace(env.STUDIO.getByName(name));
  const path = `${FOLDER}/${file}`;
  const found = await workspace.fs.lstatOrNull(path);
  if (!found?.isFile) return failure(404, "not_found", "there is no such image");
  return new Response(await workspace.fs.readFile(path), {
    headers: {
      "content-type": TYPES[file.slice(file.lastIndexOf(".") + 1)]!,
      "content-length": String(found.size),
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}

function failure(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } }, { status });
}
