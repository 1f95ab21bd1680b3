/** Who may use the host. */

import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Carries the host's token where `Authorization` belongs to the server behind it; accepted on every route. */
export const TOKEN_HEADER = "computer-host-token";

/** Whether a request carries the host's token; `authorization` says if its Authorization header is the host's to look at. */
export function isAuthorized(
  headers: IncomingHttpHeaders,
  token: string,
  { authorization }: { readonly authorization: boolean },
): boolean {
  const own = headers[TOKEN_HEADER];
  const bearer = authorization ? /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] : undefined;
  return [typeof own === "string" ? own : undefined, bearer].some(
    (given) => given !== undefined && equal(given, token),
  );
}

// Digests have one length, so that the comparison takes as long for every guess.
function equal(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
