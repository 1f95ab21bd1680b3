/** The bounded log of one run: what it said, in order, for whoever listens now or asks again. */

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  ENDINGS,
  type Ended,
  type EventReader,
  EXIT_PAYLOAD,
  LogReader,
  RECORD_HEADER,
  RECORD_KINDS,
  type Segment,
  type SegmentSource,
} from "./log-reader.ts";

const FIRST_BUFFER = 4096;

/** Sizes in bytes, all of them of the log's records. */
export interface EventLogLimits {
  /** A piece of the log: in memory while it is filled, a file afterwards. */
  readonly segment: number;
  /** How far the run may be ahead of its listeners before {@link EventLog.full} asks it to wait. */
  readonly ahead: number;
  /** What is kept for a replay; beyond it the oldest segments that were listened to go. More than `ahead`. */
  readonly keep: number;
}

export const DEFAULT_LOG_LIMITS: EventLogLimits = { segment: 1 << 20, ahead: 64 << 20, keep: 256 << 20 };

/**
 * Events in order of arrival, numbered from 0, in segments of which the last is in memory and the others are files in `dir`.
 *
 * Whatever the size of the output, memory holds a few segments. Nothing that no listener has had is ever dropped: instead the log
 * is {@link full} until a listener has caught up.
 */
export class EventLog {
  readonly #id: string;
  readonly #dir: string;
  readonly #limits: EventLogLimits;
  readonly #segments: Segment[] = [];
  readonly #waiting = new Set<() => void>();
  #nextSeq = 0;
  #nextNumber = 0;
  /** Bytes appended, and of these the ones a listener was given. */
  #total = 0;
  #delivered = 0;
  /** Segments on their way to a file, or that no file could take. */
  #unwritten = 0;
  /** Whole buffers of segments that became files: new memory costs more than the copy into it. */
  readonly #spare: Buffer[] = [];
  #made: Promise<unknown> | undefined;
  #ended = false;
  #disposed = false;
  #full = false;

  /** Called when the log, having been full, has room again. */
  onRoom: () => void = () => {};

  constructor(id: string, dir: string, limits: EventLogLimits = DEFAULT_LOG_LIMITS) {
    this.#id = id;
    this.#dir = dir;
    this.#limits = limits;
  }

