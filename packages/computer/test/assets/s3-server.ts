/** An S3 service over an R2 bucket, as far as presigned links go: it checks them from what came over the wire. */

import { createHash, createHmac } from "node:crypto";

/** What the service answers to a link at a time in milliseconds since 1970; the path begins with the bucket's name. */
export async function answerOf(link: string, bucket: R2Bucket, secret: string, now: number): Promise<Response> {
  const query = new URL(link).searchParams;
  const from = Date.parse((query.get("X-Amz-Date") ?? "").replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
  if (!(now >= from && now < from + Number(query.get("X-Amz-Expires")) * 1000)) {
    return new Response("expired", { status: 403 });
  }
  if (signatureAsServed(link, secret) !== signatureOf(link)) return new Response("forged", { status: 403 });
  const [, , ...key] = wireOf(link).path.split("/").map(decodeURIComponent);
  const object = await bucket.get(key.join("/"));
  if (object === null) return new Response("no such key", { status: 404 });
  const headers = new Headers({ "content-length": String(object.size) });
  object.writeHttpMetadata(headers);
  return new Response(object.body, { headers });
}

export function signatureOf(link: string): string | null {
  return new URL(link).searchParams.get("X-Amz-Signature");
}

/** The signature of what came over the wire, put together as the service does: decoded, encoded anew, sorted. */
export function signatureAsServed(link: string, secret: string): string {
  const { host, path, query } = wireOf(link);
  const pairs = query
    .split("&")
    .map((pair) => pair.split("=").map((part) => encoded(decodeURIComponent(part))) as [string, string])
    .filter(([name]) => name !== "X-Amz-Signature")
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const value = (name: string): string => decodeURIComponent(pairs.find(([key]) => key === name)?.[1] ?? "");
  const canonical = [
    "GET",
    decodeURIComponent(path).split("/").map(encoded).join("/"),
    pairs.map((pair) => pair.join("=")).join("&"),
    `host:${host}`,
    "",
    "host",
    "UNSIGNED-PAYLOAD",
  ].join("\n");
  const [, ...scope] = value("X-Amz-Credential").split("/");
  const digest = createHash("sha256").update(canonical).digest("hex");
  const toSign = ["AWS4-HMAC-SHA256", value("X-Amz-Date"), scope.join("/"), digest].join("\n");
  let key: string | Buffer = `AWS4${secret}`;
  for (const part of scope) key = createHmac("sha256", key).update(part).digest();
  return createHmac("sha256", key).update(toSign).digest("hex");
}

/** A link as it goes over the wire, nothing of it decoded. */
function wireOf(link: string): { host: string; path: string; query: string } {
  const [, host = "", path = "", query = ""] = /^https?:\/\/([^/]+)([^?]*)\?(.*)$/.exec(link) ?? [];
  return { host, path, query };
}

function encoded(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => String.fromCharCode(byte))
    .map((char) => (/[\w.~-]/.test(char) ? char : `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`))
    .join("");
}
