/**
 * `node packages/computerd/test/long/filesystem-programs.ts [seconds] [program...]`, as root: programs that test file systems, on a mount.
 * Each takes so many seconds, 20 by default, and stress-ng a minute and a half. Fails where one finds a fault, or is not installed.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kernelDriver } from "../../src/fuse/kernel-driver.ts";

interface Program {
  /** The Debian package that has it. */
  readonly from: string;
  readonly command: string;
  readonly args: readonly string[];
}

const [seconds = "20", ...only] = process.argv.slice(2);

/** Of stress-ng's class "filesystem" those that are about something else: other file systems, or all mounts of the machine at once. */
const ELSEWHERE = "bind-mount,binderfs,eventfd,fanotify,io,ioprio,procfs";
/** As fio says it: blocks of all sizes at random, through a mapping, and one after the other; each block has its sum in it. */
const FIO = `--verify_fatal=1
  --name=random --rw=randrw --bs=512-64k --size=32m --numjobs=3 --ioengine=psync --verify=crc32c --verify_backlog=64
    --time_based --runtime=${seconds}
  --name=mapped --rw=randwrite --bs=4k --size=16m --ioengine=mmap --verify=crc32c
  --name=sequential --rw=write --bs=100k --size=64m --verify=md5`;
const FSMARK = "-n 2000 -s 4096 -t 4 -D 20 -L 3 -S 0";
const STRESS = `--class filesystem --exclude ${ELSEWHERE} --sequential 1 -t 1 --verify`;
const words = (line: string): string[] => line.split(/\s+/);

const PROGRAMS: Readonly<Record<string, (directory: string) => Program>> = {
  posixcheck: (directory) => ({
    from: "python3",
    command: "python3",
    args: [join(import.meta.dirname, "programs/posixcheck.py"), directory],
  }),
  fio: (directory) => ({ from: "fio", command: "fio", args: [`--directory=${directory}`, ...words(FIO)] }),
  dbench: (directory) => ({ from: "dbench", command: "dbench", args: ["-D", directory, "-t", seconds, "4"] }),
  fsmark: (directory) => ({
    from: "fsmark",
    command: "fs_mark",
    args: ["-d", directory, ...words(FSMARK)],
  }),
  "stress-ng": (directory) => ({
    from: "stress-ng",
    command: "stress-ng",
    args: [...words(STRESS), "--temp-path", directory],
  }),
};

/** What it said, and its exit code; no code where it is not installed. */
async function run({ command, args }: Program): Promise<{ code: number | undefined; said: string }> {
  // Started beside the mount, which this process serves; some leave notes where they are.
  const child = spawn(command, args, { cwd: scratch, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes) => {
      said += bytes;
    });
  const missing = await Promise.race([once(child, "close").then(() => false), once(child, "error").then(() => true)]);
  return { code: missing ? undefined : (child.exitCode ?? 1), said };
}

const scratch = mkdtempSync(join(tmpdir(), "filesystem-programs-"));
const mountPoint = join(scratch, "mnt");
const mount = await kernelDriver.mount({ root: "/workspace", mountPoint, name: "computer-programs" });
const missing: string[] = [];
try {
  const unknown = only.find((name) => !(name in PROGRAMS));
  if (unknown !== undefined) throw new Error(`There is no ${unknown}, only ${Object.keys(PROGRAMS).join(", ")}.`);
  for (const [name, program] of Object.entries(PROGRAMS)) {
    if (only.length > 0 && !only.includes(name)) continue;
    const what = program(mountPoint);
    const started = performance.now();
    const { code, said } = await run(what);
    if (code === undefined) missing.push(what.from);
    const passed = code === 0 ? "passed" : code === undefined ? "not installed" : `failed with ${code}`;
    console.log(`${name}: ${passed}, ${Math.round((performance.now() - started) / 1000)} s`);
    if (code === 0) console.log(said.trimEnd().split("\n").at(-1));
    else if (code !== undefined) console.log(said);
    if (code !== 0) process.exitCode = 1;
  }
  if (missing.length > 0) console.log(`What is not installed was not run: apt-get install ${missing.join(" ")}`);
} finally {
  await mount.close();
  rmSync(scratch, { recursive: true });
}
