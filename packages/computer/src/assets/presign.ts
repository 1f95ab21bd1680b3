/** Links that an S3 service answers without credentials of the caller's: AWS Signature Version 4 in the query. */

import { createHash, createHmac } from "node:crypto";
import { encodePath, encodeSegment } from "./rfc3986.ts";

export interface PresignInput {
  /** The origin of the service, and a path to begin with where it has one. */
  readonly endpoint: string;
  /** Absolute and not encoded: bucket and key. */
  readonly path: string;
  /** Signed along, names and values not encoded. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  readonly service: string;
  /** Whole seconds that the link works. */
  readonly expires: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The SHA-256 of the body in hexadecimal. S3 wants the default. */
  readonly payload?: string | undefined;
}

const ALGORITHM = "AWS4-HMAC-SHA256";
const UNSIGNED = "UNSIGNED-PAYLOAD";

/** A `GET` of the path that works for `expires` seconds from `now`; the link has what was signed, byte for byte. */
export function presign(input: PresignInput): string {
  const { region, service, payload = UNSIGNED } = input;
  const endpoint = new URL(input.endpoint);
  const path = `${endpoint.pathname.replace(/\/$/, "")}${encodePath(input.path)}`;
  const time = new Date(input.now).toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
  const scope = [time.slice(0, 8), region, service, "aws4_request"];
  const query = sortedQuery({
    ...input.query,
    "X-Amz-Algorithm": ALGORITHM,
    "X-Amz-Credential": [input.accessKeyId, ...scope].join("/"),
    "X-Amz-Date": time,
    "X-Amz-Expires": String(input.expires),
    "X-Amz-SignedHeaders": "host",
  });
  const request = ["GET", path, query, `host:${endpoint.host}`, "", "host", payload].join("\n");
  const toSign = [ALGORITHM, time, scope.join("/"), sha256(request)].join("\n");
  const key = scope.reduce<string | Uint8Array>(hmac, `AWS4${input.secretAccessKey}`);
  const signature = createHmac("sha256", key).update(toSign).digest("hex");
  return `${endpoint.origin}${path}?${query}&X-Amz-Signature=${signature}`;
}

/** In the order of the bytes of the encoded names. */
function sortedQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => [encodeSegment(name), encodeSegment(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map((pair) => pair.join("="))
    .join("&");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: string | Uint8Array, text: string): Uint8Array {
  return createHmac("sha256", key).update(text).digest();
}
