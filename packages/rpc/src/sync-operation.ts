/** One push or pull under way: where it is, what it has done, and when it is complete. */

import {
  type ApplyOutcome,
  type ChangeCursor,
  type ChangeEntry,
  type ChangePage,
  type Refused,
  START,
} from "@cloudflare/dofs";
import type { Moved } from "./chunk-mover.ts";
import type { SyncDirection, SyncProgress, SyncResult, SyncTraffic } from "./sync-progress.ts";

export interface SyncOperationOptions {
  readonly direction: SyncDirection;
  readonly backend: string;
  readonly generation: string;
  /** The driver's counters; round trips since now are this operation's. */
  readonly traffic: Readonly<SyncTraffic>;
}

export class SyncOperation {
  readonly result: SyncResult = {
    entries: 0,
    bytes: 0,
    chunks: 0,
    roundTrips: 0,
    refused: [],
    conflicts: [],
    cursor: START,
  };
  /** The place in the sender's stream at which the operation ends. */
  target: ChangeCursor | undefined;
  complete = false;
  readonly #options: SyncOperationOptions;
  readonly #operationId = crypto.randomUUID();
  readonly #roundTripsBefore: number;
  readonly #missing = new Set<string>();

  constructor(options: SyncOperationOptions) {
    this.#options = options;
    this.#roundTripsBefore = options.traffic.roundTrips;
  }

  /** Counts contents that travelled, as chunks and inside of entries. */
  moved({ chunks, bytes }: Moved, entries: readonly ChangeEntry[]): void {
    this.result.chunks += chunks;
    this.result.bytes += bytes;
    for (const entry of entries) if (entry.kind === "file") this.result.bytes += entry.data?.byteLength ?? 0;
  }

  /** Notes a page as done. */
  reached({ cursor, done }: Pick<ChangePage, "cursor" | "done">): void {
    this.result.cursor = cursor;
    this.complete = done || (this.target !== undefined && isAtOrPast(cursor, this.target));
  }

  /** Notes what became of entries that were taken over. */
  took(outcome: ApplyOutcome, entries: readonly ChangeEntry[]): void {
    this.result.entries += outcome.applied;
    this.result.conflicts.push(...outcome.conflicts);
    for (const { path } of entries) this.#missing.delete(path);
    for (const refused of outcome.refused) {
      if (refused.reason === "missing-chunks") this.#missing.add(refused.path);
      else this.result.refused.push(refused);
    }
  }

  /** Notes what the sender has and does not carry, each path once. */
  leftOut(refused: readonly Refused[]): void {
    const known = new Set(this.result.refused.map(({ path }) => path));
    this.result.refused.push(...refused.filter(({ path }) => !known.has(path)));
  }

  /** The paths whose contents could not be fetched since this was last asked. */
  takeMissing(): string[] {
    const paths = [...this.#missing];
    this.#missing.clear();
    return paths;
  }

  progress(): SyncProgress {
    const { direction, backend, generation, traffic } = this.#options;
    this.result.roundTrips = traffic.roundTrips - this.#roundTripsBefore;
    const { cursor, entries, bytes, refused } = this.result;
    return {
      operationId: this.#operationId,
      generation,
      backend,
      direction,
      mode: "entries",
      cursor,
      targetCursor: this.target ?? cursor,
      entries,
      bytes,
      skipped: refused.length,
      complete: this.complete,
    };
  }
}

function isAtOrPast(cursor: ChangeCursor, target: ChangeCursor): boolean {
  if (cursor.baseline !== undefined || cursor.rev < target.rev) return false;
  return cursor.rev > target.rev || cursor.path === null || cursor.path === target.path;
}
