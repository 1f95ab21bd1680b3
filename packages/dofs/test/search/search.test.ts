import { createHash } from "node:crypto";
import { MemoryStore } from "../../src/index.ts";
import { describeSearch } from "./search-suite.ts";

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());

describeSearch("search in a MemoryStore", (body) => body(new MemoryStore({ sha256 })));
