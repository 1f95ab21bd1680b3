/** How much a batch of a sync may hold. */

import type { ChangeEntry } from "@cloudflare/dofs";

export interface SyncLimits {
  /** Entries of a page. */
  readonly entries: number;
  /** Bytes of inline data and metadata of a page. */
  readonly bytes: number;
  /** Bytes of contents that a page's entries name by hash; they need not all travel, and never at once. */
  readonly contents: number;
  /** A push whose contents are no more than this many bytes brings them along, though the computer could fetch them. */
  readonly prefetch: number;
  /** Bytes of chunks in one message. */
  readonly messageBytes: number;
  /** Bytes of chunks on their way at any moment. */
  readonly liveBytes: number;
}

const KIB = 1_024;

export const SYNC_LIMITS: SyncLimits = Object.freeze({
  entries: 1_000,
  bytes: 1_024 * KIB,
  contents: 64 * 1_024 * KIB,
  prefetch: 1_024 * KIB,
  messageBytes: 1_024 * KIB,
  liveBytes: 4 * 1_024 * KIB,
});

/** The most entries that one page may have, whoever sends it. */
export const MAX_PAGE_ENTRIES = 10_000;

/** What an entry costs to hold: its inline data and a guess at the rest. */
export function entryBytes(entry: ChangeEntry): number {
  const fixed = 100 + entry.path.length;
  return entry.kind === "file" ? fixed + (entry.data?.byteLength ?? 0) + 40 * entry.chunks.length : fixed;
}
