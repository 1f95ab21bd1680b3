import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Operation } from "../src/fuse/kernel/protocol.ts";
import { type KernelMount, kernelDriver } from "../src/fuse/kernel-driver.ts";
import { type Running, start } from "./mounted.ts";

/** A program that does one line of JavaScript after the other, and says when it has. */
const STEPS = `exec node --no-warnings --input-type=module -e '
  import fs from "node:fs";
  import readline from "node:readline";
  for await (const line of readline.createInterface({ input: process.stdin })) {
    new Function("fs", line)(fs);
    console.log("done");
  }'`;

let scratch: string;
let mount: KernelMount;
let steps: Running;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), "requests-test-"));
  mount = await kernelDriver.mount({ root: "/workspace", mountPoint: join(scratch, "mnt"), name: "computer-test" });
  steps = start(mount.mountPoint, STEPS.replace("node", process.execPath));
  // The first of each tells the kernel what it can do without.
  await does(`fs.writeFileSync("first", "x"); fs.readFileSync("first"); fs.readdirSync(".")`);
});
afterAll(async () => {
  await steps[Symbol.asyncDispose]();
  await mount.close();
  await rm(scratch, { recursive: true });
});

/** What the kernel asks while a step is done. That it forgets something takes no answer and does not count. */
async function requests(step: string): Promise<Partial<Record<Operation, number>>> {
  const before = mount.requests();
  await does(step);
  const { FORGET, BATCH_FORGET, ...after } = mount.requests();
  const asked = Object.entries(after).map(([name, count]) => [name, count - (before[name as Operation] ?? 0)] as const);
  return Object.fromEntries(asked.filter(([, count]) => count > 0));
}

async function does(step: string): Promise<void> {
  steps.say(step);
  expect(await steps.line()).toBe("done");
}

const WRITE_NEW = `const fd = fs.openSync("NAME", "w"); fs.writeSync(fd, "text"); fs.closeSync(fd);`;

test("a small file is created, written and closed with five", async () => {
  await does(WRITE_NEW.replace("NAME", "a"));
  const { GETATTR: parent, ...others } = await requests(WRITE_NEW.replace("NAME", "b"));
  expect(others).toEqual({ LOOKUP: 1, MKNOD: 1, GETXATTR: 1, WRITE: 1 });
  expect(parent ?? 0).toBeLessThanOrEqual(1);
});

test("a file is overwritten with two, and a question about its capabilities", async () => {
  // The kernel remembers that there are none until it is told of attributes, and the answer to the SETATTR does that. Only a mount
  // without extended attributes is not asked.
  await does(WRITE_NEW.replace("NAME", "over"));
  await does(WRITE_NEW.replace("NAME", "over"));
  expect(await requests(WRITE_NEW.replace("NAME", "over"))).toEqual({ SETATTR: 1, WRITE: 1, GETXATTR: 1 });
});

test("each append is one", async () => {
  await does(`fs.writeFileSync("log", "a"); globalThis.log = fs.openSync("log", "a"); fs.writeSync(log, "b")`);
  expect(await requests(`fs.writeSync(log, "c")`)).toEqual({ WRITE: 1 });
  await does("fs.closeSync(log)");
});

test("a small file is read with one, and then with none", async () => {
  await does(`fs.writeFileSync("read", "text"); fs.statSync("read")`);
  const read = `const fd = fs.openSync("read"); fs.readSync(fd, Buffer.alloc(100)); fs.closeSync(fd)`;
  expect(await requests(read)).toEqual({ READ: 1 });
  expect(await requests(read)).toEqual({});
});

test("attributes are asked for once, what is not there too", async () => {
  await does(`fs.writeFileSync("stat", "text"); fs.statSync("stat")`);
  expect(await requests(`for (let n = 0; n < 100; n++) fs.statSync("stat")`)).toEqual({});
  expect(await requests(`for (let n = 0; n < 100; n++) fs.existsSync("none")`)).toEqual({ LOOKUP: 1 });
});

test("removing takes two, making a directory three, renaming three", async () => {
  await does(`fs.mkdirSync("names"); for (const name of "abcd") fs.writeFileSync("names/" + name, "")`);
  await does(`fs.unlinkSync("names/a")`);
  expect(await requests(`fs.unlinkSync("names/b")`)).toEqual({ GETATTR: 1, UNLINK: 1 });
  expect(await requests(`fs.mkdirSync("names/dir")`)).toEqual({ LOOKUP: 1, GETATTR: 1, MKDIR: 1 });
  expect(await requests(`fs.rmdirSync("names/dir")`)).toEqual({ GETATTR: 1, RMDIR: 1 });
  expect(await requests(`fs.renameSync("names/c", "names/e")`)).toEqual({ LOOKUP: 1, GETATTR: 1, RENAME: 1 });
});

test("a thousand names are listed with their attributes with four, and again with none", async () => {
  await does(`fs.mkdirSync("many"); for (let n = 0; n < 1000; n++) fs.writeFileSync("many/file" + n, "")`);
  const list = `for (const name of fs.readdirSync("many")) fs.statSync("many/" + name)`;
  expect(await requests(list)).toEqual({ GETATTR: 1, READDIRPLUS: 3 });
  expect(await requests(list)).toEqual({ GETATTR: 1 });
  expect(await requests(list)).toEqual({});
});

test("large contents pass in pieces of 1 MiB", async () => {
  const write = `const fd = fs.openSync("large", "w"); fs.writeSync(fd, Buffer.alloc(8 << 20, "x")); fs.closeSync(fd)`;
  expect((await requests(write)).WRITE).toBe(8);
  const read = `const fd = fs.openSync("large"); for (let n = 0; n < 8; n++) fs.readSync(fd, Buffer.alloc(1 << 20)); fs.closeSync(fd)`;
  // What was written is still in the kernel.
  expect((await requests(read)).READ).toBe(undefined);
});

test("an idle mount is asked nothing", async () => {
  const before = mount.requests();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(mount.requests()).toEqual(before);
});
