/** What holds at a mount, whichever driver serves it. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { FuseDriver } from "../src/fuse/driver.ts";
import { describeAbsentContents } from "./mount/absent-contents.ts";
import { describeDirectories } from "./mount/directories.ts";
import { describeFiles } from "./mount/files.ts";
import { describeLimits } from "./mount/limits.ts";
import { type Gap, MountUnderTest, ROOT } from "./mount/mount-under-test.ts";
import { describeOutsideChanges } from "./mount/outside-changes.ts";
import { describePrograms } from "./mount/programs.ts";
import { sh } from "./mounted.ts";

/** Tests on real mounts of this machine. */
export function describeMount(driver: FuseDriver, gaps: readonly Gap[] = []): void {
  const on = new MountUnderTest(driver, gaps);
  beforeAll(() => on.open());
  beforeEach(() => on.nextDirectory());
  afterAll(() => on.close());

  describeFiles(on);
  describeDirectories(on);
  describePrograms(on);
  describeOutsideChanges(on);
  describeAbsentContents(on);
  describeLimits(on);

  test("a place for large contents that cannot be written is refused, and nothing is mounted", async () => {
    const mountPoint = join(on.scratch, "refused");
    const mounted = driver.mount({
      root: ROOT,
      mountPoint,
      name: "computer-test",
      contentsDirectory: "/dev/null/none",
    });
    await expect(mounted).rejects.toThrow(
      /EUNAVAILABLE: Large contents cannot be kept in \/dev\/null\/none\. Set TMPDIR/,
    );
    expect(await readFile("/proc/self/mounts", "utf8")).not.toContain(mountPoint);
  });

  test("once closed, nothing is mounted and nothing hangs", async () => {
    const other = await driver.mount({ root: ROOT, mountPoint: join(on.scratch, "other"), name: "computer-test" });
    await sh(other.mountPoint, "echo x > f");
    await other.close();
    await other.close();
    expect(await readdir(other.mountPoint)).toEqual([]);
    expect(await readFile("/proc/self/mounts", "utf8")).not.toContain(other.mountPoint);
  });
}
