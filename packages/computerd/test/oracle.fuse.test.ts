import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, test } from "vitest";
import type { Mount } from "../src/fuse/driver.ts";
import { kernelDriver } from "../src/fuse/kernel-driver.ts";

const run = promisify(execFile);
const PROGRAM = join(import.meta.dirname, "against-directory.ts");

let scratch: string;
let mount: Mount;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), "oracle-test-"));
  mount = await kernelDriver.mount({ root: "/workspace", mountPoint: join(scratch, "mnt"), name: "computer-test" });
});
afterAll(async () => {
  await mount.close();
  await rm(scratch, { recursive: true });
});

// Other seeds: `node packages/computerd/test/against-directory.ts MOUNT OTHER SEED STEPS`.
test.each([11, 12, 13])("random steps of seed %i come out as in a directory of this machine", async (seed) => {
  const places = [join(mount.mountPoint, `s${seed}`), join(scratch, `s${seed}`)];
  for (const place of places) await mkdir(place);
  await run(process.execPath, ["--no-warnings", PROGRAM, ...places, String(seed), "800"], { cwd: "/" });
});
