/** Push and pull between two stores over a session. */

import { Database, type InodeStore, SqlStore } from "@cloudflare/dofs";
import { openNodeStorage } from "@cloudflare/dofs/node";
import { afterEach, describe, expect, test, vi } from "vitest";
import { CBOR_PROTOCOL, type DaemonSession } from "../src/index.ts";
import { changing, poisoned } from "./daemons.ts";
import { clock, type Joined, type JoinOptions, join, memoryStore, sha256 } from "./link.ts";
import { random } from "./random.ts";
import { sqlStore } from "./sql-store.ts";
import { find, link, mkdir, remove, rename, symlink, text, tree, write } from "./tree.ts";

vi.setConfig({ testTimeout: 60_000 });

const KIB = 1024;

describe.each([
  ["SQLite, text", sqlStore, ""],
  ["SQLite, CBOR", sqlStore, CBOR_PROTOCOL],
  ["memory, CBOR", memoryStore, CBOR_PROTOCOL],
])("sync of a workspace in %s", (_, workspaceStore, protocol) => {
  const open: DaemonSession[] = [];
  afterEach(() => {
    for (const session of open.splice(0)) {
      expect(session.live()).toEqual({ imports: 0, exports: 0 });
      session.close();
    }
  });

  async function pair(options: JoinOptions = {}): Promise<Joined & Record<"workspace" | "computer", InodeStore>> {
    const workspace: InodeStore = workspaceStore();
    const computer = memoryStore();
    const joined = await join(workspace, computer, { protocol, ...options });
    open.push(joined.session);
    return { ...joined, workspace, computer };
  }

  test("Y-07 types, modes, targets, emptiness and times go out and come back", async () => {
    const { workspace, computer, driver } = await pair();
    write(workspace, "/workspace/run.sh", "#!/bin/sh\n", 0o755);
    mkdir(workspace, "/workspace/empty", 0o700);
    write(workspace, "/workspace/nothing", "");
    symlink(workspace, "run.sh", "/workspace/link");
    symlink(workspace, "../nowhere/at all", "/workspace/dangling");
    write(workspace, "/workspace/large", random(700 * KIB));
    await driver.pushAll();
    expect(tree(computer)).toEqual(tree(workspace));

    const rebuilt = workspaceStore();
    const back = await join(rebuilt, computer, { protocol });
    rebuilt.setPeer("runtime-1", { sent: { rev: rebuilt.rev(), path: null }, received: { rev: 0, path: null } });
    await back.driver.pullAll();
    back.session.close();
    expect(tree(rebuilt)).toEqual(tree(workspace));
  });

  test("a second push of an unchanged tree moves nothing and asks nothing", async () => {
    const { workspace, driver } = await pair();
    for (let i = 0; i < 50; i++) write(workspace, `/workspace/f${i}`, `file ${i}`);
    write(workspace, "/workspace/large", random(300 * KIB));
    const first = await driver.pushAll();
    expect(first).toMatchObject({ entries: 52, chunks: 2, refused: [], conflicts: [] });
    const second = await driver.pushAll();
    expect(second).toMatchObject({ entries: 0, bytes: 0, chunks: 0, roundTrips: 0 });
    expect(await driver.pullAll()).toMatchObject({ entries: 0, bytes: 0, chunks: 0, roundTrips: 1 });
  });

  test("Y-14 one byte in 64 MiB moves one chunk each way", { timeout: 60_000 }, async () => {
    const { workspace, computer, driver } = await pair();
    write(workspace, "/workspace/large", random(64 * KIB * KIB));
    const first = await driver.pushAll();
    expect(first).toMatchObject({ chunks: 256, bytes: 64 * KIB * KIB });

    const out = find(workspace, "/workspace/large")!.ino;
    workspace.write(out, 33_000_000, new Uint8Array([1]));
    expect(await driver.pushAll()).toMatchObject({ entries: 1, chunks: 1, bytes: 256 * KIB });
    computer.write(find(computer, "/workspace/large")!.ino, 100, new Uint8Array([2]));
    expect(await driver.pullAll()).toMatchObject({ entries: 1, chunks: 1, bytes: 256 * KIB });
    expect(tree(workspace)).toEqual(tree(computer));
    expect(driver.traffic.peakLiveBytes).toBe(4 * KIB * KIB);
    expect(driver.traffic.liveBytes).toBe(0);
  });

  test.each([101, 256, 1_000])("Y-02 %i distinct chunks in one page", async (count) => {
    const { workspace, computer, driver } = await pair();
    mkdir(computer, "/workspace/d");
    await driver.pushAll();
    mkdir(computer, "/workspace/many");
    for (let i = 0; i < count; i++) {
      const bytes = new Uint8Array(33 * KIB);
      new DataView(bytes.buffer).setUint32(0, i + 1);
      write(computer, `/workspace/many/${i}`, bytes);
    }
    const before = workspace.peer("runtime-1")!.received.rev;
    expect(await driver.pullAll()).toMatchObject({ chunks: count, refused: [] });
    expect(workspace.peer("runtime-1")!.received.rev).toBeGreaterThan(before);
    expect(tree(workspace)).toEqual(tree(computer));
  });

  test("Y-08 swaps of type at one path, both ways", async () => {
    const { workspace, computer, driver } = await pair();
    const kinds = [
      (store: InodeStore, path: string) => write(store, path, `file ${path}`),
      (store: InodeStore, path: string) => {
        mkdir(store, path);
        write(store, `${path}/child`, "inside");
      },
      (store: InodeStore, path: string) => symlink(store, "elsewhere", path),
    ];
    for (const from of [0, 1, 2]) for (const to of [0, 1, 2]) kinds[from]!(workspace, `/workspace/${from}-${to}`);
    await driver.pushAll();
    for (const [store, sync] of [
      [workspace, () => driver.pushAll()],
      [computer, () => driver.pullAll()],
    ] as const) {
      for (const from of [0, 1, 2]) {
        for (const to of [0, 1, 2]) {
          remove(store, `/workspace/${from}-${to}`);
          kinds[to]!(store, `/workspace/${from}-${to}`);
        }
      }
      expect(await sync()).toMatchObject({ refused: [], conflicts: [] });
      expect(tree(workspace)).toEqual(tree(computer));
    }
  });

  test("Y-10 both sides edit: the computer's version stands, the workspace's is kept and named", async () => {
    const { workspace, computer, driver } = await pair();
    for (const name of ["p", "q", "r"]) write(workspace, `/workspace/${name}`, `${name} before`);
    await driver.pushAll();
    write(workspace, "/workspace/p", "p of the workspace");
    write(workspace, "/workspace/q", "q of the workspace");
    write(computer, "/workspace/q", "q of the computer");
    write(computer, "/workspace/r", "r of the computer");
    const { conflicts } = await driver.pullAll();
    expect(conflicts).toHaveLength(1);
    expect(conflicts[0]!.path).toBe("/workspace/q");
    expect(text(workspace, conflicts[0]!.kept!)).toBe("q of the workspace");
    await driver.pushAll();
    for (const store of [workspace, computer]) {
      expect(text(store, "/workspace/p")).toBe("p of the workspace");
      expect(text(store, "/workspace/q")).toBe("q of the computer");
      expect(text(store, "/workspace/r")).toBe("r of the computer");
    }
    expect(find(computer, "/.computer")).toBeUndefined();
  });

  test("Y-10 a push gives way to what the computer changed and nobody has pulled", async () => {
    const { workspace, computer, driver } = await pair();
    mkdir(workspace, "/workspace/d");
    for (const name of ["q", "d/changed", "d/same"]) write(workspace, `/workspace/${name}`, "before");
    await driver.pushAll();
    write(computer, "/workspace/q", "q of the computer");
    write(computer, "/workspace/d/changed", "changed by the computer");
    write(workspace, "/workspace/q", "q of the workspace");
    remove(workspace, "/workspace/d");
    const { conflicts } = await driver.pushAll();
    expect(conflicts.map(({ path }) => path)).toContain("/workspace/q");
    const kept = conflicts.find(({ path }) => path === "/workspace/q")!.kept!;
    expect(text(workspace, kept)).toBe("q of the workspace");
    expect(tree(workspace)).toEqual(tree(computer));
    expect(Object.keys(tree(computer))).toEqual(["/workspace/d", "/workspace/d/changed", "/workspace/q"]);
    expect(text(computer, "/workspace/q")).toBe("q of the computer");
  });

  test("Y-12 a hard link made by the computer stays one file", async () => {
    const { workspace, computer, driver } = await pair();
    write(workspace, "/workspace/a", "one");
    await driver.pushAll();
    link(computer, "/workspace/a", "/workspace/b");
    write(computer, "/workspace/a", "two");
    await driver.pullAll();
    expect(text(workspace, "/workspace/b")).toBe("two");
    expect(find(workspace, "/workspace/a")!.ino).toBe(find(workspace, "/workspace/b")!.ino);
    write(workspace, "/workspace/b", "three");
    await driver.pushAll();
    expect(text(computer, "/workspace/a")).toBe("three");
    expect(tree(workspace)).toEqual(tree(computer));
  });

  test("a directory moves above older children", async () => {
    const { workspace, computer, driver } = await pair();
    mkdir(workspace, "/workspace/a");
    mkdir(workspace, "/workspace/a/b");
    write(workspace, "/workspace/a/b/old", "old");
    await driver.pushAll();
    rename(workspace, "/workspace/a", "/workspace/z");
    await driver.pushAll();
    expect(tree(computer)).toEqual(tree(workspace));
    rename(computer, "/workspace/z/b", "/workspace/b");
    await driver.pullAll();
    expect(tree(computer)).toEqual(tree(workspace));
    expect(text(workspace, "/workspace/b/old")).toBe("old");
  });

  test("a directory that both sides made is joined, whichever way is synced first", async () => {
    const { workspace, computer, driver } = await pair();
    await driver.pushAll();
    for (const [name, first] of [
      ["pulled", () => driver.pullAll()],
      ["pushed", () => driver.pushAll()],
    ] as const) {
      for (const [store, from] of [
        [workspace, "workspace"],
        [computer, "computer"],
      ] as const) {
        mkdir(store, `/workspace/${name}`);
        write(store, `/workspace/${name}/of the ${from}`, from);
      }
      expect(await first()).toMatchObject({ conflicts: [], refused: [] });
      await driver.pushAll();
      await driver.pullAll();
      expect(tree(workspace)).toEqual(tree(computer));
      expect(text(workspace, `/workspace/${name}/of the computer`)).toBe("computer");
      expect(text(workspace, `/workspace/${name}/of the workspace`)).toBe("workspace");
    }
  });

  test("a file that stands where the computer puts a directory is kept and named", async () => {
    const { workspace, computer, driver } = await pair();
    mkdir(workspace, "/workspace/d");
    await driver.pushAll();
    remove(workspace, "/workspace/d");
    write(workspace, "/workspace/d", "a file now");
    write(computer, "/workspace/d/f", "inside");
    const { conflicts } = await driver.pullAll();
    const kept = conflicts.find(({ path }) => path === "/workspace/d")!.kept!;
    expect(text(workspace, kept)).toBe("a file now");
    await driver.pushAll();
    expect(tree(workspace)).toEqual(tree(computer));
    expect(text(computer, "/workspace/d/f")).toBe("inside");
  });

  test("a new runtime is made equal to the workspace, whatever it had", async () => {
    const { workspace, computer, driver } = await pair();
    write(workspace, "/workspace/mine", "mine");
    write(computer, "/workspace/stale", "of another workspace");
    write(computer, "/workspace/mine", "older");
    await driver.pushAll();
    expect(tree(computer)).toEqual(tree(workspace));
    expect(await driver.pullAll()).toMatchObject({ entries: 0, conflicts: [] });
  });

  test("a workspace that nothing was ever written to empties a new runtime once", async () => {
    const workspace = SqlStore.open(new Database(openNodeStorage()), { sha256, now: clock() });
    const computer = memoryStore();
    const { driver, session } = await join(workspace, computer, { protocol });
    open.push(session);
    write(computer, "/workspace/stale", "of another workspace");
    await driver.pushAll();
    expect(tree(computer)).toEqual({});
    write(computer, "/workspace/mine", "the computer's");
    await driver.pullAll();
    expect(await driver.pushAll()).toMatchObject({ entries: 0, roundTrips: 0 });
    expect(tree(computer)).toEqual(tree(workspace));
  });

  test("each page can be the last: a loop left early goes on where it was", async () => {
    const { workspace, computer, driver } = await pair({ driver: { limits: { entries: 10 } } });
    for (let i = 0; i < 95; i++) write(workspace, `/workspace/f${String(i).padStart(2, "0")}`, `file ${i}`);
    let steps = 0;
    let sent = 0;
    for (let complete = false; !complete; ) {
      for await (const progress of driver.push()) {
        steps++;
        sent += progress.entries;
        complete = progress.complete;
        break;
      }
    }
    // The first page has the emptied root besides its ten.
    expect({ steps, sent }).toEqual({ steps: 10, sent: 96 });
    expect(tree(computer)).toEqual(tree(workspace));

    for (let i = 0; i < 95; i++) write(computer, `/workspace/g${i}`, `file ${i}`);
    let got = 0;
    for (let complete = false; !complete; ) {
      for await (const progress of driver.pull()) {
        got += progress.entries;
        complete = progress.complete;
        break;
      }
    }
    expect(got).toBe(95);
    expect(tree(computer)).toEqual(tree(workspace));
  });

  test("a poisoned entry is reported and the rest goes on", async () => {
    const computer = memoryStore();
    const { workspace, driver } = await pair({
      daemon: poisoned(computer),
    });
    await driver.pushAll();
    write(computer, "/workspace/good", "good");
    const result = await driver.pullAll();
    expect(result.refused.map(({ path, reason }) => [path, reason])).toEqual([
      ["../etc/passwd", "bad-path"],
      ["/workspace/../etc/passwd", "bad-path"],
      ["/etc/passwd", "outside-root"],
      ["/workspace/odd", "bad-entry"],
      ["", "bad-entry"],
      ["/workspace/lost", "missing-chunks"],
    ]);
    expect(Object.keys(tree(workspace, ""))).toEqual(["/workspace", "/workspace/good"]);
    expect(await driver.pullAll()).toMatchObject({ entries: 0 });
  });

  test("what is not carried is named once, and the rest goes on", async () => {
    const { workspace, computer, driver } = await pair({ driver: { limits: { entries: 2 } } });
    await driver.pushAll();
    mkdir(computer, "/workspace/d");
    const { ino } = find(computer, "/workspace/d")!;
    computer.create(ino, "pipe", { kind: "fifo", mode: 0o644 });
    computer.create(ino, "\udcff", { kind: "file", mode: 0o644 });
    computer.create(ino, "link", { kind: "symlink", mode: 0o777, target: "to-\udcff" });
    computer.setattr(find(computer, "/workspace/d/pipe")!.ino, { mode: 0o600 });
    for (const name of ["a", "b", "c"]) write(computer, `/workspace/d/${name}`, name);
    const { refused } = await driver.pullAll();
    expect(refused.map(({ path, reason }) => `${path} ${reason}`).sort()).toEqual([
      "/workspace/d/link unsupported",
      "/workspace/d/pipe unsupported",
      "/workspace/d/\ufffd unsupported",
    ]);
    expect(Object.keys(tree(workspace))).toEqual(["", "/a", "/b", "/c"].map((name) => `/workspace/d${name}`));
    rename(computer, "/workspace/d", "/workspace/e");
    expect((await driver.pullAll()).refused).toHaveLength(3);
    expect((await driver.pullAll()).refused).toEqual([]);
  });

  test("a read-only root refuses the computer's change and says so", async () => {
    const { workspace, computer, driver } = await pair();
    mkdir(workspace, "/workspace/mount");
    write(workspace, "/workspace/mount/f", "fixed");
    await driver.pushAll();
    workspace.setReadOnlyRoots(["/workspace/mount"]);
    write(computer, "/workspace/mount/f", "changed");
    write(computer, "/workspace/free", "free");
    const { refused } = await driver.pullAll();
    expect(refused).toContainEqual({
      path: "/workspace/mount/f",
      op: "write",
      reason: "read-only",
      mountRoot: "/workspace/mount",
    });
    expect(text(workspace, "/workspace/mount/f")).toBe("fixed");
    expect(text(workspace, "/workspace/free")).toBe("free");
  });

  test("what stands where the synced directory should be is left alone, and named", async () => {
    const { workspace, computer, driver } = await pair();
    await driver.pushAll();
    write(computer, "/workspace/f", "the computer's");
    remove(workspace, "/workspace");
    write(workspace, "/workspace", "the workspace's");
    for (const sync of [() => driver.pushAll(), () => driver.pullAll()]) {
      await expect(sync()).rejects.toMatchObject({
        code: "ESYNC",
        message: expect.stringMatching(/^ESYNC: \/workspace is not a directory in the workspace.* another name$/),
      });
    }
    expect(text(workspace, "/workspace")).toBe("the workspace's");
    expect(text(computer, "/workspace/f")).toBe("the computer's");
    rename(workspace, "/workspace", "/elsewhere");
    await driver.pullAll();
    await driver.pushAll();
    expect(text(workspace, "/elsewhere")).toBe("the workspace's");
    expect(text(workspace, "/workspace/f")).toBe("the computer's");
    expect(tree(computer)).toEqual(tree(workspace));
  });

  test("contents that changed before they were fetched are taken as they are now", async () => {
    const computer = memoryStore();
    const { workspace, driver } = await pair({
      daemon: changing(computer, () => write(computer, "/workspace/f", "new")),
    });
    await driver.pushAll();
    write(computer, "/workspace/f", random(100 * KIB));
    const result = await driver.pullAll();
    expect(result.refused).toEqual([]);
    expect(text(workspace, "/workspace/f")).toBe("new");
  });
});
