import { createHash } from "node:crypto";
import { MemoryStore } from "../../src/index.ts";
import { openNodeStorage } from "../../src/node/index.ts";
import { Database } from "../../src/sql/database.ts";
import { SqlStore } from "../../src/store/sql-store.ts";
import { describeProvider } from "./provider-suite.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

describeProvider("the provider over a MemoryStore", (body) => body(new MemoryStore({ sha256 })));
describeProvider("the provider over a SqlStore", (body) =>
  body(SqlStore.open(new Database(openNodeStorage()), { sha256 })),
);
