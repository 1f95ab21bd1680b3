/** Serves a workspace's files over HTTP. */

import { getWorkspace, isFsError } from "@cloudflare/computer";
import type { Env } from "./env.ts";

const TYPES: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  md: "text/markdown; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

/** What comes of a path that no file can have, or of one whose file has just gone. */
const ABSENT: readonly string[] = ["ENOENT", "ENOTDIR", "ENAMETOOLONG", "EILSEQ"];

/** Answers `GET` and `HEAD` of `/files/NAME/PATH`: the file at `PATH` of the workspace `NAME`, as its own bytes. */
export async function serveFile(method: string, name: string, path: string, env: Env): Promise<Response> {
  const parts = path.split("/").map(decoded);
  if (parts.some((part) => ["", ".", ".."].includes(part) || /[/\0]/.test(part))) return missing();
  const full = `/workspace/${parts.join("/")}`;
  using workspace = getWorkspace(env.AGENT.getByName(name));
  try {
    const found = await workspace.fs.lstatOrNull(full);
    if (!found?.isFile) return missing();
    const type = TYPES[full.slice(full.lastIndexOf(".") + 1).toLowerCase()];
    return new Response(method === "HEAD" ? null : await workspace.fs.readFile(full), {
      headers: {
        "content-type": type ?? "application/octet-stream",
        "content-length": String(found.size),
        "content-disposition": type === undefined ? "attachment" : "inline",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
      },
    });
  } catch (error) {
    if (isFsError(error) && ABSENT.includes(error.code)) return missing();
    throw error;
  }
}

function missing(): Response {
  return Response.json({ error: { code: "not_found", message: "there is no such file" } }, { status: 404 });
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
