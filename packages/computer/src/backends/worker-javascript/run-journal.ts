/** What runs have said, in the workspace's database: for those who ask again, and after a restart of the object. */

import type { Database, SQLStorageLike } from "@cloudflare/dofs";
import type { RunExit, WorkspaceRuntimeEvent } from "../../runtime/event.ts";

/** How a run ended, but for its place among the events. */
export type RunEnd = Omit<RunExit, "id" | "seq" | "name">;

/** One run in the journal. */
export interface JournalRun {
  readonly id: string;
  /** Events of a run lie from `number * EVENTS_MAX` on. */
  readonly number: number;
  events: number;
  end: RunEnd | undefined;
  /** Milliseconds since 1970. */
  endedAt: number | undefined;
}

/** The most events that one run can have. */
export const EVENTS_MAX: number = 2 ** 20;

/** Bytes in one row at most. */
const ROW_BYTES = 1024 * 1024;

const STREAMS = ["stdout", "stderr"] as const;
/** Pieces of an ending that is too long for its own row lie behind the run's events, which has the empty text instead. */
const ENDING = STREAMS.length;
const IN_PIECES = "";

const TABLES = [
  `CREATE TABLE IF NOT EXISTS computer_js_runs (
    backend TEXT NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL, ended_at INTEGER, events INTEGER NOT NULL, ending TEXT,
    PRIMARY KEY (backend, id)) WITHOUT ROWID`,
  "CREATE TABLE IF NOT EXISTS computer_js_events (at INTEGER PRIMARY KEY, stream INTEGER NOT NULL, value BLOB NOT NULL)",
];
const INSERT_RUN = "INSERT INTO computer_js_runs (backend, id, number, events) VALUES (?, ?, ?, 0)";
const END_RUN = "UPDATE computer_js_runs SET ended_at = ?, events = ?, ending = ? WHERE backend = ? AND id = ?";
const DELETE_RUN = "DELETE FROM computer_js_runs WHERE backend = ? AND id = ?";
const ALL_RUNS = "SELECT id, number, ended_at, events, ending FROM computer_js_runs WHERE backend = ?";
const LAST_NUMBER = "SELECT max(number) FROM computer_js_runs";
const INSERT_EVENT = "INSERT INTO computer_js_events (at, stream, value) VALUES (?, ?, ?)";
const COUNT_EVENTS = "SELECT count(*) FROM computer_js_events WHERE at BETWEEN ? AND ?";
const READ_EVENTS = "SELECT at, stream, value FROM computer_js_events WHERE at BETWEEN ? AND ? ORDER BY at LIMIT ?";
const READ_ENDING = "SELECT value FROM computer_js_events WHERE at BETWEEN ? AND ? AND stream = ? ORDER BY at";
const DELETE_EVENTS = "DELETE FROM computer_js_events WHERE at BETWEEN ? AND ?";

/** The next free number of each database of this isolate: two workspaces over one database share it. */
const numbers = new WeakMap<SQLStorageLike, { next: number }>();

export class RunJournal {
  readonly #db: Database;
  readonly #backend: string;
  readonly #numbers: { next: number };

  /** Makes its tables where they are not there. */
  constructor(db: Database, backend: string) {
    this.#db = db;
    this.#backend = backend;
    for (const table of TABLES) db.run(table);
    const known = numbers.get(db.sql) ?? { next: (db.scalar<number | null>(LAST_NUMBER) ?? 0) + 1 };
    numbers.set(db.sql, known);
    this.#numbers = known;
  }

  /** All that are kept of this computer, those that have not ended too. */
  runs(): JournalRun[] {
    const rows = this.#db.all<{
      id: string;
      number: number;
      ended_at: number | null;
      events: number;
      ending: string | null;
    }>(ALL_RUNS, this.#backend);
    return rows.map(({ id, number, ended_at, events, ending }) => ({
      id,
      number,
      events: ending === null ? this.#count(number) : events,
      end: ending === null ? undefined : (JSON.parse(ending === IN_PIECES ? this.#ending(number) : ending) as RunEnd),
      endedAt: ended_at ?? undefined,
    }));
  }

  begin(id: string): JournalRun {
    const number = this.#numbers.next++;
    this.#db.run(INSERT_RUN, this.#backend, id, number);
    return { id, number, events: 0, end: undefined, endedAt: undefined };
  }

  /** Appends output, in as many events as it takes. */
  say(run: JournalRun, name: (typeof STREAMS)[number], value: Uint8Array): void {
    run.events += this.#insert(run, STREAMS.indexOf(name), value);
  }

  end(run: JournalRun, end: RunEnd, now: number): void {
    const ending = JSON.stringify(end);
    const bytes = new TextEncoder().encode(ending);
    const long = bytes.length > ROW_BYTES;
    this.#db.transactionSync(() => {
      if (long) this.#insert(run, ENDING, bytes);
      this.#db.run(END_RUN, now, run.events, long ? IN_PIECES : ending, this.#backend, run.id);
    });
    run.end = end;
    run.endedAt = now;
  }

  forget(run: JournalRun): void {
    this.#db.run(DELETE_EVENTS, ...range(run.number));
    this.#db.run(DELETE_RUN, this.#backend, run.id);
  }

  /** Output from the event `seq` on, at most `limit` events; without the exit. */
  read(run: JournalRun, seq: number, limit: number): WorkspaceRuntimeEvent[] {
    const from = run.number * EVENTS_MAX;
    const rows = this.#db.all<{ at: number; stream: number; value: ArrayBuffer }>(
      READ_EVENTS,
      from + seq,
      from + run.events - 1,
      limit,
    );
    return rows.map(({ at, stream, value }) => ({
      id: run.id,
      seq: at - from,
      name: STREAMS[stream] ?? "stdout",
      value: new Uint8Array(value),
    }));
  }

  /** Behind the run's events, in as many rows as it takes; how many those are. */
  #insert(run: JournalRun, stream: number, value: Uint8Array): number {
    let rows = 0;
    for (let at = 0; at < value.length; at += ROW_BYTES) {
      const piece = value.slice(at, at + ROW_BYTES).buffer;
      this.#db.run(INSERT_EVENT, run.number * EVENTS_MAX + run.events + rows, stream, piece);
      rows += 1;
    }
    return rows;
  }

  #ending(number: number): string {
    const pieces = this.#db.all<{ value: ArrayBuffer }>(READ_ENDING, ...range(number), ENDING);
    const decoder = new TextDecoder();
    return pieces.map(({ value }) => decoder.decode(value, { stream: true })).join("") + decoder.decode();
  }

  #count(number: number): number {
    return this.#db.scalar<number>(COUNT_EVENTS, ...range(number)) ?? 0;
  }
}

function range(number: number): [number, number] {
  return [number * EVENTS_MAX, (number + 1) * EVENTS_MAX - 1];
}
