/** A file read in windows of the size in which it is stored, the last ones kept. */

import { Buffer } from "node:buffer";
import { viewOf } from "./object-id.ts";
import type { ReadRange } from "./pack-index.ts";

const WINDOW_BYTES = 256 * 1024;
const KEPT_WINDOWS = 8;

export class Windows {
  readonly size: number;
  readonly #read: ReadRange;
  readonly #kept = new Map<number, Buffer>();

  constructor(read: ReadRange, size: number) {
    this.#read = read;
    this.size = size;
  }

  /** Bytes from an offset, fewer than `length` at the end of the file. */
  read(offset: number, length: number): Buffer {
    const end = Math.min(offset + length, this.size);
    const first = Math.floor(offset / WINDOW_BYTES);
    const last = Math.floor(Math.max(end - 1, offset) / WINDOW_BYTES);
    if (last - first >= KEPT_WINDOWS) return viewOf(this.#read(offset, end - offset));
    const start = offset - first * WINDOW_BYTES;
    if (first === last) return this.#window(first).subarray(start, start + (end - offset));
    const parts: Buffer[] = [];
    for (let window = first; window <= last; window++) parts.push(this.#window(window));
    return Buffer.concat(parts).subarray(start, start + (end - offset));
  }

  /** Lets go of what is kept. */
  clear(): void {
    this.#kept.clear();
  }

  #window(number: number): Buffer {
    const known = this.#kept.get(number);
    if (known !== undefined) {
      this.#kept.delete(number);
      this.#kept.set(number, known);
      return known;
    }
    const window = viewOf(this.#read(number * WINDOW_BYTES, WINDOW_BYTES));
    this.#kept.set(number, window);
    for (const old of this.#kept.keys()) {
      if (this.#kept.size <= KEPT_WINDOWS) break;
      this.#kept.delete(old);
    }
    return window;
  }
}
