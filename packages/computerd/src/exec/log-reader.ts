/** Reads a run's log from any event on, live to its end. */

import type { ExecEvent } from "@cloudflare/computer-rpc";

/** A record is its kind (one byte), the length of its payload (four, little-endian), and the payload. */
export const RECORD_HEADER = 5;
export const RECORD_KINDS = ["stdout", "stderr", "exit"] as const;

/** What stopped a run that did not come to its own end. */
export type Ended = NonNullable<Extract<ExecEvent, { name: "exit" }>["ended"]>;

/** The payload of an exit is its code (four bytes, little-endian) and the place of its ending in this list (one). */
export const EXIT_PAYLOAD = 5;
export const ENDINGS: readonly (Ended | undefined)[] = [undefined, "killed", "timeout"];

/** A run of whole records. */
export interface Segment {
  readonly number: number;
  /** The `seq` of its first record. */
  readonly firstSeq: number;
  /** Bytes of the log before this segment. */
  readonly start: number;
  /** Records in it. */
  count: number;
  /** Bytes in it. */
  length: number;
  /** The records, while they are in memory. */
  memory: Buffer | undefined;
  state: "filling" | "writing" | "written" | "failed";
}

/** What a reader needs of a log. */
export interface SegmentSource {
  id(): string;
  /** The segment with this number, the oldest one kept where it is gone, undefined where it is yet to come. */
  segment(number: number): Segment | undefined;
  /** Whether nothing will be added. */
  finished(): boolean;
  load(segment: Segment): Promise<Buffer>;
  /** Resolves after the next addition or the end. */
  changed(): Promise<void>;
  /** Says that everything before this byte of the log was given to a listener. */
  delivered(bytes: number): void;
}

/** Gives a run's events one by one. */
export interface EventReader {
  /** Waits for the next event; undefined once the exit was given or the log is gone. One call at a time. */
  next(): Promise<ExecEvent | undefined>;
}

export class LogReader implements EventReader {
  readonly #log: SegmentSource;
  readonly #after: number;
  #number = 0;
  #offset = 0;
  #seq = 0;
  #loaded: { number: number; bytes: Buffer } | undefined;

  /** Starts with the first event whose `seq` is above `after`. */
  constructor(log: SegmentSource, after: number) {
    this.#log = log;
    this.#after = after;
  }

  async next(): Promise<ExecEvent | undefined> {
    for (;;) {
      const segment = this.#unread();
      if (segment !== undefined) {
        const event = await this.#take(segment);
        if (event !== undefined && event.seq > this.#after) return event;
      } else if (this.#log.finished()) {
        return undefined;
      } else {
        await this.#log.changed();
      }
    }
  }

  /** The segment with the next record, or undefined where there is none yet. */
  #unread(): Segment | undefined {
    let segment = this.#log.segment(this.#number);
    while (segment !== undefined) {
      if (segment.number !== this.#number) this.#enter(segment);
      if (segment.firstSeq + segment.count - 1 <= this.#after) this.#skip(segment);
      if (this.#offset < segment.length) return segment;
      segment = this.#log.segment(this.#number + 1);
    }
    return undefined;
  }

  #enter(segment: Segment): void {
    this.#number = segment.number;
    this.#offset = 0;
    this.#seq = segment.firstSeq;
  }

  #skip(segment: Segment): void {
    this.#offset = segment.length;
    this.#seq = segment.firstSeq + segment.count;
    this.#log.delivered(segment.start + segment.length);
  }

  async #take(segment: Segment): Promise<ExecEvent | undefined> {
    const bytes = segment.memory ?? (await this.#load(segment));
    if (bytes === undefined) return undefined;
    const kind = RECORD_KINDS[bytes.readUInt8(this.#offset)];
    const from = this.#offset + RECORD_HEADER;
    const payload = bytes.subarray(from, from + bytes.readUInt32LE(this.#offset + 1));
    const seq = this.#seq;
    this.#seq += 1;
    this.#offset = from + payload.length;
    this.#log.delivered(segment.start + this.#offset);
    const id = this.#log.id();
    if (kind === undefined) throw new Error(`The log of run ${id} is damaged.`);
    if (kind === "exit") {
      const ended = ENDINGS[payload.readInt8(4)];
      return { id, seq, name: kind, code: payload.readInt32LE(), ...(ended && { ended }) };
    }
    return { id, seq, name: kind, value: new Uint8Array(payload) };
  }

  async #load(segment: Segment): Promise<Buffer | undefined> {
    if (this.#loaded?.number === segment.number) return this.#loaded.bytes;
    try {
      const bytes = await this.#log.load(segment);
      this.#loaded = { number: segment.number, bytes };
      return bytes;
    } catch (error) {
      // Dropped while it was being read: the next look finds the oldest segment there is by then.
      if (this.#log.segment(segment.number) !== segment) return undefined;
      throw error;
    }
  }
}
