/** capnweb's own JSON in text frames. */

import type { RpcTransport } from "capnweb";
import type { CarrierCount, MessageSocket } from "./message-socket.ts";

export class TextTransport implements RpcTransport {
  readonly carrier = "text";
  readonly count: Readonly<CarrierCount>;
  readonly #messages: MessageSocket;

  constructor(messages: MessageSocket) {
    this.#messages = messages;
    this.count = messages.count;
  }

  send(message: string): void {
    this.#messages.send(message);
  }

  async receive(): Promise<string> {
    const message = await this.#messages.receive();
    if (typeof message !== "string") throw new TypeError("a binary frame came over a text carrier");
    return message;
  }

  abort(reason: unknown): void {
    this.#messages.abort(reason);
  }
}
