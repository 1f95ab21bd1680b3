import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database, SqlStore } from "@cloudflare/dofs";
import { openNodeStorage } from "@cloudflare/dofs/node";
import { expect, test } from "vitest";
import { SyncDriver } from "../../src/index.ts";
import { largeRevision } from "../large-revision.ts";
import { clock, sha256 } from "../link.ts";
import { find, mkdir } from "../tree.ts";

test("Y-06 256 files of 10 MB in one revision hold less than 64 MB at a time", { timeout: 1_800_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), "large-revision-"));
  const storage = openNodeStorage(join(directory, "db"));
  try {
    const workspace = SqlStore.open(new Database(storage), { sha256, now: clock() });
    mkdir(workspace, "/workspace");
    const { rpc, asked } = largeRevision(256, 10_000_000);
    const driver = new SyncDriver({ store: workspace, rpc, runtimeId: "large" });
    expect(await driver.pullAll()).toMatchObject({ entries: 256, bytes: 2_560_000_000, refused: [] });
    expect(driver.traffic.peakLiveBytes).toBeLessThanOrEqual(4 << 20);
    expect(asked.most).toBeLessThanOrEqual(4 << 20);
    expect(find(workspace, "/workspace/255")).toMatchObject({ size: 10_000_000 });
  } finally {
    storage.close();
    rmSync(directory, { recursive: true });
  }
});
