/** What a computer keeps to itself. */

import { describe, expect, test } from "vitest";
import { IgnoredPaths } from "../src/ignored-paths.ts";
import { type IgnoreRules, LazyContents, localFacade, SyncServer } from "../src/index.ts";
import { daemonOf, join, memoryStore } from "./link.ts";
import { random } from "./random.ts";
import { sqlStore } from "./sql-store.ts";
import { find, link, mkdir, read, remove, rename, text, tree, write } from "./tree.ts";

test("patterns are those of a .gitignore", () => {
  const ignored = new IgnoredPaths(
    ["node_modules/", "*.log", "!keep.log", "/dist", "# not a pattern", ""],
    "/workspace",
  );
  const has = (kind: "file" | "dir" | "delete", path: string): boolean => ignored.has({ kind, path });
  expect(has("dir", "/workspace/a/node_modules")).toBe(true);
  expect(has("file", "/workspace/a/node_modules/b/c.js")).toBe(true);
  expect(has("file", "/workspace/node_modules")).toBe(false);
  expect(has("delete", "/workspace/node_modules")).toBe(true);
  expect(has("file", "/workspace/a/b.log")).toBe(true);
  expect(has("file", "/workspace/a/keep.log")).toBe(false);
  expect(has("file", "/workspace/B.LOG")).toBe(false);
  expect([has("dir", "/workspace/dist"), has("dir", "/workspace/a/dist")]).toEqual([true, false]);
  expect([has("dir", "/workspace"), has("dir", "/node_modules"), has("file", "/workspaces/b.log")]).toEqual([
    false,
    false,
    false,
  ]);
});

describe.each([
  ["the computer leaves them out", true],
  ["the workspace passes them over", false],
])("ignored paths, where %s", (_, supported) => {
  const rules = (...patterns: string[]): IgnoreRules => ({ patterns, supported });

  async function pair(ignore: IgnoreRules, limits = {}) {
    const workspace = sqlStore();
    const computer = memoryStore();
    const joined = await join(workspace, computer, { driver: { ignore, limits } });
    await joined.driver.pushAll();
    return { workspace, computer, ...joined };
  }

  test("what the computer makes, changes and removes there stays there", async () => {
    const { workspace, computer, driver, session } = await pair(rules("node_modules/", "*.log"));
    mkdir(computer, "/workspace/node_modules");
    mkdir(computer, "/workspace/node_modules/left-pad");
    write(computer, "/workspace/node_modules/left-pad/index.js", "module");
    write(computer, "/workspace/build.log", "said");
    write(computer, "/workspace/made", "made");
    expect(await driver.pullAll()).toMatchObject({ refused: [], conflicts: [] });
    expect(Object.keys(tree(workspace))).toEqual(["/workspace/made"]);
    remove(computer, "/workspace/node_modules");
    remove(computer, "/workspace/build.log");
    expect(await driver.pullAll()).toMatchObject({ entries: 0, bytes: 0 });
    session.close();
  });

  test("what is moved out comes, what is moved in goes", async () => {
    const { workspace, computer, driver, session } = await pair(rules("cache/"));
    mkdir(computer, "/workspace/cache");
    write(computer, "/workspace/cache/f", "kept");
    write(computer, "/workspace/plain", "plain");
    await driver.pullAll();
    rename(computer, "/workspace/cache", "/workspace/results");
    await driver.pullAll();
    expect(text(workspace, "/workspace/results/f")).toBe("kept");
    rename(computer, "/workspace/results", "/workspace/cache");
    rename(computer, "/workspace/plain", "/workspace/cache/plain");
    await driver.pullAll();
    expect(tree(workspace)).toEqual({});
    session.close();
  });

  test("the workspace's own go to the computer, over what it did there", async () => {
    const { workspace, computer, driver, session } = await pair(rules("cache/"));
    mkdir(computer, "/workspace/cache");
    write(computer, "/workspace/cache/f", "the computer's");
    write(computer, "/workspace/cache/g", "the computer's");
    mkdir(workspace, "/workspace/cache");
    write(workspace, "/workspace/cache/f", "the workspace's");
    expect(await driver.pushAll()).toMatchObject({ refused: [], conflicts: [] });
    expect(text(computer, "/workspace/cache/f")).toBe("the workspace's");
    expect(text(workspace, "/workspace/cache/f")).toBe("the workspace's");
    expect(find(workspace, "/workspace/cache/g")).toBeUndefined();
    session.close();
  });

  test("another name of a file stays, by itself", async () => {
    const { workspace, computer, driver, session } = await pair(rules("/a"));
    write(computer, "/workspace/a", "linked");
    link(computer, "/workspace/a", "/workspace/b");
    expect(await driver.pullAll()).toMatchObject({ refused: [] });
    expect(Object.keys(tree(workspace))).toEqual(["/workspace/b"]);
    write(computer, "/workspace/a", "changed");
    await driver.pullAll();
    expect(text(workspace, "/workspace/b")).toBe("changed");
    session.close();
  });

  test("many of them take few calls, and what comes after them comes", async () => {
    const { workspace, computer, driver, session } = await pair(rules("cache/"), { entries: 10 });
    mkdir(computer, "/workspace/cache");
    for (let i = 0; i < 500; i++) write(computer, `/workspace/cache/${i}`, `${i}`);
    write(computer, "/workspace/z", "last");
    const { roundTrips } = await driver.pullAll();
    // Fifty pages of ten; the computer passes over twenty of them in one call.
    expect(roundTrips).toBe(supported ? 3 : 51);
    expect(Object.keys(tree(workspace))).toEqual(["/workspace/z"]);
    session.close();
  });
});

test("a file whose contents only the workspace has is not lost by a move to an ignored name", async () => {
  const workspace = sqlStore();
  const computer = memoryStore();
  const daemon = daemonOf(computer, { sync: new SyncServer({ store: localFacade(computer), allowAbsent: true }) });
  const ignore = { patterns: ["cache/"], supported: true };
  const contents = new LazyContents(workspace);
  const { driver, session } = await join(workspace, computer, { daemon, contents, driver: { ignore } });
  const large = random(5 * 256 * 1024);
  write(workspace, "/workspace/large", large);
  await driver.pushAll();
  mkdir(computer, "/workspace/cache");
  rename(computer, "/workspace/large", "/workspace/cache/large");
  await driver.pullAll();
  expect(read(workspace, "/workspace/cache/large")).toEqual(large);
  session.close();
});

test("the streams of 0.8.0 leave them out too", async () => {
  const computer = memoryStore();
  const { session } = await join(sqlStore(), computer);
  write(computer, "/workspace/a.log", "a");
  write(computer, "/workspace/b", "b");
  const { stream } = await session.rpc.sync.fetchChanges({ ignore: ["*.log"] });
  const paths: string[] = [];
  for await (const { path } of stream) paths.push(path);
  expect(paths).toEqual(["/workspace/b"]);
  session.close();
});
