import { expect, test } from "vitest";
import { SyncDriver } from "../src/index.ts";
import { largeRevision } from "./large-revision.ts";
import { sqlStore } from "./sql-store.ts";
import { find } from "./tree.ts";

const MIB = 1 << 20;

test("Y-06 256 files in one revision hold 4 MiB of contents at a time, whatever they have in all", async () => {
  const { rpc, asked } = largeRevision(256, MIB);
  const workspace = sqlStore();
  const driver = new SyncDriver({ store: workspace, rpc, runtimeId: "large" });
  expect(await driver.pullAll()).toMatchObject({ entries: 256, chunks: 1_024, bytes: 256 * MIB, refused: [] });
  expect(driver.traffic.peakLiveBytes).toBe(4 * MIB);
  expect(asked.most).toBe(4 * MIB);
  expect(driver.traffic.liveBytes).toBe(0);
  expect(find(workspace, "/workspace/255")).toMatchObject({ size: MIB });
});
