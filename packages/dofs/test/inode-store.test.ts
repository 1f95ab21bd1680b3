import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { BackingFiles, openNodeStorage } from "../src/node/index.ts";
import { Database } from "../src/sql/database.ts";
import { MemoryStore } from "../src/store/memory-store.ts";
import { SqlStore } from "../src/store/sql-store.ts";
import { describeInodeStore } from "../src/testing/inode-store-suite.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

/** A clock that never says the same twice. */
function clock(): () => number {
  let now = 1_700_000_000_000;
  return () => {
    now += 0.25;
    return now;
  };
}

describeInodeStore("MemoryStore", (body) => body(new MemoryStore({ sha256, now: clock() })));

describeInodeStore("MemoryStore with files for what is large", (body) => {
  const backing = new BackingFiles(tmpdir());
  try {
    body(new MemoryStore({ sha256, now: clock(), backing }));
  } finally {
    backing.close();
  }
});

describeInodeStore("SqlStore over a driver with a Durable Object's limits", async (body) => {
  const storage = openNodeStorage();
  await body(SqlStore.open(new Database(storage), { sha256, now: clock() }));
  storage.close();
});
