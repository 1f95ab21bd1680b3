/** What a push or pull says of itself while it runs and when it is done. */

import type { ChangeCursor, Conflict, Refused } from "@cloudflare/dofs";

export type SyncDirection = "pull" | "push";
export type SyncMode = "entries" | "pack";

/** One step of a push or pull: everything up to `cursor` is durably there. Counts are those of the operation so far. */
export interface SyncProgress {
  readonly operationId: string;
  /** The runtime that the cursors belong to. */
  readonly generation: string;
  readonly backend: string;
  readonly direction: SyncDirection;
  readonly mode: SyncMode;
  readonly cursor: ChangeCursor;
  /** Where the sender's stream stood when the operation began; it ends there or later. */
  readonly targetCursor: ChangeCursor;
  readonly entries: number;
  /** Bytes of contents that travelled: chunks and inline data. */
  readonly bytes: number;
  readonly skipped: number;
  readonly complete: boolean;
}

/** What a whole push or pull did. */
export interface SyncResult {
  /** Entries sent, or taken over. */
  entries: number;
  /** Bytes of contents that travelled: chunks and inline data. */
  bytes: number;
  /** Chunks that travelled. */
  chunks: number;
  /** Calls made to the other side. */
  roundTrips: number;
  /** Entries that were passed over, with why. */
  readonly refused: Refused[];
  /** Paths that both sides changed, with where the workspace's version was kept. */
  readonly conflicts: Conflict[];
  /** The place in the sender's stream that was reached. */
  cursor: ChangeCursor;
}

/** What one driver has moved since it was made. */
export interface SyncTraffic {
  entriesPushed: number;
  entriesPulled: number;
  chunksPushed: number;
  chunksPulled: number;
  /** Bytes of contents: chunks and inline data. */
  bytesPushed: number;
  bytesPulled: number;
  roundTrips: number;
  /** Bytes of chunks held at this moment between a store and the wire, and the most there ever were. */
  liveBytes: number;
  peakLiveBytes: number;
}