  /** Whether the writer should wait for {@link onRoom} before it appends more. */
  get full(): boolean {
    return this.#full;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The number the next event will have. */
  get nextSeq(): number {
    return this.#nextSeq;
  }

  /** Bytes of the log that are in memory. */
  get memory(): number {
    return this.#segments.reduce((sum, { memory }) => sum + (memory?.length ?? 0), 0);
  }

  /** Copies a piece of output in. Appending to a log that has ended does nothing. */
  append(name: "stdout" | "stderr", value: Uint8Array): void {
    for (let at = 0; at < value.length; at += this.#pieceSize) {
      this.#record(RECORD_KINDS.indexOf(name), value.subarray(at, at + this.#pieceSize));
    }
  }

  /** Appends the exit, the last of all events; `ended` where the run did not come to its own end. */
  end(code: number, ended?: Ended): void {
    const payload = Buffer.alloc(EXIT_PAYLOAD);
    payload.writeInt32LE(code);
    payload.writeInt8(ENDINGS.indexOf(ended), 4);
    this.#record(RECORD_KINDS.indexOf("exit"), payload);
    this.#ended = true;
    const last = this.#segments.at(-1);
    if (last !== undefined && last.length > this.#pieceSize) this.#seal(last);
    else if (last?.memory !== undefined) last.memory = Buffer.from(last.memory.subarray(0, last.length));
  }

  /**
   * The events with a `seq` above `after`, those kept and those to come; `undefined` follows the exit. Where the first ones are no
   * longer kept, it starts with the oldest that is, and the gap shows in its `seq`.
   */
  reader(after: number): EventReader {
    return new LogReader(this.#source, after);
  }

  /** Forgets everything; readers end. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#segments.length = 0;
    this.#wake();
    await rm(this.#dir, { recursive: true, force: true });
  }

  readonly #source: SegmentSource = {
    id: () => this.#id,
    segment: (number) => {
      const first = this.#segments[0];
      return first === undefined ? undefined : this.#segments[Math.max(0, number - first.number)];
    },
    finished: () => this.#disposed || this.#ended,
    load: (segment) => readFile(this.#file(segment)),
    changed: () =>
      new Promise((resolve) => {
        this.#waiting.add(resolve);
      }),
    delivered: (bytes) => {
      if (bytes <= this.#delivered) return;
      this.#delivered = bytes;
      this.#trim();
      this.#weigh();
    },
  };

  get #pieceSize(): number {
    return Math.min(64 << 10, this.#limits.segment - RECORD_HEADER);
  }

  #record(kind: number, payload: Uint8Array): void {
    if (this.#ended || this.#disposed) return;
    const length = RECORD_HEADER + payload.length;
    let segment = this.#segments.at(-1);
    if (segment === undefined || segment.state !== "filling" || segment.length + length > this.#limits.segment) {
      if (segment?.state === "filling") this.#seal(segment);
      segment = {
        number: this.#nextNumber++,
        firstSeq: this.#nextSeq,
        start: this.#total,
        count: 0,
        length: 0,
        memory: this.#spare.pop() ?? Buffer.allocUnsafe(FIRST_BUFFER),
        state: "filling",
      };
      this.#segments.push(segment);
    }
    const memory = room(segment, length, this.#limits.segment);
    memory.writeUInt8(kind, segment.length);
    memory.writeUInt32LE(payload.length, segment.length + 1);
    memory.set(payload, segment.length + RECORD_HEADER);
    segment.length += length;
    segment.count += 1;
    this.#nextSeq += 1;
    this.#total += length;
    this.#trim();
    this.#weigh();
    this.#wake();
  }

  /** Moves a segment to its file. Where that fails it stays in memory until a listener has had it. */
  #seal(segment: Segment): void {
    const { memory } = segment;
    if (memory === undefined) return;
    segment.state = "writing";
    this.#unwritten += 1;
    this.#made ??= mkdir(this.#dir, { recursive: true, mode: 0o700 });
    const written = this.#made.then(() =>
      writeFile(this.#file(segment), memory.subarray(0, segment.length), { mode: 0o600 }),
    );
    written.then(
      () => {
        segment.state = "written";
        segment.memory = undefined;
        if (!this.#ended && memory.length === this.#limits.segment) this.#spare.push(memory);
        this.#unwritten -= 1;
        if (this.#disposed || !this.#segments.includes(segment)) remove(this.#file(segment));
        this.#weigh();
      },
      () => {
        segment.state = "failed";
        this.#trim();
        this.#weigh();
      },
    );
  }

  /** Drops the oldest segments: those beyond what is kept, and those that no file could take, once they were listened to. */
  #trim(): void {
    for (;;) {
      const oldest = this.#segments[0];
      if (oldest === undefined || oldest.state === "filling" || oldest.state === "writing") return;
      if (oldest.start + oldest.length > this.#delivered) return;
      if (oldest.state === "written" && this.#total - oldest.start <= this.#limits.keep) return;
      this.#segments.shift();
      if (oldest.state === "failed") this.#unwritten -= 1;
      else remove(this.#file(oldest));
    }
  }

  #weigh(): void {
    const full = this.#total - this.#delivered > this.#limits.ahead || this.#unwritten > 2;
    const opened = this.#full && !full;
    this.#full = full;
    if (opened) this.onRoom();
  }

  #file(segment: Segment): string {
    return join(this.#dir, String(segment.number));
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}

/** The segment's buffer, grown so that `more` bytes fit. */
function room(segment: Segment, more: number, limit: number): Buffer {
  const memory = segment.memory ?? Buffer.alloc(0);
  if (segment.length + more <= memory.length) return memory;
  const grown = Buffer.allocUnsafe(Math.min(limit, Math.max(2 * memory.length, segment.length + more)));
  memory.copy(grown, 0, 0, segment.length);
  segment.memory = grown;
  return grown;
}

/** Removes a file of the spool. What cannot be removed goes with the spool itself when the daemon ends. */
function remove(file: string): void {
  rm(file, { force: true }).catch(() => {});
}
