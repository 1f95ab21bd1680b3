/** Large contents are hashed when sync asks for them, and the mount answers meanwhile. */

import { createHash } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type KernelMount, kernelDriver } from "../src/fuse/kernel-driver.ts";
import { sh } from "./mounted.ts";

const MIB = 1 << 20;
/** A gibibyte in the long tests. */
const SIZE = (process.env.LONG === undefined ? 128 : 1024) * MIB;

let scratch: string;
let mount: KernelMount;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), "hashing-test-"));
  mount = await kernelDriver.mount({ root: "/workspace", mountPoint: join(scratch, "mnt"), name: "computer-test" });
});
afterAll(async () => {
  await mount.close();
  await rm(scratch, { recursive: true });
});

test("requests are answered while a large file is hashed, and the hashes are right", async () => {
  await sh(mount.mountPoint, `yes 'what is hashed' | head -c ${SIZE} > large`);
  const seen = (): number => mount.requests().MKNOD ?? 0;
  const making = sh(mount.mountPoint, "mkdir d; n=0; while [ ! -e stop ]; do n=$((n + 1)); : > d/$n; done; echo $n");
  while (seen() < 10) await sleep(1);
  const before = seen();
  let hashed = false;
  const entry = mount.store.entry("/workspace/large").finally(() => {
    hashed = true;
  });
  // Calls from outside are answered too.
  let calls = 0;
  const calling = (async () => {
    while (!hashed) {
      await mount.store.rev();
      calls++;
    }
  })();
  const found = await entry;
  const made = seen() - before;
  await sh(mount.mountPoint, ": > stop");
  await Promise.all([calling, making]);
  expect(made).toBeGreaterThan(20);
  expect(calls).toBeGreaterThan(20);
  const chunk = Buffer.alloc(262_144, "what is hashed\n");
  expect(found?.kind === "file" && found.chunks.length).toBe(SIZE / 262_144);
  expect(found?.kind === "file" && Buffer.from(found.chunks[0]!.hash).toString("hex")).toBe(
    createHash("sha256").update(chunk).digest("hex"),
  );
  if (process.env.LONG !== undefined) console.log(`${made} files made and ${calls} calls answered while hashing`);
});

test("a file that is written while it is hashed is told as it is then", async () => {
  await sh(mount.mountPoint, `yes 'what changes' | head -c ${16 * MIB} > changing`);
  const entry = mount.store.entry("/workspace/changing");
  const writing = sh(mount.mountPoint, "printf changed | dd of=changing bs=1 seek=300000 conv=notrunc status=none");
  const [first] = await Promise.all([entry, writing]);
  const last = await mount.store.entry("/workspace/changing");
  const [chunk] = await mount.store.getChunks([last?.kind === "file" ? last.chunks[1]!.hash : new Uint8Array()]);
  expect(Buffer.from(chunk!.bytes).includes("changed")).toBe(true);
  // The first is that of before or after, and of nothing in between.
  if (first?.kind !== "file" || last?.kind !== "file") throw new Error("no file");
  expect(first.chunks.filter(({ hash }, at) => Buffer.compare(hash, last.chunks[at]!.hash) !== 0).length).toBeLessThan(
    2,
  );
});
