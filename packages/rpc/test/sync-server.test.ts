/** The computer's half of the published sync calls, streams and all. */

import type { ChangeEntry, Chunk } from "@cloudflare/dofs";
import { FsError, START } from "@cloudflare/dofs";
import { expect, test } from "vitest";
import { localFacade, type StoreFacade, SyncServer, WORKSPACE_PEER } from "../src/index.ts";
import { memoryStore, sha256 } from "./link.ts";
import { random } from "./random.ts";
import { remove, text, tree, write } from "./tree.ts";

function streamOf<T>(items: readonly T[]): ReadableStream<T> {
  return new ReadableStream({
    start(controller) {
      for (const item of items) controller.enqueue(item);
      controller.close();
    },
  });
}

async function all<T>(stream: ReadableStream<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

function file(path: string, content: string, rev = 1): ChangeEntry {
  const data = new TextEncoder().encode(content);
  return { kind: "file", rev, path, mode: 0o644, mtime: 5, size: data.length, chunks: [], data };
}

const served = (store = memoryStore()) => ({ store, server: new SyncServer({ store: localFacade(store) }) });

test("Y-08 a child that arrives before its parent makes it", async () => {
  const { store, server } = served();
  const changes = streamOf([file("/workspace/a/b/c", "deep", 1), file("/workspace/top", "top", 2)]);
  const answer = await server.push({ senderRev: 2, changes });
  expect(answer).toMatchObject({ applied: 2, refused: [], appliedPushCursor: { rev: 2, path: null } });
  expect(text(store, "/workspace/a/b/c")).toBe("deep");
  expect(await server.watermarks()).toEqual({ currentRev: store.rev(), pushRev: 2, fetchCursor: START });
});

test("paths that are relative, climb or lie elsewhere are refused, and the rest is applied", async () => {
  const { store, server } = served();
  const paths = [
    "x",
    "/workspace/../x",
    "/workspace//x",
    "/workspace/./x",
    "/workspace/",
    "/",
    "/etc/x",
    "/workspacex/y",
  ];
  const bad = paths.map((path) => file(path, "bad"));
  const { applied, refused } = await server.push({
    senderRev: 1,
    changes: streamOf([...bad, file("/workspace/x", "ok")]),
  });
  expect(applied).toBe(1);
  expect(refused.map(({ path, reason }) => [path, reason])).toEqual([
    ["x", "bad-path"],
    ["/workspace/../x", "bad-path"],
    ["/workspace//x", "bad-path"],
    ["/workspace/./x", "bad-path"],
    ["/workspace/", "bad-path"],
    ["/", "bad-path"],
    ["/etc/x", "outside-root"],
    ["/workspacex/y", "outside-root"],
  ]);
  expect(Object.keys(tree(store, ""))).toEqual(["/workspace", "/workspace/x"]);
});

test("a push is applied in batches, not held whole", async () => {
  const store = memoryStore();
  const sizes: number[] = [];
  const facade = localFacade(store);
  const counting: StoreFacade = {
    ...facade,
    apply: (entries, options) => {
      sizes.push(entries.length);
      return facade.apply(entries, options);
    },
  };
  const server = new SyncServer({ store: counting, limits: { entries: 4, bytes: 10_000 } });
  const small = Array.from({ length: 9 }, (_, i) => file(`/workspace/s${i}`, "s"));
  const large = Array.from({ length: 3 }, (_, i) => file(`/workspace/l${i}`, "l".repeat(9_950)));
  await server.push({ senderRev: 1, changes: streamOf([...small, ...large]) });
  expect(sizes).toEqual([4, 4, 2, 1, 1]);
});

test("fetchChanges gives the computer's own changes between two cursors and nothing of the workspace's", async () => {
  const { store, server } = served();
  const after = { rev: store.rev(), path: null };
  await server.push({
    senderRev: 1,
    changes: streamOf([file("/workspace/theirs", "t"), file("/workspace/edited", "e")]),
  });
  write(store, "/workspace/mine", "m");
  write(store, "/workspace/edited", "mine now");
  const { stream, currentCursor, appliedPushCursor } = await server.fetchChanges({ after });
  expect(currentCursor).toEqual({ rev: store.rev(), path: null });
  expect(appliedPushCursor).toEqual({ rev: 1, path: null });
  write(store, "/workspace/later", "not in this stream");
  expect((await all(stream)).map(({ path }) => path)).toEqual(["/workspace/mine", "/workspace/edited"]);
  remove(store, "/workspace/mine");
  const next = await server.fetchChanges({ after: currentCursor });
  expect((await all(next.stream)).map(({ kind, path }) => [kind, path])).toEqual([
    ["file", "/workspace/later"],
    ["delete", "/workspace/mine"],
  ]);
  expect(store.peer(WORKSPACE_PEER)!.sent).toEqual(currentCursor);
});

test("objects go in and out, and a missing or false one is an error", async () => {
  const { store, server } = served();
  const chunks: Chunk[] = [1, 2, 3].map((seed) => {
    const bytes = random(40_000, seed);
    return { hash: sha256(bytes), bytes };
  });
  const hashes = chunks.map(({ hash }) => hash);
  expect(await server.hasObjects(hashes)).toEqual([]);
  await server.pushObjects(streamOf(chunks.slice(0, 2)));
  expect(await server.hasObjects(hashes)).toEqual(hashes.slice(0, 2));
  expect(await all(server.fetchObjects(hashes.slice(0, 2)))).toEqual(chunks.slice(0, 2));
  await expect(all(server.fetchObjects(hashes))).rejects.toMatchObject({ code: "ENOENT" });
  await expect(server.pushObjects(streamOf([{ hash: hashes[2]!, bytes: chunks[0]!.bytes }]))).rejects.toThrow(FsError);
  expect(store.missingChunks(hashes)).toEqual([hashes[2]]);
});

test("an entry whose chunks are not here is refused, or taken in as absent where that is allowed", async () => {
  const bytes = random(40_000);
  const entry: ChangeEntry = {
    ...(file("/workspace/f", "") as ChangeEntry & { kind: "file" }),
    size: bytes.length,
    chunks: [{ hash: sha256(bytes), size: bytes.length }],
  };
  delete entry.data;
  const strict = served();
  expect((await strict.server.push({ senderRev: 1, changes: streamOf([entry]) })).refused).toMatchObject([
    { path: "/workspace/f", reason: "missing-chunks" },
  ]);
  const store = memoryStore();
  const lazy = new SyncServer({ store: localFacade(store), allowAbsent: true });
  expect((await lazy.pushPage({ entries: [entry] })).refused).toMatchObject([{ reason: "missing-chunks" }]);
  expect((await lazy.pushPage({ entries: [entry], absent: true })).refused).toEqual([]);
  await lazy.putChunks([{ hash: sha256(bytes), bytes }]);
  expect(tree(store)["/workspace/f"]).toContain(" 40000 ");
});

test("readEntry says what a path is, and refuses one outside", async () => {
  const { store, server } = served();
  write(store, "/workspace/f", "f");
  expect(await server.readEntry("/workspace/f")).toMatchObject({ kind: "file", size: 1 });
  expect(await server.readEntry("/workspace/none")).toBeNull();
  await expect(server.readEntry("/etc/passwd")).rejects.toMatchObject({ code: "EINVAL", path: "/etc/passwd" });
});

test("a page of too many entries is refused before anything is applied", async () => {
  const { store, server } = served();
  const rev = store.rev();
  const entries = Array.from({ length: 10_001 }, (_, i) => file(`/workspace/${i}`, "x"));
  await expect(server.pushPage({ entries })).rejects.toMatchObject({ code: "EOPTION" });
  expect(store.rev()).toBe(rev);
});
