import { createHash } from "node:crypto";
import { MemoryStore } from "../../src/index.ts";
import { describeProvider } from "./provider-suite.ts";

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());

describeProvider("the provider over a MemoryStore", (body) => body(new MemoryStore({ sha256 })));
