/** Contents that a computer fetches when they are first read. */

import { type Absent, type InodeStore, isFsError, type MemoryStore } from "@cloudflare/dofs";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  CBOR_PROTOCOL,
  ContentsFetcher,
  type ContentsRPC,
  type ContentsSession,
  LazyContents,
  localFacade,
  SyncServer,
} from "../src/index.ts";
import { daemonOf, join, memoryStore, sha256 } from "./link.ts";
import { random } from "./random.ts";
import { socketPair } from "./socket-pair.ts";
import { sqlStore } from "./sql-store.ts";
import { find, mkdir, read, remove, rename, tree, write } from "./tree.ts";

const CHUNK = 256 * 1024;

/** A workspace, and a computer that fetches from it; each `connect` is a new connection. */
function lazily(protocol = CBOR_PROTOCOL) {
  const workspace = sqlStore();
  const computer = memoryStore();
  const fetcher = new ContentsFetcher();
  const daemon = daemonOf(computer, {
    sync: new SyncServer({ store: localFacade(computer), allowAbsent: true }),
  });
  const connect = async () => {
    const contents = new LazyContents(workspace);
    const pair = socketPair(protocol);
    return { contents, pair, ...(await join(workspace, computer, { pair, daemon, contents, fetcher })) };
  };
  return { workspace, computer, fetcher, connect };
}

/** Reads a file as a mount does: what is absent is fetched, once. */
async function fetched(store: MemoryStore, fetcher: ContentsFetcher, path: string): Promise<Uint8Array> {
  const { ino, size } = find(store, path)!;
  const first = store.read(ino, 0, size);
  if (first instanceof Uint8Array) return first;
  store.putChunks(await fetcher.fetch(first.absent));
  return read(store, path);
}

function absent(store: InodeStore, path: string): number {
  const { ino, size } = find(store, path)!;
  const found: Uint8Array | Absent = store.read(ino, 0, size);
  return found instanceof Uint8Array ? 0 : found.absent.length;
}

