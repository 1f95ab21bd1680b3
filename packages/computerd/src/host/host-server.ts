/** The host's routes over HTTP. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { isAuthorized } from "./bearer.ts";
import { HostError } from "./host-error.ts";
import { readComputerId, readInactivity, readLaunchSpec } from "./launch-spec.ts";
import { connectToPort } from "./port-connection.ts";
import { forwardRequest, forwardUpgrade } from "./port-forwarder.ts";
import type { Supervisor } from "./supervisor.ts";

const LARGEST_BODY = 1024 * 1024;

export interface HostServerOptions {
  readonly token: string;
  /** Requests wait for it. */
  readonly supervisor: Promise<Supervisor>;
}

/** What a path asks for: a computer itself, something about it, or a port in it. */
interface Route {
  readonly id: string;
  readonly action: string;
  readonly port?: { readonly number: number; readonly path: string };
}

/** Makes the server of a host; it listens where it is told to. */
export function createHostServer({ token, supervisor }: HostServerOptions): Server {
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    answer(request, response).catch((error: unknown) => sendError(response, error));
  });
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => {});
    upgrade(request, socket, head).catch((error: unknown) => refuseUpgrade(socket, error));
  });
  return server;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === "/health" && request.method === "GET") return send(response, 200, { status: "ok" });
    const route = readRoute(request, token);
    const computers = await supervisor;
    if (route.port) {
      const computer = computers.get(route.id);
      const release = computer.use();
      try {
        const upstream = await connectToPort(computer, route.port.number);
        await forwardRequest(upstream, request, response, route.port.path);
      } finally {
        release();
      }
      return;
    }
    const { id } = route;
    switch (`${request.method} ${route.action}`) {
      case "GET ":
        return send(response, 200, computers.status(id));
      case "POST ":
        return send(response, 200, await computers.start(id, readLaunchSpec(await readBody(request))));
      case "POST restart":
        return send(response, 200, await computers.restart(id, readLaunchSpec(await readBody(request))));
      case "PUT inactivity":
        computers.setInactivityTimeout(id, readInactivity(await readBody(request)));
        return send(response, 204);
      case "DELETE ":
        await computers.stop(id);
        return send(response, 204);
      default:
        throw new HostError("ENOROUTE", `there is no ${request.method} ${request.url}`);
    }
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { id, port } = readRoute(request, token);
    if (!port) throw new HostError("ENOROUTE", "only a port of a computer takes an upgrade");
    const computer = (await supervisor).get(id);
    const release = computer.use();
    const upstream = await connectToPort(computer, port.number).finally(release);
    await forwardUpgrade(upstream, request, socket, head, port.path);
    computer.use()();
  }
}

function readRoute(request: IncomingMessage, token: string): Route {
  // The target as it was sent: what is behind the port may tell apart what a parser would make equal.
  const target = request.url ?? "";
  const forwarded = /^\/computers\/([^/?]+)\/port\/(\d{1,5})([/?].*)?$/.exec(target);
  if (!isAuthorized(request.headers, token, { authorization: !forwarded })) {
    const where = forwarded ? "Computer-Host-Token: TOKEN" : "Authorization: Bearer TOKEN";
    throw new HostError("EUNAUTHORIZED", `this host wants its token: ${where}`);
  }
  if (forwarded) {
    const [, id = "", digits, rest = "/"] = forwarded;
    const number = Number(digits);
    if (number < 1 || number > 65535) throw new HostError("EINVAL", `${digits} is not a port`);
    const path = rest.startsWith("?") ? `/${rest}` : rest;
    return { id: readComputerId(id), action: "port", port: { number, path } };
  }
  const managed = /^\/computers\/([^/?]+)(?:\/(restart|inactivity))?$/.exec(target);
  if (!managed) throw new HostError("ENOROUTE", `there is no ${request.method} ${target}`);
  return { id: readComputerId(managed[1]!), action: managed[2] ?? "" };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > LARGEST_BODY) throw new HostError("ETOOBIG", `a body has at most ${LARGEST_BODY} bytes`);
    parts.push(part);
  }
  if (length === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(parts).toString());
  } catch (cause) {
    throw new HostError("EINVAL", "the body is not JSON", { cause });
  }
}

function send(response: ServerResponse, status: number, body?: unknown): void {
  response.writeHead(status, body === undefined ? {} : { "content-type": "application/json" });
  response.end(body === undefined ? undefined : `${JSON.stringify(body)}\n`);
}

function sendError(response: ServerResponse, error: unknown): void {
  const { status, body } = describe(error);
  if (response.headersSent) response.destroy();
  else send(response.setHeader("connection", "close"), status, body);
}

function refuseUpgrade(socket: Duplex, error: unknown): void {
  const { status, body } = describe(error);
  const text = `${JSON.stringify(body)}\n`;
  const head = [`HTTP/1.1 ${status} Refused`, "content-type: application/json", `content-length: ${text.length}`];
  socket.end(`${[...head, "connection: close"].join("\r\n")}\r\n\r\n${text}`);
}

function describe(error: unknown): { status: number; body: { code: string; message: string } } {
  if (error instanceof HostError) return { status: error.status, body: { code: error.code, message: error.message } };
  return { status: 500, body: { code: "EHOST", message: error instanceof Error ? error.message : String(error) } };
}
