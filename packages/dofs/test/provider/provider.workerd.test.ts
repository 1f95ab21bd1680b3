import { env, runInDurableObject } from "cloudflare:test";
import { createHash } from "node:crypto";
import { Database } from "../../src/sql/database.ts";
import { SqlStore } from "../../src/store/sql-store.ts";
import { describeProvider } from "./provider-suite.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

describeProvider("the provider in a Durable Object", async (body) => {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), (_object, state) =>
    body(SqlStore.open(new Database(state.storage), { sha256 })),
  );
});
