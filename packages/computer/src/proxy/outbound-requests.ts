/** What commands of a computer ask for, answered by a gateway, piece by piece over a session. */

import { ComputerError, type OutboundAnswer, type OutboundRequest, type OutboundRPC } from "@cloudflare/computer-rpc";

const PIECE_BYTES = 256 * 1024;
/** Answers of which somebody has yet to read the rest. */
const MOST_OPEN = 64;

interface Open {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  rest: Uint8Array;
}

export class OutboundRequests implements OutboundRPC {
  readonly #gateway: Pick<Fetcher, "fetch">;
  readonly #open = new Map<string, Open>();

  constructor(gateway: Pick<Fetcher, "fetch">) {
    this.#gateway = gateway;
  }

  async outbound({ method, url, headers, body }: OutboundRequest): Promise<OutboundAnswer> {
    if (this.#open.size >= MOST_OPEN) {
      throw new ComputerError("EUNAVAILABLE", `${MOST_OPEN} answers of the gateway are being read already`);
    }
    const init = { method, headers, redirect: "manual", ...(body.length > 0 && { body }) } as const;
    const response = await this.#gateway.fetch(new Request(url, init));
    const { status, statusText, body: stream } = response;
    const told = { status, statusText, headers: [...response.headers] };
    if (stream === null) return { ...told, body: new Uint8Array() };
    const open: Open = { reader: stream.getReader(), rest: new Uint8Array() };
    const first = await next(open);
    if (first.done) return { ...told, body: first.body };
    const more = crypto.randomUUID();
    this.#open.set(more, open);
    return { ...told, body: first.body, more };
  }

  async outboundMore(id: string): Promise<{ body: Uint8Array; done: boolean }> {
    const open = this.#open.get(id);
    if (open === undefined) throw new ComputerError("EUNAVAILABLE", "this answer of the gateway is over");
    try {
      const piece = await next(open);
      if (piece.done) this.#open.delete(id);
      return piece;
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
  }

  async outboundEnd(id: string): Promise<void> {
    const open = this.#open.get(id);
    this.#open.delete(id);
    await open?.reader.cancel().catch(() => {});
  }

  /** Lets go of all answers that are not read to their ends. */
  close(): void {
    for (const id of [...this.#open.keys()]) void this.outboundEnd(id);
  }
}

async function next(open: Open): Promise<{ body: Uint8Array; done: boolean }> {
  if (open.rest.length === 0) {
    const { value, done } = await open.reader.read();
    if (done) return { body: new Uint8Array(), done: true };
    open.rest = value;
  }
  const body = open.rest.slice(0, PIECE_BYTES);
  open.rest = open.rest.subarray(PIECE_BYTES);
  return { body, done: false };
}
