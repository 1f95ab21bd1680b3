/** The lines in which git's servers speak: four digits of length, then so many bytes. */

import { Buffer } from "node:buffer";
import { GitError } from "../git-error.ts";

export const FLUSH: Buffer = Buffer.from("0000");

export function pktLine(content: string | Uint8Array): Buffer {
  const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.from(content);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
}

/** Reads lines from a body as it comes. */
export class PktReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #held: Buffer = Buffer.alloc(0);

  constructor(body: ReadableStream<Uint8Array> | null) {
    this.#reader = body?.getReader();
  }

  /** The next line; `flush` for the end of a part, undefined for that of the body. `EPROTOCOL` where it is cut short. */
  async next(): Promise<Buffer | "flush" | undefined> {
    if (!(await this.#has(4))) {
      if (this.#held.length === 0) return undefined;
      throw cutShort();
    }
    const digits = this.#held.toString("latin1", 0, 4);
    const length = Number.parseInt(digits, 16);
    if (!/^[0-9a-f]{4}$/i.test(digits))
      throw new GitError("EPROTOCOL", `protocol error: bad line length character: ${digits}`);
    if (length < 4) {
      this.#held = this.#held.subarray(4);
      return "flush";
    }
    if (!(await this.#has(length))) throw cutShort();
    const line = this.#held.subarray(4, length);
    this.#held = this.#held.subarray(length);
    return line;
  }

  /** What follows, in pieces as they come. */
  async *rest(): AsyncGenerator<Uint8Array> {
    if (this.#held.length > 0) yield this.#held;
    this.#held = Buffer.alloc(0);
    for (let next = await this.#reader?.read(); next !== undefined && !next.done; next = await this.#reader?.read()) {
      yield next.value;
    }
  }

  async cancel(): Promise<void> {
    await this.#reader?.cancel().catch(() => {});
  }

  async #has(count: number): Promise<boolean> {
    const parts = [this.#held];
    let size = this.#held.length;
    while (size < count) {
      const next = await this.#reader?.read();
      if (next === undefined || next.done) break;
      parts.push(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length));
      size += next.value.length;
    }
    if (parts.length > 1) this.#held = Buffer.concat(parts);
    return size >= count;
  }
}

function cutShort(): GitError {
  return new GitError("EPROTOCOL", "the remote end hung up unexpectedly");
}

/** A line as text, without its newline. */
export function lineText(line: Uint8Array): string {
  return Buffer.from(line.buffer, line.byteOffset, line.length).toString("utf8").replace(/\n$/, "");
}
