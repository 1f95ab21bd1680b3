/** The filesystem in memory, for a computer that mounts a copy of it. */

import type { Sha256 } from "./chunks.ts";
import { MemoryRows, rootRow } from "./memory-rows.ts";
import { TreeStore, type TreeStoreOptions } from "./tree-store.ts";

/** What a workspace holds at most, in bytes. */
const TOTAL_BYTES = 10_000_000_000;

export interface MemoryStoreOptions extends TreeStoreOptions {
  readonly sha256: Sha256;
  /** What `statfs` tells as the whole, in bytes. Default 10 GB. */
  readonly totalBytes?: number | undefined;
}

/** Keeps special files, owners and any names; chunks may be absent. */
export class MemoryStore extends TreeStore {
  constructor(options: MemoryStoreOptions) {
    const now = options.now ?? Date.now;
    super(new MemoryRows(options.sha256, options.totalBytes ?? TOTAL_BYTES, rootRow(now())), options);
  }
}
