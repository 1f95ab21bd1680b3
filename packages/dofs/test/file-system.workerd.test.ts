import { env, runInDurableObject } from "cloudflare:test";
import { createHash } from "node:crypto";
import { WorkspaceFilesystem } from "../src/filesystem/workspace-filesystem.ts";
import { Database } from "../src/sql/database.ts";
import { SqlStore } from "../src/store/sql-store.ts";
import { describeFileSystem } from "../src/testing/file-system-suite.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

// The largest file is in streams.workerd.test.ts.
describeFileSystem(
  "R-01 WorkspaceFilesystem in a Durable Object",
  async (body) => {
    await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, state) => {
      const db = new Database(state.storage);
      SqlStore.open(db, { sha256 });
      await body(new WorkspaceFilesystem(db));
    });
  },
  { largest: 10 * 1024 * 1024 },
);
