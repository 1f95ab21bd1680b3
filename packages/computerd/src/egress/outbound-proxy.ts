/** The only way out of a sandbox under `http-gateway`: an HTTP proxy that asks the workspace's gateway for everything. */

import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OutboundRPC, ServedSession } from "@cloudflare/computer-rpc";

/** Where commands find the proxy, on the loopback device of their sandbox. */
export const PROXY_PORT = 3128;

/** One message of the session carries a request. */
const LARGEST_BODY = 16 << 20;
const HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
const NO_TUNNEL = "computerd: no HTTPS goes through here: ask for http://, and let the gateway go on by HTTPS\n";

export interface OutboundProxy {
  /** The Unix socket that it listens at. */
  readonly path: string;
  /** Asks this session's workspace from now on, until it ends or a newer one comes. */
  attach(session: ServedSession): void;
  close(): Promise<void>;
}

/** What tells programs of the proxy. */
export const PROXY_ENVIRONMENT: Readonly<Record<string, string>> = Object.fromEntries(
  ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"]
    .map((name) => [name, `http://127.0.0.1:${PROXY_PORT}`])
    .concat(["no_proxy", "NO_PROXY"].map((name) => [name, "localhost,127.0.0.1,::1"])),
);

export async function startOutboundProxy(): Promise<OutboundProxy> {
  const sessions = new Set<ServedSession>();
  const folder = await mkdtemp(join(tmpdir(), "computerd-out-"));
  const path = join(folder, "proxy");
  const server = createServer((request, response) => {
    answer([...sessions].at(-1)?.outbound, request, response).catch((error: Error) => {
      if (response.headersSent) response.destroy();
      else refuse(response, 502, `the gateway did not answer: ${error.message}`);
    });
  });
  server.on("connect", (_request, socket) => {
    socket.on("error", () => {});
    socket.end(
      `HTTP/1.1 403 Forbidden\r\ncontent-length: ${NO_TUNNEL.length}\r\nconnection: close\r\n\r\n${NO_TUNNEL}`,
    );
  });
  server.listen(path);
  await once(server, "listening");
  return {
    path,
    attach: (session) => {
      sessions.add(session);
      void session.closed.then(() => sessions.delete(session));
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answer(way: OutboundRPC | undefined, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "GET", url = "" } = request;
  if (!/^http:\/\//i.test(url)) return refuse(response, 400, "this is a proxy: ask it for http://HOST/PATH");
  if (way === undefined) return refuse(response, 502, "no workspace is connected whose gateway could be asked");
  const body = await bodyOf(request);
  if (body === undefined) return refuse(response, 413, `a request has at most ${LARGEST_BODY} bytes`);
  const { more, ...told } = await way.outbound({ method, url, headers: passedOn(request.rawHeaders), body });
  const headers = told.headers.filter(([name]) => !HOP.has(name.toLowerCase()));
  response.writeHead(told.status, told.statusText, headers.flat());
  response.write(told.body);
  if (more !== undefined) await copyRest(way, more, response);
  response.end();
}

async function copyRest(way: OutboundRPC, id: string, response: ServerResponse): Promise<void> {
  for (;;) {
    if (response.destroyed) return way.outboundEnd(id);
    const { body, done } = await way.outboundMore(id);
    if (done) return;
    if (!response.write(body)) await Promise.race([once(response, "drain"), once(response, "close")]);
  }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > LARGEST_BODY) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function passedOn(raw: readonly string[]): [string, string][] {
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (!HOP.has(raw[at]!.toLowerCase())) headers.push([raw[at]!, raw[at + 1]!]);
  }
  return headers;
}

function refuse(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { connection: "close" }).end(`computerd: ${words}\n`);
}
