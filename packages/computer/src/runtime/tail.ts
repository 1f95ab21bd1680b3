/** The end of an output, as much of it as a result may have. */

/** How much of an output a result has. */
export interface OutputLimits {
  readonly maxLines: number;
  /** Of each stream. */
  readonly maxBytes: number;
}

/** What is kept of an output, and which part of the whole that is. */
export interface TailView {
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
  readonly totalLines: number;
  /** The number, from 1, of the first line in `bytes`. */
  readonly firstLine: number;
  /** Whether that line's beginning is not in `bytes`. */
  readonly partialLine: boolean;
}

const NEWLINE = 10;

/** Collects an output; memory holds little more than the limits allow. */
export class Tail {
  readonly #limits: OutputLimits | undefined;
  #chunks: Uint8Array[] = [];
  #kept = 0;
  #total = 0;
  #newlines = 0;
  #last = NEWLINE;

  /** Without limits everything is kept. */
  constructor(limits: OutputLimits | undefined) {
    this.#limits = limits;
  }

  /** Whether the output is longer than the limits. */
  get exceeded(): boolean {
    return this.#limits !== undefined && (this.#total > this.#limits.maxBytes || this.#lines > this.#limits.maxLines);
  }

  /** Everything so far, as long as it is not {@link exceeded}. */
  get chunks(): readonly Uint8Array[] {
    return this.#chunks;
  }

  /** Whether the output would be longer than the limits with this chunk too. */
  exceededBy(chunk: Uint8Array): boolean {
    if (this.#limits === undefined) return false;
    const lines = this.#newlines + count(chunk, NEWLINE) + (chunk.at(-1) === NEWLINE ? 0 : 1);
    return this.#total + chunk.length > this.#limits.maxBytes || lines > this.#limits.maxLines;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#kept += chunk.length;
    this.#total += chunk.length;
    this.#newlines += count(chunk, NEWLINE);
    this.#last = chunk.at(-1) ?? this.#last;
    if (this.#limits !== undefined) this.#drop(this.#limits.maxBytes);
  }

  view(): TailView {
    const all = joined(this.#chunks, this.#kept);
    const from = this.#limits === undefined || !this.exceeded ? 0 : this.#start(all, this.#limits);
    const bytes = all.subarray(from);
    const shown = count(bytes, NEWLINE) + (bytes.length > 0 && bytes.at(-1) !== NEWLINE ? 1 : 0);
    const cut = this.#total > bytes.length;
    return {
      bytes,
      totalBytes: this.#total,
      totalLines: this.#lines,
      firstLine: this.#lines - shown + 1,
      partialLine: cut && !this.#beginsLine(all, from),
    };
  }

  get #lines(): number {
    return this.#newlines + (this.#total > 0 && this.#last !== NEWLINE ? 1 : 0);
  }

  /** Where whole lines within the limits begin; within the last line where that alone is too long, then at a whole character. */
  #start(all: Uint8Array, { maxBytes, maxLines }: OutputLimits): number {
    let from = Math.max(0, all.length - maxBytes);
    if (from > 0 && all[from - 1] !== NEWLINE) {
      const next = all.indexOf(NEWLINE, from) + 1;
      if (next > 0 && next < all.length) from = next;
      else while (from < all.length && isContinuation(all[from])) from += 1;
    }
    let lines = 0;
    for (let at = all.length - 2; at >= from; at--) {
      if (all[at] === NEWLINE && ++lines >= maxLines) return at + 1;
    }
    return from;
  }

  #beginsLine(all: Uint8Array, from: number): boolean {
    return from === 0 ? this.#total === this.#kept : all[from - 1] === NEWLINE;
  }

  /** Forgets what lies before the last `maxBytes` and one byte more, which tells whether a line begins there. */
  #drop(maxBytes: number): void {
    if (this.#kept <= 2 * maxBytes + 1) return;
    let dropped = 0;
    for (const chunk of this.#chunks) {
      if (this.#kept - chunk.length <= maxBytes) break;
      this.#kept -= chunk.length;
      dropped += 1;
    }
    this.#chunks = this.#chunks.slice(dropped);
    const [first] = this.#chunks;
    const spare = this.#kept - maxBytes - 1;
    if (first !== undefined && spare > 0) {
      this.#chunks[0] = first.slice(spare);
      this.#kept -= spare;
    }
  }
}

function count(bytes: Uint8Array, byte: number): number {
  let found = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) found += 1;
  return found;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
