import { createHash } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { VirtualFileSystem, type VirtualProvider } from "@platformatic/vfs";
import { expect, onTestFinished, test } from "vitest";
import { MemoryStore } from "../../src/index.ts";
import { withFileHandles } from "../../src/provider/file-handle.ts";
import { StoreProvider } from "../../src/provider/store-provider.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

/** Its declarations want classes of its own, where any object with the methods will do. */
function mount(provider: object, options: { moduleHooks: boolean }): VirtualFileSystem {
  const vfs = new VirtualFileSystem(provider as VirtualProvider, options).mount("/virtual");
  onTestFinished(() => vfs.unmount());
  return vfs;
}

function provider(): StoreProvider {
  const made = new StoreProvider(new MemoryStore({ sha256 }));
  made.mkdirSync("/lib");
  made.writeFileSync("/lib/answer.cjs", "module.exports = require('./six.cjs') * 7;");
  made.writeFileSync("/lib/six.cjs", "module.exports = 6;");
  return made;
}

test("mounted, its files are seen by Node's own fs and by require", () => {
  mount(provider(), { moduleHooks: true });
  expect(fs.readFileSync("/virtual/lib/six.cjs", "utf8")).toBe("module.exports = 6;");
  expect([fs.existsSync("/virtual/lib"), fs.existsSync("/virtual/none")]).toEqual([true, false]);
  expect(fs.readdirSync("/virtual/lib")).toEqual(["answer.cjs", "six.cjs"]);
  expect(createRequire("/virtual/")("/virtual/lib/answer.cjs")).toBe(42);
});

test("the calls of a virtual filesystem reach it", async () => {
  const vfs = mount(provider(), { moduleHooks: false });
  vfs.writeFileSync("/virtual/a", "1");
  vfs.appendFileSync("/virtual/a", "2");
  vfs.symlinkSync("a", "/virtual/l");
  await vfs.promises.copyFile("/virtual/l", "/virtual/b");
  await vfs.promises.rename("/virtual/b", "/virtual/lib/b");
  expect(await vfs.promises.readFile("/virtual/lib/b", "utf8")).toBe("12");
  expect([vfs.realpathSync("/virtual/l"), vfs.readlinkSync("/virtual/l")]).toEqual(["/virtual/a", "a"]);
  expect(vfs.mkdirSync("/virtual/x/y", { recursive: true })).toBe("/virtual/x");
  expect(vfs.statSync("/virtual/a").size).toBe(2);
  expect(() => vfs.rmdirSync("/virtual/x")).toThrowError(/^ENOTEMPTY/);
  const told: string[] = [];
  const watcher = vfs.watch("/virtual", {}, (event: string, name: string) => told.push(`${event} ${name}`));
  vfs.unlinkSync("/virtual/a");
  await new Promise((resolve) => setTimeout(resolve));
  watcher.close();
  expect(told).toEqual(["rename a"]);
});

test("with file handles, its descriptors and streams do too", async () => {
  const vfs = mount(withFileHandles(provider()), { moduleHooks: false });
  const fd = vfs.openSync("/virtual/lib/six.cjs", "r");
  const buffer = Buffer.alloc(6);
  expect([vfs.readSync(fd, buffer, 0, 6, 0), buffer.toString(), vfs.fstatSync(fd).size]).toEqual([6, "module", 19]);
  vfs.closeSync(fd);
  const stream = vfs.createReadStream("/virtual/lib/six.cjs", { start: 17 });
  // Its streams give nothing to one who reads before the file is open.
  await once(stream, "ready");
  expect(await text(stream)).toBe("6;");
  await vfs.promises.writeFile("/virtual/new", "x");
  expect(vfs.readFileSync("/virtual/new", "utf8")).toBe("x");
});