describe("contents fetched when first read", () => {
  test.each([
    ["CBOR", CBOR_PROTOCOL],
    ["text", ""],
  ])("of 10,000 files over %s, reading one moves its contents and the metadata", async (_, protocol) => {
    const { workspace, computer, fetcher, connect } = lazily(protocol);
    for (let dir = 0; dir < 100; dir++) {
      mkdir(workspace, `/workspace/${dir}`);
      const large = random(2 * CHUNK, dir + 1);
      for (let i = 0; i < 100; i++) write(workspace, `/workspace/${dir}/${i}`, i === 0 ? large : `small ${dir} ${i}`);
    }
    const { driver, contents, session } = await connect();
    const pushed = await driver.pushAll();
    expect(pushed).toMatchObject({ entries: 10_101, chunks: 0, refused: [] });
    // What is inline is metadata: the 9,900 small files.
    const inline = 9_900 * "small  ".length + 99 * 190 + 100 * (9 * 1 + 90 * 2);
    expect(pushed.bytes).toBe(inline);
    expect(contents.count).toEqual({ requests: 0, chunks: 0, bytes: 0 });
    expect(await fetched(computer, fetcher, "/workspace/7/0")).toEqual(random(2 * CHUNK, 8));
    expect(contents.count).toEqual({ requests: 1, chunks: 2, bytes: 2 * CHUNK });
    await fetched(computer, fetcher, "/workspace/7/0");
    expect(contents.count.requests).toBe(1);
    await session.rpc.hello();
    expect(session.live()).toEqual({ imports: 0, exports: 0 });
    session.close();
  });

  test("few contents come along with the push", async () => {
    const { workspace, computer, connect } = lazily();
    const { driver, contents, session } = await connect();
    await driver.pushAll();
    write(workspace, "/workspace/few", random(4 * CHUNK));
    expect(await driver.pushAll()).toMatchObject({ chunks: 4, bytes: 4 * CHUNK });
    expect(absent(computer, "/workspace/few")).toBe(0);
    write(workspace, "/workspace/many", random(5 * CHUNK, 2));
    expect(await driver.pushAll()).toMatchObject({ chunks: 0, bytes: 0 });
    expect(absent(computer, "/workspace/many")).toBe(5);
    expect(contents.count.requests).toBe(0);
    session.close();
  });

  test("a file that nobody read is renamed and changed in part, and comes back without its contents", async () => {
    const { workspace, computer, fetcher, connect } = lazily();
    const content = random(8 * CHUNK);
    write(workspace, "/workspace/a", content);
    const { driver, contents, session } = await connect();
    await driver.pushAll();
    rename(computer, "/workspace/a", "/workspace/b");
    const { ino } = find(computer, "/workspace/b")!;
    const lacking = computer.write(ino, 5, new Uint8Array([1]));
    if (!("absent" in lacking)) throw new Error("it was there");
    computer.putChunks(await fetcher.fetch(lacking.absent));
    computer.write(ino, 5, new Uint8Array([1]));
    expect(await driver.pullAll()).toMatchObject({ chunks: 1, bytes: CHUNK, refused: [], conflicts: [] });
    expect(contents.count.bytes).toBe(CHUNK);
    content[5] = 1;
    expect(read(workspace, "/workspace/b")).toEqual(content);
    expect(find(workspace, "/workspace/a")).toBeUndefined();
    session.close();
  });

  test("what the workspace overwrote or removed meanwhile is kept for the computer until it was told", async () => {
    const { workspace, computer, fetcher, connect } = lazily();
    const before = random(5 * CHUNK);
    for (const name of ["renamed", "read", "other"]) write(workspace, `/workspace/${name}`, before.slice());
    write(workspace, "/workspace/gone", random(5 * CHUNK, 2));
    const { driver, contents, session } = await connect();
    await driver.pushAll();
    rename(computer, "/workspace/renamed", "/workspace/mine");
    for (const name of ["renamed", "read", "other"]) write(workspace, `/workspace/${name}`, "new");
    remove(workspace, "/workspace/gone");
    expect(await fetched(computer, fetcher, "/workspace/gone")).toEqual(random(5 * CHUNK, 2));
    const { conflicts, refused } = await driver.pushAll();
    expect(refused).toEqual([]);
    expect(conflicts.map(({ path }) => path)).toEqual(["/workspace/renamed"]);
    expect(read(workspace, "/workspace/mine")).toEqual(before);
    expect(await fetched(computer, fetcher, "/workspace/mine")).toEqual(before);
    expect(tree(computer)).toEqual(tree(workspace));
    remove(workspace, "/workspace/mine");
    await driver.pushAll();
    await driver.pullAll();
    const hash = sha256(before.subarray(0, CHUNK));
    expect(await contents.getChunks([hash])).toEqual([]);
    session.close();
  });

  test("a file that the computer renamed and the workspace removed is kept, though both took the name away", async () => {
    const { workspace, computer, connect } = lazily();
    write(workspace, "/workspace/a", random(5 * CHUNK));
    const { driver, session } = await connect();
    await driver.pushAll();
    remove(workspace, "/workspace/a");
    rename(computer, "/workspace/a", "/workspace/b");
    await driver.pushAll();
    expect(await driver.pullAll()).toMatchObject({ refused: [], chunks: 0 });
    expect(read(workspace, "/workspace/b")).toEqual(random(5 * CHUNK));
    session.close();
  });

  test("a computer that cannot fetch is sent everything", async () => {
    const workspace = sqlStore();
    const computer = memoryStore();
    write(workspace, "/workspace/f", random(9 * CHUNK));
    const { driver, session } = await join(workspace, computer, { contents: new LazyContents(workspace) });
    expect((await driver.pushAll()).refused).toEqual([]);
    expect(tree(computer)).toEqual(tree(workspace));
    session.close();
  });

  test("more chunks than an answer may have are refused", async () => {
    const contents = new LazyContents(sqlStore());
    const hashes = Array.from({ length: 17 }, () => new Uint8Array(32));
    await expect(contents.getChunks(hashes)).rejects.toMatchObject({ code: "EOPTION" });
  });
});

