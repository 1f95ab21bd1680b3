import { createHash } from "node:crypto";
import { FileSystem } from "../src/filesystem/file-system.ts";
import { MemoryStore } from "../src/store/memory-store.ts";
import { describeFileSystem } from "../src/testing/file-system-suite.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

describeFileSystem("FileSystem over MemoryStore", async (body) => {
  await body(new FileSystem(new MemoryStore({ sha256 })));
});
