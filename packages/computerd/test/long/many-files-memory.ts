/**
 * `node packages/computerd/test/long/many-files-memory.ts`, as root: 200,000 files with 2 GB in the mount of a daemon, made by a program and
 * read by another. Fails where the daemon takes 400 MB of memory or more.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDaemonProcess } from "../daemon-process.ts";

const MOST_MB = 400;
const DIRECTORIES = 200;
const FILES = 1000;
/** Of a hundred files ninety have 4,000 bytes, nine 50,000 and one 190,000: 10,000 on average. */
const MAKE = `
  import fs from "node:fs";
  const bytes = Buffer.alloc(190_000, "some text of a program that stands in a file; ");
  for (let d = 0; d < ${DIRECTORIES}; d++) {
    fs.mkdirSync("d" + d);
    for (let f = 0; f < ${FILES}; f++) {
      const size = f % 100 === 0 ? 190_000 : f % 11 === 0 ? 50_000 : 4000;
      fs.writeFileSync("d" + d + "/file-" + f + ".ts", bytes.subarray(0, size));
    }
  }`;
const READ = "find . -type f | wc -l; find . -type f -exec cat {} + | wc -c; ls -lR > /dev/null";

const scratch = mkdtempSync(join(tmpdir(), "many-files-"));
const mountPoint = join(scratch, "mnt");
const daemon = await startDaemonProcess({ MOUNT_POINT: mountPoint });
// The secret is hidden by a process that becomes the daemon.
const { pid } = daemon.child;

/** What the daemon takes of the memory now, and took at most, in MB. */
function memory(): { now: number; most: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const of = (name: string): number => Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1000);
  return { now: of("VmRSS"), most: of("VmHWM") };
}

async function does(what: string, command: string, args: string[]): Promise<string> {
  const start = performance.now();
  const child = spawn(command, args, { cwd: "/", stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (bytes) => {
    said += bytes;
  });
  const [code] = await once(child, "close");
  assert.equal(code, 0, `${what} failed`);
  const { now, most } = memory();
  console.log(`${what}: ${Math.round((performance.now() - start) / 1000)} s, ${now} MB of memory (${most} MB at most)`);
  return said;
}

try {
  console.log(`an empty mount: ${memory().now} MB of memory`);
  const inMount = `process.chdir(${JSON.stringify(mountPoint)});`;
  await does("200,000 files made", process.execPath, ["--input-type=module", "-e", MAKE.replace("\n", `\n${inMount}`)]);
  const said = await does("all of them read", "/bin/sh", ["-c", `cd ${mountPoint}; ${READ}`]);
  const [files, bytes] = said.trim().split("\n").map(Number);
  assert.equal(files, DIRECTORIES * FILES);
  assert((bytes ?? 0) > 1.9e9, `${bytes} bytes`);
  await does("half of them removed", "/bin/sh", ["-c", `cd ${mountPoint}; rm -rf d*[02468]`]);
  const { most } = memory();
  assert(most < MOST_MB, `the daemon took ${most} MB of memory, more than ${MOST_MB}`);
} finally {
  daemon.child.kill("SIGTERM");
  await daemon.ended;
  rmSync(scratch, { recursive: true });
}
