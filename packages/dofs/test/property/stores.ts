/** The stores that properties are checked on, with a clock that counts. */

import { hash } from "node:crypto";
import type { InodeStore } from "../../src/inode-store.ts";
import { type NodeStorage, openNodeStorage } from "../../src/node/index.ts";
import { Database } from "../../src/sql/database.ts";
import { MemoryStore } from "../../src/store/memory-store.ts";
import { SqlStore } from "../../src/store/sql-store.ts";

export function sha256(bytes: Uint8Array): Uint8Array {
  return hash("sha256", bytes, "buffer");
}

/** Each call a millisecond later, so that a time that should have moved and did not is seen. */
function clock(): () => number {
  let now = 1_700_000_000_000;
  return () => ++now;
}

export function memoryStore(): InodeStore {
  return new MemoryStore({ sha256, now: clock() });
}

const opened: NodeStorage[] = [];

export function sqlStore(): InodeStore {
  const storage = openNodeStorage();
  opened.push(storage);
  return SqlStore.open(new Database(storage), { sha256, now: clock() });
}

/** Gives back the memory of the databases that {@link sqlStore} opened so far, which is not the garbage collector's to see. */
export function closeDatabases(): void {
  for (const storage of opened.splice(0)) storage.close();
}
