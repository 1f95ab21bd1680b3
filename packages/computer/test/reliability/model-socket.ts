/** Two ends of a WebSocket in memory that break as they are told to. */

import type { SocketLike } from "@cloudflare/computer-rpc";

export interface Wire {
  /** Called before each message; the message is lost where the connection is broken by it. */
  beforeSend(): void;
  /** Called for everything that happens. */
  active(): void;
}

class ModelSocket implements SocketLike {
  binaryType = "arraybuffer";
  readyState = 1;
  readonly protocol = "computer.cbor.1";
  other: ModelSocket | undefined;
  /** What is sent from here is lost. */
  deaf = false;
  readonly #wire: Wire;
  readonly #handlers: Record<string, ((event: never) => void)[]> = {};

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    if (this.readyState !== 1) throw new Error("the socket is closed");
    this.#wire.beforeSend();
    if (this.readyState !== 1 || this.deaf) return;
    const copy = typeof data === "string" ? data : data.slice().buffer;
    setImmediate(() => {
      this.#wire.active();
      if (this.other?.readyState === 1) this.other.emit("message", { data: copy });
    });
  }

  close(code = 1000, reason = ""): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    setImmediate(() => {
      this.#wire.active();
      this.emit("close", { code, reason });
      if (!this.deaf) this.other?.close(code, reason);
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

/** A connection between the object and the computer. */
export class ModelConnection {
  readonly near: SocketLike;
  readonly far: SocketLike;
  readonly #ends: [ModelSocket, ModelSocket];

  constructor(wire: Wire) {
    const near = new ModelSocket(wire);
    const far = new ModelSocket(wire);
    near.other = far;
    far.other = near;
    this.near = near;
    this.far = far;
    this.#ends = [near, far];
  }

  cut(): void {
    for (const end of this.#ends) end.close(1006, "cut");
  }

  /** Messages of one end are lost from now on, or of both. */
  stall(which: "near" | "far" | "both"): void {
    if (which !== "far") this.#ends[0].deaf = true;
    if (which !== "near") this.#ends[1].deaf = true;
  }
}
