/** The stores that properties are checked on, with a clock that counts. */

import { createHash } from "node:crypto";
import type { InodeStore } from "../../src/inode-store.ts";
import { openNodeStorage } from "../../src/node/index.ts";
import { Database } from "../../src/sql/database.ts";
import { MemoryStore } from "../../src/store/memory-store.ts";
import { SqlStore } from "../../src/store/sql-store.ts";

export function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

/** Each call a millisecond later, so that a time that should have moved and did not is seen. */
function clock(): () => number {
  let now = 1_700_000_000_000;
  return () => ++now;
}

export function memoryStore(): InodeStore {
  return new MemoryStore({ sha256, now: clock() });
}

export function sqlStore(): InodeStore {
  return SqlStore.open(new Database(openNodeStorage()), { sha256, now: clock() });
}