describe("a read without a connection", () => {
  afterEach(() => void vi.useRealTimers());

  const hash = new Uint8Array(32);
  const chunk = { hash, bytes: new Uint8Array(1) };

  function attached(fetcher: ContentsFetcher, getChunks: ContentsRPC["getChunks"]): () => void {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const session: ContentsSession = { contents: { getChunks }, closed };
    fetcher.attach(session);
    return resolve;
  }

  test("waits for the next one and goes on there, wherever the first broke", async () => {
    const { workspace, computer, fetcher, connect } = lazily();
    write(workspace, "/workspace/f", random(9 * CHUNK));
    const first = await connect();
    await first.driver.pushAll();
    for (const breaks of ["before", "while"]) {
      if (breaks === "before") first.session.close();
      const reading = fetched(computer, fetcher, "/workspace/f");
      const again = await connect();
      expect(await reading).toEqual(random(9 * CHUNK));
      again.session.close();
    }
  });

  test("is given up after 30 seconds", async () => {
    vi.useFakeTimers();
    const fetcher = new ContentsFetcher();
    const failed = fetcher.fetch([hash]).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(await Promise.race([failed, "waiting"])).toBe("waiting");
    await vi.advanceTimersByTimeAsync(1);
    expect(await failed).toMatchObject({ code: "ETIMEOUT" });
  });

  test("does not wait on for one that stalls when a newer one comes", async () => {
    vi.useFakeTimers();
    const fetcher = new ContentsFetcher();
    attached(fetcher, () => new Promise(() => {}));
    const read = fetcher.fetch([hash]);
    await vi.advanceTimersByTimeAsync(20_000);
    attached(fetcher, async () => [chunk]);
    await vi.advanceTimersByTimeAsync(0);
    expect(await read).toEqual([chunk]);
  });

  test("fails at once where every open one refuses, and asks once for what two readers want", async () => {
    const fetcher = new ContentsFetcher();
    let asked = 0;
    const close = attached(fetcher, async () => {
      asked++;
      return [chunk];
    });
    expect(await Promise.all([fetcher.fetch([hash]), fetcher.fetch([hash, hash])])).toEqual([[chunk], [chunk]]);
    expect(asked).toBe(1);
    close();
    await Promise.resolve();
    attached(fetcher, () => Promise.reject(new Error("no such method")));
    await expect(fetcher.fetch([hash])).rejects.toThrow("no such method");
    expect(isFsError(await fetcher.fetch([hash]).catch((error) => error))).toBe(false);
  });
});

test("read-only roots reach the computer with a push, and let the workspace's own changes through", async () => {
  const workspace = sqlStore();
  const computer = memoryStore();
  mkdir(workspace, "/workspace/mount");
  write(workspace, "/workspace/mount/f", "one");
  const { driver, session } = await join(workspace, computer);
  workspace.setReadOnlyRoots(["/workspace/mount"]);
  expect(await driver.pushAll()).toMatchObject({ refused: [] });
  expect(() => write(computer, "/workspace/mount/f", "changed")).toThrow(/EROFS/);
  workspace.setReadOnlyRoots([]);
  write(workspace, "/workspace/mount/f", "two");
  workspace.setReadOnlyRoots(["/workspace/mount", "/workspace/other"]);
  mkdir(workspace, "/workspace/free");
  expect(await driver.pushAll()).toMatchObject({ refused: [], roundTrips: 1 });
  expect(tree(computer)).toEqual(tree(workspace));
  expect(computer.readOnlyRoots()).toEqual(["/workspace/mount", "/workspace/other"]);
  workspace.setReadOnlyRoots([]);
  expect(await driver.pushAll()).toMatchObject({ entries: 0, roundTrips: 1 });
  write(computer, "/workspace/mount/f", "changed");
  expect(await driver.pushAll()).toMatchObject({ roundTrips: 0 });
  session.close();
});

test("roots that are no more are told to a computer that a later life of the workspace finds", async () => {
  const workspace = sqlStore();
  const computer = memoryStore();
  workspace.setReadOnlyRoots(["/workspace/mount"]);
  const first = await join(workspace, computer);
  await first.driver.pushAll();
  first.session.close();
  workspace.setReadOnlyRoots([]);
  const { driver, session } = await join(workspace, computer);
  expect(await driver.pushAll()).toMatchObject({ entries: 0, roundTrips: 1 });
  expect(computer.readOnlyRoots()).toEqual([]);
  expect(await driver.pushAll()).toMatchObject({ roundTrips: 0 });
  session.close();
});
