/** The object's answer to a signed link. */

import { WORKSPACE, type WorkspaceLocalHost } from "../workspace/workspace-host.ts";
import { copyOf, type LinkedWorkspace, removeExpired } from "./asset-links.ts";
import { byteRange } from "./byte-range.ts";
import { type LinkRecord, LinkRecords } from "./link-records.ts";
import { readToken } from "./link-token.ts";
import { safeHeaders } from "./safe-headers.ts";

export interface ServeAssetOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  now?: (() => number) | undefined;
}

/**
 * Answers a request for a link of `createAssetLinks`, whatever comes before its last part: `GET` and `HEAD`, ranges, validators. 403 for
 * one that was not signed here, 410 for one that has expired, 404 for one whose file was removed. Call it in the object that shared the
 * file.
 *
 * @example
 * override fetch(request: Request) {
 *   return serveAsset(this, request);
 * }
 */
export async function serveAsset(
  source: WorkspaceLocalHost | LinkedWorkspace,
  request: Request,
  { now = Date.now }: ServeAssetOptions = {},
): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return refusal(405, "A shared file can only be read.", { allow: "GET, HEAD" });
  }
  const ws = WORKSPACE in source ? source[WORKSPACE] : source;
  const records = new LinkRecords(ws.db);
  const { pathname } = new URL(request.url);
  const key = records.key();
  const token = key && readToken(pathname.slice(pathname.lastIndexOf("/") + 1), key);
  if (token === undefined) return refusal(403, "This link is not one of a shared file.");
  if (now() >= token.expires * 1000) {
    await removeExpired(ws, records, now());
    return refusal(410, "This link has expired.");
  }
  const record = records.find(token.id);
  const stat = record === undefined ? null : await ws.fs.lstatOrNull(copyOf(record.id));
  if (record === undefined || stat?.isFile !== true) return refusal(404, "The shared file is no longer there.");
  return answer(ws, request, record, stat.size);
}

async function answer(ws: LinkedWorkspace, request: Request, record: LinkRecord, size: number): Promise<Response> {
  const etag = `"${record.id}"`;
  const headers: Record<string, string> = { ...safeHeaders(record.contentType, record.disposition), etag };
  const known = request.headers.get("if-none-match")?.split(",") ?? [];
  if (known.some((tag) => [etag, `W/${etag}`, "*"].includes(tag.trim()))) {
    return new Response(null, { status: 304, headers });
  }
  if (request.method === "HEAD") {
    return new Response(null, { headers: { ...headers, "content-length": String(size) } });
  }
  const condition = request.headers.get("if-range");
  const asked = condition === null || condition === etag ? request.headers.get("range") : null;
  const range = byteRange(asked, size);
  if (range === "unsatisfiable") {
    return refusal(416, "The shared file does not have these bytes.", { "content-range": `bytes */${size}` });
  }
  const { start, end } = range ?? { start: 0, end: size };
  const file = await ws.fs.readFile(copyOf(record.id), { byteOffset: start, byteLength: end - start });
  return new Response(file.pipeThrough(new FixedLengthStream(end - start)), {
    status: range === undefined ? 200 : 206,
    headers: range === undefined ? headers : { ...headers, "content-range": `bytes ${start}-${end - 1}/${size}` },
  });
}

function refusal(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", ...headers },
  });
}
