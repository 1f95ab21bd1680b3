import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChangeEntry } from "@cloudflare/dofs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FilesMount, filesDriver } from "../src/files/files-driver.ts";

const PEER = "workspace";
let scratch: string;
let place: string;
let mount: FilesMount;

beforeEach(async () => {
  scratch = mkdtempSync(join(tmpdir(), "files-"));
  place = join(scratch, "workspace");
  mount = await filesDriver.mount({ root: "/workspace", mountPoint: place, name: "test", contentsDirectory: scratch });
});

afterEach(async () => {
  await mount.close();
  rmSync(scratch, { recursive: true, force: true });
});

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const file = (path: string, data: string, more: object = {}): ChangeEntry => ({
  kind: "file",
  rev: 1,
  path: `/workspace/${path}`,
  mode: 0o644,
  mtime: 1_700_000_000_123,
  size: data.length,
  chunks: [],
  data: text(data),
  ...more,
});
const dir = (path: string, more: object = {}): ChangeEntry => ({
  kind: "dir",
  rev: 1,
  path: `/workspace/${path}`,
  mode: 0o755,
  mtime: 1_700_000_000_000,
  ...more,
});
const gone = (path: string): ChangeEntry => ({ kind: "delete", rev: 1, path: `/workspace/${path}` });

async function apply(...entries: ChangeEntry[]): Promise<void> {
  const { applied, refused } = await mount.store.apply(entries, { peer: PEER, root: "/workspace" });
  expect([applied, refused]).toEqual([entries.length, []]);
}

/** What a command did, as the workspace hears of it. */
async function after(command: () => void): Promise<Record<string, string>> {
  const { cursor } = await mount.store.changes({ rev: await mount.store.rev(), path: null }, { entries: 1000 });
  mount.noteRun("started");
  command();
  mount.noteRun("ended");
  await mount.store.rev();
  const { entries } = await mount.store.changes(cursor, { entries: 1000, peer: PEER, root: "/workspace" });
  return Object.fromEntries(entries.map((entry) => [entry.path.slice("/workspace/".length), told(entry)]));
}

function told(entry: ChangeEntry): string {
  if (entry.kind === "delete" || entry.kind === "dir") return entry.kind;
  if (entry.kind === "symlink") return `-> ${entry.target}`;
  return `${entry.mode.toString(8)} ${new TextDecoder().decode(entry.data ?? new Uint8Array())}${entry.sameAs ? ` = ${entry.sameAs}` : ""}`;
}

test("what the workspace says is there as real files", async () => {
  await apply(
    dir("a"),
    file("a/one", "1"),
    file("a/run", "#!", { mode: 0o755 }),
    { kind: "symlink", rev: 1, path: "/workspace/link", target: "a/one", mode: 0o777, mtime: 1_700_000_000_000 },
    file("first", "same", { links: 2 }),
    file("second", "same", { links: 2, sameAs: "/workspace/first" }),
  );
  expect(readFileSync(join(place, "link"), "utf8")).toBe("1");
  expect(statSync(join(place, "a/run")).mode & 0o7777).toBe(0o755);
  expect(lstatSync(join(place, "a/one")).mtimeMs).toBe(1_700_000_000_123);
  expect(lstatSync(join(place, "a")).mtimeMs).toBe(1_700_000_000_000);
  expect(statSync(join(place, "first")).ino).toBe(statSync(join(place, "second")).ino);
  await apply(file("a/one", "other"), gone("a/run"), gone("link"), dir("link"), file("link/in", "it"));
  expect(readFileSync(join(place, "a/one"), "utf8")).toBe("other");
  expect(existsSync(join(place, "a/run"))).toBe(false);
  expect(readFileSync(join(place, "link/in"), "utf8")).toBe("it");
  await apply(dir("link", { fresh: true }));
  expect(existsSync(join(place, "link/in"))).toBe(false);
});

test("what a command does is told, and nothing of what the workspace itself said", async () => {
  await apply(dir("a"), file("a/one", "1"), file("two", "2"));
  expect(await after(() => {})).toEqual({});
  const found = await after(() => {
    writeFileSync(join(place, "new"), "n");
    writeFileSync(join(place, "two"), "22");
    chmodSync(join(place, "a/one"), 0o755);
    symlinkSync("new", join(place, "link"));
    mkdirSync(join(place, "b/c"), { recursive: true });
    writeFileSync(join(place, "b/c/deep"), "d");
  });
  expect(found).toEqual({
    new: "644 n",
    two: "644 22",
    "a/one": "755 1",
    link: "-> new",
    b: "dir",
    "b/c": "dir",
    "b/c/deep": "644 d",
  });
  expect(await after(() => renameSync(join(place, "b"), join(place, "moved")))).toEqual({
    b: "delete",
    moved: "dir",
    "moved/c": "dir",
    "moved/c/deep": "644 d",
  });
  expect(
    await after(() => {
      rmSync(join(place, "moved"), { recursive: true });
      rmSync(join(place, "link"));
      mkdirSync(join(place, "link"));
      linkSync(join(place, "new"), join(place, "twin"));
    }),
  ).toMatchObject({ moved: "delete", link: "dir", twin: "644 n = /workspace/new" });
});

test("times are told to the nanosecond that the machine has, contents that only look new are not told", async () => {
  await apply(file("a", "1"));
  const changes = await after(() => utimesSync(join(place, "a"), 1_600_000_000.5, 1_600_000_000.5));
  expect(changes).toEqual({ a: "644 1" });
  expect(await mount.store.entry("/workspace/a")).toMatchObject({ mtime: 1_600_000_000_500 });
  expect(await after(() => chmodSync(join(place, "a"), 0o644))).toEqual({});
});

test("what a command changes is found while it runs, and what is applied does not hide it", async () => {
  await apply(file("a", "1"));
  mount.noteRun("started");
  writeFileSync(join(place, "mine"), "m");
  const outcome = await mount.store.apply([file("theirs", "t"), file("mine", "not mine")], {
    peer: PEER,
    root: "/workspace",
    keepSince: 0,
  });
  expect(outcome.withheld).toEqual(["/workspace/mine"]);
  expect(readFileSync(join(place, "mine"), "utf8")).toBe("m");
  expect(readFileSync(join(place, "theirs"), "utf8")).toBe("t");
  mount.noteRun("ended");
});

test("what is read-only is put back as it was", async () => {
  await apply(dir("ro"), file("ro/a", "1"), file("rw", "1"));
  await mount.store.setReadOnlyRoots(["/workspace/ro"]);
  const found = await after(() => {
    writeFileSync(join(place, "ro/a"), "changed");
    writeFileSync(join(place, "ro/new"), "n");
    writeFileSync(join(place, "rw"), "2");
  });
  expect(found).toEqual({ rw: "644 2" });
  expect(readFileSync(join(place, "ro/a"), "utf8")).toBe("1");
  expect(existsSync(join(place, "ro/new"))).toBe(false);
  await after(() => rmSync(join(place, "ro"), { recursive: true }));
  expect(readFileSync(join(place, "ro/a"), "utf8")).toBe("1");
});

test("large contents, names that are no UTF-8 and special files go the way they go through a mount", async () => {
  const large = Buffer.alloc(3_000_000, "large ");
  const odd = Buffer.concat([Buffer.from(`${place}/odd-`), Buffer.of(0xff)]);
  await after(() => {
    writeFileSync(join(place, "large"), large);
    writeFileSync(odd, "o");
  });
  expect(await mount.store.entry("/workspace/large")).toMatchObject({ size: large.length, chunks: { length: 12 } });
  expect(await after(() => rmSync(odd))).not.toHaveProperty("large");
});
