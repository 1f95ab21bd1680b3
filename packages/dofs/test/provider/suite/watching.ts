/** Watching directories, files and attributes. */

import { expect } from "vitest";
import { rm } from "../../../src/filesystem/rm.ts";
import { writeFile } from "../../../src/filesystem/write-file.ts";
import type { StoreProvider } from "../../../src/provider/store-provider.ts";
import type { On } from "./context.ts";

/** What a watch's listener was told, as `event name`. */
function record(
  fs: StoreProvider,
  path: string,
  options = {},
): { told: string[]; watcher: ReturnType<StoreProvider["watch"]> } {
  const told: string[] = [];
  const watcher = fs.watch(path, options);
  watcher.on("change", (event, name) => told.push(`${event} ${name}`));
  watcher.on("reset", () => told.push("reset"));
  return { told, watcher };
}

export function testWatch(on: On): void {
  const settled = () => new Promise<void>((resolve) => setTimeout(resolve));

  on("tells exactly what came, went and changed, once for each transaction", async (fs, store) => {
    fs.mkdirSync("/w/d");
    const { told, watcher } = record(fs, "/w", { recursive: true });
    const after = async (change: () => void) => {
      told.length = 0;
      change();
      expect(told).toEqual([]);
      await settled();
      return told;
    };
    expect(await after(() => fs.writeFileSync("/w/f", "1"))).toEqual(["rename f"]);
    expect(await after(() => fs.writeFileSync("/w/f", "2"))).toEqual(["change f"]);
    expect(await after(() => fs.writeFileSync("/w/d/x", "1"))).toEqual(["rename d/x"]);
    expect(await after(() => fs.renameSync("/w/d/x", "/w/y"))).toEqual(["rename d/x", "rename y"]);
    expect(await after(() => fs.chmodSync("/w/d", 0o700))).toEqual(["change d"]);
    expect(await after(() => fs.linkSync("/w/y", "/w/z"))).toEqual(["change y", "rename z"]);
    expect(await after(() => fs.writeFileSync("/w/z", "2"))).toEqual(["change y", "change z"]);
    expect(await after(() => fs.unlinkSync("/w/z"))).toContain("rename z");
    expect(await after(() => writeFile(store, "/elsewhere", "x"))).toEqual([]);
    const both = () =>
      store.transaction(() => {
        fs.writeFileSync("/w/f", "3");
        fs.writeFileSync("/w/f", "4");
        fs.mkdirSync("/w/e");
      });
    expect((await after(both)).sort()).toEqual(["change f", "rename e"]);
    const failing = () =>
      expect(() =>
        store.transaction(() => {
          fs.writeFileSync("/w/f", "5");
          throw new Error("no");
        }),
      ).toThrowError("no");
    expect(await after(failing)).toEqual([]);
    watcher.close();
    expect(await after(() => fs.writeFileSync("/w/f", "6"))).toEqual([]);
  });

  on("of a directory sees only its own entries unless it is recursive; a moved tree is its top", async (fs) => {
    fs.mkdirSync("/w/d/e", { recursive: true });
    for (let i = 0; i < 20; i++) fs.writeFileSync(`/w/d/e/${i}`, "");
    const flat = record(fs, "/w");
    const deep = record(fs, "/w", { recursive: true });
    fs.writeFileSync("/w/d/e/0", "x");
    await settled();
    fs.renameSync("/w/d", "/w/moved");
    await settled();
    fs.mkdirSync("/w/other");
    fs.renameSync("/w/moved/e", "/w/other/e");
    await settled();
    expect(flat.told).toEqual(["rename d", "rename moved", "rename other"]);
    expect(deep.told).toEqual([
      "change d/e/0",
      "rename d",
      "rename moved",
      "rename other",
      "rename moved/e",
      "rename other/e",
    ]);
  });

  on("of a file tells of it alone, by its own name", async (fs) => {
    fs.writeFileSync("/w/f", "1");
    fs.symlinkSync("f", "/w/link");
    const { told } = record(fs, "/w/link");
    fs.writeFileSync("/w/g", "1");
    fs.writeFileSync("/w/f", "2");
    await settled();
    fs.unlinkSync("/w/f");
    await settled();
    expect(told).toEqual(["change f", "rename f"]);
    expect(() => fs.watch("/w/none")).toThrowError("ENOENT: no such file or directory, watch '/w/none'");
  });

  on("tells that the watched directory went", async (fs, store) => {
    fs.mkdirSync("/w/d");
    fs.writeFileSync("/w/d/f", "");
    const { told } = record(fs, "/w/d");
    rm(store, "/w/d", { recursive: true });
    await settled();
    expect(told).toEqual(["rename d"]);
  });

  on("goes on after a revision, and says so when that is too old", async (fs, store) => {
    const first = record(fs, "/w");
    fs.writeFileSync("/w/a", "");
    await settled();
    first.watcher.close();
    fs.writeFileSync("/w/b", "");
    fs.writeFileSync("/w/a", "x");
    const { told } = record(fs, "/w", { since: first.watcher.rev });
    await settled();
    expect([first.told, told.sort()]).toEqual([["rename a"], ["change a", "rename b"]]);
    const { told: lost } = record(fs, "/w", { since: store.rev() + 5 });
    await settled();
    expect(lost).toEqual(["reset"]);
    expect(() => fs.watch("/w", { since: -1 })).toThrowError(/^EINVAL: since/);
  });

  on("as an iterable ends with its signal or its loop, and keeps no more than what changed", async (fs) => {
    const stop = new AbortController();
    const watch = fs.watchAsync("/w", { signal: stop.signal });
    for (let i = 0; i < 100; i++) {
      fs.writeFileSync("/w/f", String(i));
      await settled();
    }
    fs.writeFileSync("/w/g", "");
    expect(await watch.next()).toEqual({ value: { eventType: "rename", filename: "f" }, done: false });
    expect(await watch.next()).toEqual({ value: { eventType: "rename", filename: "g" }, done: false });
    const waiting = watch.next();
    setTimeout(() => fs.writeFileSync("/w/f", "later"));
    expect(await waiting).toEqual({ value: { eventType: "change", filename: "f" }, done: false });
    const last = watch.next();
    stop.abort();
    expect(await last).toEqual({ value: undefined, done: true });
    const rest = fs.watchAsync("/w", { since: watch.rev });
    fs.unlinkSync("/w/g");
    for await (const event of rest) {
      expect(event).toEqual({ eventType: "rename", filename: "g" });
      break;
    }
    expect(await rest.next()).toEqual({ value: undefined, done: true });
  });

  on("of attributes calls back with the new and the old", async (fs) => {
    const seen: number[][] = [];
    const listener = (now: { size: number }, before: { size: number }) => seen.push([before.size, now.size]);
    fs.watchFile("/w/f", {}, listener);
    fs.writeFileSync("/w/f", "abc");
    await settled();
    fs.writeFileSync("/w/other", "");
    await settled();
    fs.unlinkSync("/w/f");
    await settled();
    fs.unwatchFile("/w/f", listener);
    fs.writeFileSync("/w/f", "abcd");
    await settled();
    expect(seen).toEqual([
      [0, 3],
      [3, 0],
    ]);
  });
}
