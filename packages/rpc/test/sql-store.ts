/** A store over Node's SQLite. */

import { Database, SqlStore } from "@cloudflare/dofs";
import { openNodeStorage } from "@cloudflare/dofs/node";
import { clock, sha256 } from "./link.ts";
import { mkdir } from "./tree.ts";

/** A store with an empty `/workspace`. */
export function sqlStore(now: () => number = clock()): SqlStore {
  const store = SqlStore.open(new Database(openNodeStorage()), { sha256, now });
  mkdir(store, "/workspace");
  return store;
}
