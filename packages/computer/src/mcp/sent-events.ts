/** What was sent to a client lately, so that one whose connection broke in a long call gets the rest when it is back. */

import type { EventStore } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

/** Events of a session, and UTF-16 units of their messages; the oldest go first, the newest always stays. */
const EVENTS_MAX = 500;
const LENGTH_MAX = 8 * 1024 * 1024;

interface SentEvent {
  readonly id: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly length: number;
}

export class SentEvents implements EventStore {
  readonly #events: SentEvent[] = [];
  #length = 0;

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const id = crypto.randomUUID();
    const { length } = JSON.stringify(message);
    this.#events.push({ id, stream, message, length });
    this.#length += length;
    while (this.#events.length > 1 && (this.#events.length > EVENTS_MAX || this.#length > LENGTH_MAX)) {
      this.#length -= this.#events.shift()?.length ?? 0;
    }
    return id;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#events.find((event) => event.id === id)?.stream;
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = this.#events.findIndex(({ id }) => id === lastEventId);
    const stream = this.#events[last]?.stream ?? "";
    for (const event of this.#events.slice(last + 1)) {
      // The event that only primes a connection says nothing.
      if (event.stream === stream && Object.keys(event.message).length > 0) await send(event.id, event.message);
    }
    return stream;
  }
}
