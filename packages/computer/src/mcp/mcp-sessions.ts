/** The sessions of an MCP handler: what a client began with is kept, so that its session goes on after the object was out of memory. */

import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { McpServerOptions, McpStorage } from "./mcp-options.ts";
import { createMcpServer } from "./mcp-server.ts";
import { SentEvents } from "./sent-events.ts";

const PREFIX = "mcp:session:";
/** The client used longest ago has to begin again when there is one more. */
const SESSIONS_MAX = 100;
/** Milliseconds without a request after which a client has to begin again. */
const SESSION_IDLE_MS = 7 * 24 * 3_600_000;
/** A session in use is noted this often, not on each of its requests. */
const NOTED_EVERY_MS = 3_600_000;
/** A `write` of 2 MiB, as JSON escapes it. */
const BODY_BYTES = 16 * 1024 * 1024;

/** What is kept of a session. */
interface Kept {
  /** The client's first message. */
  readonly initialize: unknown;
  /** When it was used, about: milliseconds since 1970. */
  readonly usedAt: number;
}

export interface McpSession {
  readonly id: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

export class McpSessions {
  readonly #options: McpServerOptions;
  readonly #storage: McpStorage | undefined;
  readonly #live = new Map<string, Promise<McpSession | undefined>>();
  readonly #notedAt = new Map<string, number>();

  constructor(options: McpServerOptions, storage: McpStorage | undefined) {
    this.#options = options;
    this.#storage = storage;
  }

  /** A new session, begun by the client's `initialize`; it is kept when that was answered. */
  async begin(): Promise<McpSession> {
    const session = await this.#open(crypto.randomUUID());
    this.#live.set(session.id, Promise.resolve(session));
    return session;
  }

  async keep({ id }: McpSession, initialize: unknown): Promise<void> {
    const now = Date.now();
    this.#notedAt.set(id, now);
    await this.#storage?.put(PREFIX + id, { initialize, usedAt: now } satisfies Kept);
    await this.#drop(now);
  }

  /** Undefined for one that there is not, or no longer. */
  find(id: string): Promise<McpSession | undefined> {
    let found = this.#live.get(id);
    if (found === undefined) {
      found = this.#revive(id);
      this.#live.set(id, found);
      found.then(
        (session) => session === undefined && this.#live.delete(id),
        () => this.#live.delete(id),
      );
    }
    return found;
  }

  /** Ends a session that came to nothing, or was ended by its client; its running calls are aborted. */
  async end(id: string): Promise<void> {
    const session = await this.#live.get(id);
    this.#live.delete(id);
    this.#notedAt.delete(id);
    await session?.transport.close();
    await this.#storage?.delete([PREFIX + id]);
  }

  /** Lets go of what is in memory. */
  async close(): Promise<void> {
    const live = [...this.#live.values()];
    this.#live.clear();
    for (const session of live) await (await session)?.transport.close();
  }

  async #open(id: string): Promise<McpSession> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessionclosed: () => this.end(id),
      eventStore: new SentEvents(),
      maxRequestBodySize: BODY_BYTES,
    });
    await createMcpServer(this.#options).connect(transport);
    return { id, transport };
  }

  async #revive(id: string): Promise<McpSession | undefined> {
    const kept = (await this.#storage?.get(PREFIX + id)) as Kept | undefined;
    if (kept === undefined || kept.usedAt < Date.now() - SESSION_IDLE_MS) return undefined;
    const session = await this.#open(id);
    // The SDK has no other way to begin a session than by the message that began it.
    const answer = await session.transport.handleRequest(again(), { parsedBody: kept.initialize });
    await answer.text();
    return session;
  }

  /** Notes that a session is in use. */
  async used({ id }: McpSession): Promise<void> {
    const now = Date.now();
    if (this.#storage === undefined || now - (this.#notedAt.get(id) ?? 0) < NOTED_EVERY_MS) return;
    this.#notedAt.set(id, now);
    const kept = (await this.#storage.get(PREFIX + id)) as Kept | undefined;
    if (kept !== undefined) await this.#storage.put(PREFIX + id, { ...kept, usedAt: now } satisfies Kept);
  }

  /** Ends the sessions that were not used for long, and those over the limit. */
  async #drop(now: number): Promise<void> {
    const kept = (await this.#storage?.list({ prefix: PREFIX })) as ReadonlyMap<string, Kept> | undefined;
    const byUse = [...(kept ?? new Map([...this.#notedAt].map(([id, usedAt]) => [PREFIX + id, { usedAt }] as const)))]
      .map(([key, { usedAt }]) => ({ id: key.slice(PREFIX.length), usedAt }))
      .sort((a, b) => b.usedAt - a.usedAt);
    for (const { id } of byUse.filter(({ usedAt }, at) => at >= SESSIONS_MAX || usedAt < now - SESSION_IDLE_MS)) {
      await this.end(id);
    }
  }
}

function again(): Request {
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  return new Request("http://session/mcp", { method: "POST", headers, body: "" });
}
