/** MCP over streamable HTTP, for the `fetch` of a Durable Object with a workspace. */

import { ComputerError } from "@cloudflare/computer-rpc";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";
import type { McpHandlerOptions } from "./mcp-options.ts";
import { McpSessions } from "./mcp-sessions.ts";

/** An `initialize` is short. */
const FIRST_MESSAGE_BYTES = 256 * 1024;

/** Answers a workspace's MCP clients. */
export interface McpHandler {
  /** Takes every request to the endpoint: POST, GET and DELETE. Who may call is the caller's to check. */
  fetch(request: Request): Promise<Response>;
  /** Ends connections and running calls; sessions that are kept go on when their client comes back. */
  close(): Promise<void>;
}

/**
 * A handler that keeps a session for each client. Make one for the life of the object.
 *
 * @example
 * export class Agent extends withWorkspace(DurableObject<Env>, options) {
 *   readonly #mcp = createMcpHandler({ workspace: getWorkspace(this), storage: this.ctx.storage });
 *   override fetch(request: Request) {
 *     return this.#mcp.fetch(request);
 *   }
 * }
 */
export function createMcpHandler(options: McpHandlerOptions): McpHandler {
  const { storage, allowedOrigins = [], ...rest } = options;
  for (const origin of allowedOrigins) {
    if (origin === "null" || !URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new ComputerError(
        "EOPTION",
        `allowedOrigins takes origins such as https://chat.example, and ${origin} is none.`,
      );
    }
  }
  const sessions = new McpSessions(rest, storage);
  return {
    close: () => sessions.close(),
    fetch: async (request) => {
      const origin = request.headers.get("Origin");
      if (origin !== null && origin !== new URL(request.url).origin && !allowedOrigins.includes(origin)) {
        return refused(403, -32000, `Pages of ${origin} may not call this server.`);
      }
      const id = request.headers.get("Mcp-Session-Id");
      if (id === null) return first(request, sessions);
      // The server has nothing to say but answers: a stream to wait for more would only keep the object awake.
      if (request.method === "GET" && !request.headers.has("Last-Event-ID")) {
        return refused(405, -32000, "This server says nothing unasked.", { Allow: "POST, DELETE" });
      }
      const session = await sessions.find(id);
      if (session === undefined)
        return refused(404, -32001, "There is no such session: begin a new one with initialize.");
      await sessions.used(session);
      return session.transport.handleRequest(request);
    },
  };
}

/** A client's first request, which begins a session. */
async function first(request: Request, sessions: McpSessions): Promise<Response> {
  if (request.method !== "POST") {
    return refused(405, -32000, "Begin a session first, with a POST of initialize.", { Allow: "POST" });
  }
  const text = await textOf(request, FIRST_MESSAGE_BYTES);
  if (text === undefined)
    return refused(413, -32000, "A message without a session can only be initialize, which is short.");
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return refused(400, -32700, "The body is no JSON.");
  }
  if (!isInitializeRequest(message)) {
    return refused(400, -32000, "The header Mcp-Session-Id is missing: begin a session with initialize.");
  }
  const session = await sessions.begin();
  const response = await session.transport.handleRequest(request, { parsedBody: message });
  if (response.ok) await sessions.keep(session, message);
  else await sessions.end(session.id);
  return response;
}

/** The body, undefined where it is longer. */
async function textOf(request: Request, max: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let [text, held] = ["", 0];
  for await (const piece of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    held += piece.length;
    if (held > max) return undefined;
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

function refused(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status, headers });
}
