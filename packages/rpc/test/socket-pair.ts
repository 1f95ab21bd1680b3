/** Two ends of a WebSocket in memory, which can be cut before any one message. */

import type { SocketLike } from "../src/index.ts";

type Handlers = Record<string, ((event: never) => void)[]>;

class MemorySocket implements SocketLike {
  binaryType = "blob";
  readyState = 1;
  readonly protocol: string;
  other: MemorySocket | undefined;
  beforeSend: () => boolean = () => true;
  readonly #handlers: Handlers = {};

  constructor(protocol: string) {
    this.protocol = protocol;
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    if (this.readyState !== 1) throw new Error("the socket is closed");
    const { other } = this;
    if (!this.beforeSend()) return;
    const copy = typeof data === "string" ? data : data.slice().buffer;
    setImmediate(() => {
      if (other?.readyState === 1) other.emit("message", { data: copy });
    });
  }

  close(code = 1000, reason = ""): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    setImmediate(() => {
      this.emit("close", { code, reason });
      this.other?.close(code, reason);
    });
  }

  addEventListener(type: string, listener: (event: never) => void): void {
    this.#handlers[type] ??= [];
    this.#handlers[type].push(listener);
  }

  emit(type: string, event: object): void {
    for (const handler of this.#handlers[type] ?? []) handler(event as never);
  }
}

export interface SocketPair {
  readonly client: SocketLike;
  readonly server: SocketLike;
  /** Messages that either side sent so far. */
  sent(): number;
}

/** `cutAt` is the number of the message, counted over both directions from 0, that is lost together with the connection. */
export function socketPair(protocol = "", cutAt: number = Number.POSITIVE_INFINITY): SocketPair {
  const client = new MemorySocket(protocol);
  const server = new MemorySocket(protocol);
  client.other = server;
  server.other = client;
  let sent = 0;
  for (const end of [client, server]) {
    end.beforeSend = () => {
      if (sent >= cutAt) {
        client.close(1006, "cut");
        server.close(1006, "cut");
        return false;
      }
      sent++;
      return true;
    };
  }
  return { client, server, sent: () => sent };
}
