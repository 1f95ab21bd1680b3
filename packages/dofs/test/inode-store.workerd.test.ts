import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { Database } from "../src/sql/database.ts";
import { SqlStore } from "../src/store/sql-store.ts";
import { describeInodeStore } from "../src/testing/inode-store-suite.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

describeInodeStore("SqlStore in a Durable Object", async (body) => {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, state) => {
    let now = 1_700_000_000_000;
    await body(SqlStore.open(new Database(state.storage), { sha256, now: () => (now += 0.25) }));
  });
});
