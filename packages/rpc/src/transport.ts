/** Carriers of a session: capnweb messages as text or as CBOR over one WebSocket, each counted. */

import type { AnyRpcTransport } from "capnweb";
import { CborTransport } from "./cbor-transport.ts";
import { type CarrierCount, MessageSocket, type SocketLike } from "./message-socket.ts";
import { TextTransport } from "./text-transport.ts";

export type { CarrierCount, SocketLike } from "./message-socket.ts";

/** `text`: JSON in text frames, bytes as base64. `cbor`: CBOR in binary frames, bytes as they are. */
export type Carrier = "text" | "cbor";

/** The WebSocket subprotocol that stands for {@link Carrier} `cbor`; without a subprotocol it is `text`. */
export const CBOR_PROTOCOL = "computer.cbor.1";

/** A capnweb transport that counts. */
export type CountedTransport = AnyRpcTransport & { readonly carrier: Carrier; readonly count: Readonly<CarrierCount> };

/** The carrier that a negotiated subprotocol (a socket's `protocol`, or the response's `Sec-WebSocket-Protocol`) stands for. */
export function carrierOf(protocol: string | null | undefined): Carrier {
  return protocol === CBOR_PROTOCOL ? "cbor" : "text";
}

/** The subprotocol a server answers to those a client offers; undefined for none. For `handleProtocols` of `ws`. */
export function chooseProtocol(offered: Iterable<string>): string | undefined {
  for (const protocol of offered) if (protocol === CBOR_PROTOCOL) return protocol;
  return undefined;
}

/** A transport over an open (in a Worker: accepted) or opening WebSocket. */
export function socketTransport(socket: SocketLike, carrier: Carrier = carrierOf(socket.protocol)): CountedTransport {
  const messages = new MessageSocket(socket);
  return carrier === "cbor" ? new CborTransport(messages) : new TextTransport(messages);
}
