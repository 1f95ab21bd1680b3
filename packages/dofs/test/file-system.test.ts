import { createHash } from "node:crypto";
import { FileSystem } from "../src/filesystem/file-system.ts";
import { WorkspaceFilesystem } from "../src/filesystem/workspace-filesystem.ts";
import { openNodeStorage } from "../src/node/index.ts";
import { Database } from "../src/sql/database.ts";
import { MemoryStore } from "../src/store/memory-store.ts";
import { SqlStore } from "../src/store/sql-store.ts";
import { describeFileSystem } from "../src/testing/file-system-suite.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

describeFileSystem(
  "FileSystem over MemoryStore",
  async (body) => {
    await body(new FileSystem(new MemoryStore({ sha256 })));
  },
  { largest: 10 * 1024 * 1024 },
);

describeFileSystem("R-01 WorkspaceFilesystem over a driver with a Durable Object's limits", async (body) => {
  const storage = openNodeStorage();
  const db = new Database(storage);
  SqlStore.open(db, { sha256 });
  await body(new WorkspaceFilesystem(db));
  storage.close();
});
