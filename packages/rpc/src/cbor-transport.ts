/** capnweb messages as CBOR in binary frames: bytes travel as they are. */

import type { RpcTransportWithCustomEncoding } from "capnweb";
import { Encoder } from "cbor-x";
import type { CarrierCount, MessageSocket } from "./message-socket.ts";

export class CborTransport implements RpcTransportWithCustomEncoding {
  readonly encodingLevel = "jsonCompatibleWithBytes";
  readonly carrier = "cbor";
  readonly count: Readonly<CarrierCount>;
  readonly #messages: MessageSocket;
  readonly #codec = new Encoder({ useRecords: false, mapsAsObjects: true, tagUint8Array: false });

  constructor(messages: MessageSocket) {
    this.#messages = messages;
    this.count = messages.count;
  }

  send(message: unknown): number {
    // The encoder reuses its buffer, and a socket may still be sending when the next message is encoded.
    const frame = new Uint8Array(this.#codec.encode(message));
    this.#messages.send(frame);
    return frame.byteLength;
  }

  async receive(): Promise<unknown> {
    const frame = await this.#messages.receive();
    if (typeof frame === "string") throw new TypeError("a text frame came over a CBOR carrier");
    return this.#codec.decode(frame);
  }

  abort(reason: unknown): void {
    this.#messages.abort(reason);
  }
}
