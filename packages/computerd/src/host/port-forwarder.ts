/** Passes a request on to a server inside a computer, byte for byte but for what belongs to this hop. */

import { type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { TOKEN_HEADER } from "./bearer.ts";
import { HostError } from "./host-error.ts";

const HOP = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
];

/** Answers with what the server answers, streaming both ways. */
export async function forwardRequest(
  upstream: Duplex,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  path: string,
): Promise<void> {
  const headers = passedOn(incoming.rawHeaders, [...HOP, TOKEN_HEADER]);
  const call = request({
    createConnection: () => upstream,
    method: incoming.method ?? "GET",
    path,
    headers: [...headers, "connection", "close"],
    setHost: false,
  });
  // Whoever goes first takes the other along: a caller that hangs up must not leave the server talking.
  outgoing.once("close", () => upstream.destroy());
  const answered = new Promise<void>((resolve, reject) => {
    call.once("error", (cause) => reject(new HostError("EPORT", "the server in the computer hung up", { cause })));
    call.once("response", (response) => {
      const answer = passedOn(response.rawHeaders, HOP);
      outgoing.writeHead(response.statusCode ?? 502, response.statusMessage, answer);
      // Sends the head at once: the first bytes of a stream may be long in coming.
      outgoing.flushHeaders();
      pipeline(response, outgoing).then(resolve, () => {
        outgoing.destroy();
        resolve();
      });
    });
  });
  // A server may answer before it has read everything, so the request's end is not waited for.
  pipeline(incoming, call).catch(() => {});
  await answered;
}

/** Joins an upgrade's two ends: the server sees the request as it was sent, and from then on the bytes are theirs. */
export async function forwardUpgrade(
  upstream: Duplex,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  path: string,
): Promise<void> {
  const headers = passedOn(incoming.rawHeaders, [TOKEN_HEADER]);
  const lines = [`${incoming.method} ${path} HTTP/1.1`];
  for (let index = 0; index < headers.length; index += 2) lines.push(`${headers[index]}: ${headers[index + 1]}`);
  upstream.write(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  upstream.write(head);
  await Promise.allSettled([pipeline(upstream, socket), pipeline(socket, upstream)]);
}

function passedOn(rawHeaders: readonly string[], without: readonly string[]): string[] {
  const headers: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (!without.includes(name.toLowerCase())) headers.push(name, rawHeaders[index + 1]!);
  }
  return headers;
}
