/** The daemon's HTTP: its health for everyone, its API over a WebSocket for who has the secret. */

import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import { chooseProtocol, type DaemonRPC, type ServedSession, serveDaemon } from "@cloudflare/computer-rpc";
import { WebSocketServer } from "ws";
import type { Listen } from "./config.ts";

/** A frame on the socket may have this many bytes. Messages are bounded well below it by who sends them. */
const LARGEST_FRAME = 64 << 20;

export interface ServerOptions {
  readonly listen: Listen;
  readonly secret: string | undefined;
  readonly daemon: DaemonRPC;
  /** Told of each session when it begins. */
  readonly onSession?: (session: ServedSession) => void;
  /** What `GET /health` tells. */
  readonly health: () => Readonly<Record<string, string | number>>;
}

export interface DaemonServer {
  /** A URL, or the path of a Unix socket. */
  readonly address: string;
  /** Ends all sessions and stops listening. */
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, string | number>>;
}

/**
 * Listens. Rejects where the port or socket is taken.
 *
 * `GET /health` is open. `GET /api`, upgraded to a WebSocket, is a session of {@link DaemonRPC}. Everything but `/health` is refused
 * without the secret, whether it exists or not.
 */
export async function startServer({ listen, secret, daemon, onSession, health }: ServerOptions): Promise<DaemonServer> {
  const sessions = new Set<ServedSession>();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_FRAME,
    perMessageDeflate: false,
    handleProtocols: (offered) => chooseProtocol(offered) ?? false,
  });

  const refusal = (request: IncomingMessage): Answer | undefined => {
    if (!isAuthorized(request, secret)) {
      return failure(401, "EUNAUTHORIZED", "Present the daemon's secret as 'Authorization: Bearer SECRET'.");
    }
    const { pathname } = new URL(request.url ?? "/", "http://daemon");
    if (pathname !== "/api") return failure(404, "ENOROUTE", `There is nothing at ${pathname}, only /health and /api.`);
    if (request.method !== "GET") return failure(405, "EMETHOD", "/api is asked with GET.");
    return undefined;
  };

  const server = createServer((request, response) => {
    request.resume();
    const { pathname } = new URL(request.url ?? "/", "http://daemon");
    if (pathname === "/health" && (request.method === "GET" || request.method === "HEAD")) {
      send(response, { status: 200, body: health() });
    } else {
      send(
        response,
        refusal(request) ?? failure(426, "EUPGRADE", "/api is a WebSocket: ask with 'Upgrade: websocket'."),
      );
    }
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    const refused = refusal(request);
    if (refused !== undefined) {
      refuseUpgrade(socket, refused);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const session = serveDaemon(webSocket, daemon);
      sessions.add(session);
      onSession?.(session);
      void session.closed.then(() => sessions.delete(session));
    });
  });

  await startListening(server, listen);
  return {
    address: addressOf(server),
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const session of sessions) session.close();
      for (const webSocket of sockets.clients) webSocket.terminate();
      server.closeAllConnections();
      await closed;
    },
  };
}

function isAuthorized(request: IncomingMessage, secret: string | undefined): boolean {
  if (secret === undefined) return true;
  const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
  // Digests have one length, so that the comparison takes as long for every guess.
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given ?? ""), digest(secret)) && given !== undefined;
}

async function startListening(server: Server, listen: Listen): Promise<void> {
  if ("socketPath" in listen) {
    // Left from a daemon that died. One at which somebody answers stays, and listening fails.
    if (await isAbandoned(listen.socketPath)) await rm(listen.socketPath, { force: true });
    server.listen(listen.socketPath);
  } else {
    server.listen(listen.port, listen.address);
  }
  await once(server, "listening");
}

async function isAbandoned(socketPath: string): Promise<boolean> {
  const socket = connect(socketPath);
  try {
    await once(socket, "connect");
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
  } finally {
    socket.destroy();
  }
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") return address ?? "";
  const { address: host, port } = address satisfies AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function failure(status: number, code: string, message: string): Answer {
  return { status, body: { code, message } };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  const headers = { "content-type": "application/json", ...(status === 401 && { "www-authenticate": "Bearer" }) };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

function refuseUpgrade(socket: Duplex, { status, body }: Answer): void {
  const text = JSON.stringify(body);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, "content-type: application/json", "connection: close"];
  socket.end(`${head.join("\r\n")}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}
