/** The change feed and its other end. */

import { expect } from "vitest";
import { type ApplyOptions, type ChangeCursor, type ChangeEntry, START } from "../../changes.ts";
import { type InodeStore, ROOT_INO } from "../../inode-store.ts";
import { CHUNK_BYTES } from "../../store/chunks.ts";
import { expectSameBytes } from "../same-bytes.ts";
import { bytes, directory, file, line, pattern, type StoreSuite, storeTest, text, tree } from "./context.ts";

const PEER = { peer: "p" } as const;

function since(store: InodeStore, cursor: ChangeCursor, limits: { peer?: string; root?: string } = {}): string[] {
  return store.changes(cursor, { entries: 1000, ...limits }).entries.map(line);
}

const here = (store: InodeStore): ChangeCursor => ({ rev: store.rev(), path: null });

function fileEntry(path: string, content: string, more: Partial<ChangeEntry & { kind: "file" }> = {}): ChangeEntry {
  return {
    kind: "file",
    rev: 1,
    path,
    mode: 0o644,
    mtime: 1,
    size: bytes(content).length,
    chunks: [],
    data: bytes(content),
    ...more,
  };
}

export function testChanges(suite: StoreSuite): void {
  storeTest(suite, "the first pass brings the tree as it is, parents first, and can be cut anywhere", (store) => {
    const sub = directory(store, ROOT_INO, "d");
    file(store, sub, "x");
    file(store, ROOT_INO, "d-e");
    store.create(sub, "l", { kind: "symlink", mode: 0o777, target: "x" });
    file(store, ROOT_INO, "gone");
    store.unlink(ROOT_INO, "gone");
    expect(since(store, START)).toEqual(["dir /d", "symlink /d/l", "file /d/x", "file /d-e"]);
    const pieces: string[] = [];
    let cursor: ChangeCursor = START;
    for (let rounds = 0; ; rounds++) {
      const page = store.changes(cursor, { entries: 1 });
      pieces.push(...page.entries.map(line));
      cursor = page.cursor;
      if (page.done) break;
      if (rounds > 20) throw new Error("the stream does not end");
    }
    expect(pieces).toEqual(since(store, START));
    expect(cursor).toEqual(here(store));
  });

  storeTest(suite, "what changed during the first pass comes after it", (store) => {
    for (const name of ["a", "b", "c"]) file(store, ROOT_INO, name);
    const page = store.changes(START, { entries: 1 });
    store.unlink(ROOT_INO, "a");
    file(store, ROOT_INO, "d");
    expect(since(store, page.cursor)).toEqual(["file /b", "file /c", "file /d", "delete /a", "file /d"]);
  });

  storeTest(suite, "a path changed often comes once, as it is now", (store) => {
    const ino = file(store, ROOT_INO, "a", "1");
    const start = here(store);
    for (let i = 0; i < 5; i++) store.write(ino, 0, bytes(`${i}`));
    file(store, ROOT_INO, "b");
    store.write(ino, 0, bytes("9"));
    expect(since(store, start)).toEqual(["file /b", "file /a"]);
    expect(store.changes(start, { entries: 100 }).entries[1]).toMatchObject({ data: bytes("9") });
    const again = store.changes(here(store), { entries: 100 });
    expect(again).toMatchObject({ entries: [], done: true, reset: false });
  });

  storeTest(suite, "a directory move brings its subtree under the new name and says that it is a new one", (store) => {
    const old = directory(store, ROOT_INO, "old");
    file(store, old, "f");
    const target = directory(store, ROOT_INO, "target");
    const cursor = here(store);
    store.rename(ROOT_INO, "old", target, "new");
    file(store, old, "g");
    expect(since(store, cursor)).toEqual([
      "delete /old",
      "dir /target",
      "dir /target/new fresh",
      "file /target/new/f",
      "file /target/new/g",
      "dir /target/new",
      "file /target/new/g",
    ]);
  });

  storeTest(suite, "a recursive delete is one entry, a directory made anew is a fresh one", (store) => {
    const sub = directory(store, ROOT_INO, "d");
    directory(store, sub, "deep");
    const cursor = here(store);
    store.removeTree(ROOT_INO, "d");
    expect(since(store, cursor)).toEqual(["delete /d"]);
    directory(store, ROOT_INO, "d");
    expect(since(store, cursor)).toEqual(["dir /d fresh"]);
  });

  storeTest(suite, "only what lies under the asked root is told", (store) => {
    const w = directory(store, ROOT_INO, "w");
    directory(store, ROOT_INO, "v");
    const cursor = here(store);
    file(store, ROOT_INO, "out");
    const a = file(store, w, "a");
    store.link(a, ROOT_INO, "linked");
    store.rename(ROOT_INO, "out", w, "in");
    store.rename(w, "a", ROOT_INO, "away");
    expect(since(store, cursor, { root: "/w" })).toEqual(["file /w/in", "delete /w/a"]);
    expect(since(store, START, { root: "/w" })).toEqual(["file /w/in"]);
    expect(since(store, START, { root: "/nowhere" })).toEqual([]);
  });

  storeTest(suite, "hard links come as one inode", (store) => {
    const ino = file(store, ROOT_INO, "b");
    const cursor = here(store);
    store.link(ino, ROOT_INO, "a");
    expect(since(store, cursor)).toEqual(["file /a", "file /b = /a"]);
  });

  storeTest(suite, "hard links are told again when a directory with one of their names moves", (store) => {
    const sub = directory(store, ROOT_INO, "d");
    const ino = file(store, sub, "in");
    store.link(ino, ROOT_INO, "z");
    const cursor = here(store);
    store.rename(ROOT_INO, "d", ROOT_INO, "e");
    expect(since(store, cursor)).toEqual(["delete /d", "dir /e fresh", "file /e/in", "file /z = /e/in"]);
  });

  storeTest(suite, "a directory's times are told though the file made in it is written on at once", (store) => {
    const sub = directory(store, ROOT_INO, "d");
    const cursor = here(store);
    const ino = file(store, sub, "f");
    store.write(ino, 0, bytes("more"));
    expect(since(store, cursor)).toEqual(["dir /d", "file /d/f"]);
  });

  storeTest(suite, "a cursor that is not this store's begins anew", (store) => {
    file(store, ROOT_INO, "a");
    const page = store.changes({ rev: 99, path: null }, { entries: 100 });
    expect(page.reset).toBe(true);
    expect(page.entries.map(line)).toEqual(["dir / fresh", "file /a"]);
    expect(page.cursor).toEqual(here(store));
  });

  storeTest(suite, "a peer does not hear what it told", (store) => {
    const { rev } = store.changes(START, { entries: 1 }).cursor;
    store.apply([{ kind: "dir", rev: 1, path: "/d", mode: 0o755, mtime: 1 }, fileEntry("/d/a", "one")], PEER);
    expect(since(store, { rev, path: null, baseline: 0 }, PEER)).toContain("file /d/a");
    const cursor = here(store);
    store.apply([fileEntry("/d/a", "two")], PEER);
    expect(since(store, cursor, PEER)).toEqual([]);
    expect(since(store, cursor, { peer: "other" })).toEqual(["file /d/a"]);
    store.write(store.lookup(store.lookup(ROOT_INO, "d")!.ino, "a")!.ino, 0, bytes("3"));
    expect(since(store, cursor, PEER)).toEqual(["file /d/a"]);
  });

  storeTest(suite, "applying twice is applying once", (store) => {
    const entries: ChangeEntry[] = [
      { kind: "dir", rev: 1, path: "/d", mode: 0o700, mtime: 5, mtimeNs: 3 },
      fileEntry("/d/a", "one", { links: 2, mtimeNs: 9 }),
      fileEntry("/d/b", "one", { links: 2, sameAs: "/d/a", mtimeNs: 9 }),
      { kind: "symlink", rev: 1, path: "/d/l", mode: 0o777, target: "a", mtime: 6 },
      { kind: "delete", rev: 1, path: "/d/none" },
    ];
    expect(store.apply(entries, PEER)).toEqual({ applied: 5, refused: [], conflicts: [] });
    const once = { tree: tree(store), rev: store.rev() };
    expect(store.apply(entries, PEER)).toEqual({ applied: 5, refused: [], conflicts: [] });
    expect({ tree: tree(store), rev: store.rev() }).toEqual(once);
    const { ino } = store.lookup(ROOT_INO, "d")!;
    expect(store.lookup(ino, "a")!.ino).toBe(store.lookup(ino, "b")!.ino);
    expect(store.getattr(ino)).toMatchObject({ mode: 0o700, mtime: 5, mtimeNs: 3 });
  });

  storeTest(suite, "Y-08 a missing parent is made, and a path takes whatever kind it is told to be", (store) => {
    const swap = (entry: ChangeEntry) => expect(store.apply([entry], PEER)).toMatchObject({ applied: 1, refused: [] });
    swap(fileEntry("/x/y/z", "deep"));
    swap({ kind: "symlink", rev: 1, path: "/x/y", mode: 0o777, target: "elsewhere", mtime: 1 });
    swap({ kind: "dir", rev: 1, path: "/x/y", mode: 0o755, mtime: 1 });
    swap(fileEntry("/x/y/w", "again"));
    swap(fileEntry("/x", "flat"));
    expect(since(store, START)).toEqual(["file /x"]);
    swap({ kind: "dir", rev: 1, path: "/x", mode: 0o755, mtime: 1 });
    swap({ kind: "delete", rev: 1, path: "/x" });
    expect(since(store, START)).toEqual([]);
  });

  storeTest(suite, "a bad entry is passed over and reported, the rest holds", (store) => {
    const many = ["relative", "/a/../b", "/a//b", "/", "/out", `/w/${"n".repeat(256)}`, "/w/a\0b", ""];
    const outcome = store.apply(
      [
        ...many.map((path) => fileEntry(path, "x")),
        fileEntry("/w/short", "x", { size: 2 }),
        fileEntry("/w/absent", "", {
          data: undefined as never,
          size: 3,
          chunks: [{ hash: new Uint8Array(32).fill(1), size: 3 }],
        }),
        fileEntry("/w/good", "x"),
      ],
      { ...PEER, root: "/w" },
    );
    expect(outcome.applied).toBe(1);
    expect(outcome.refused.map(({ reason }) => reason)).toEqual([
      "bad-path",
      "bad-path",
      "bad-path",
      "outside-root",
      "outside-root",
      "bad-path",
      "bad-path",
      "bad-path",
      "bad-entry",
      "missing-chunks",
    ]);
    expect(since(store, START)).toEqual(["dir /w", "file /w/good"]);
  });

  storeTest(suite, "chunks put before their entry make its contents, and only changed ones are asked for", (store) => {
    const content = pattern(2 * CHUNK_BYTES + 5);
    const { ino } = store.create(ROOT_INO, "source", { kind: "file", mode: 0o644, content });
    const entry = store.entry("/source");
    if (entry?.kind !== "file") throw new Error("no file");
    store.write(ino, CHUNK_BYTES, bytes("!"));
    expect(store.missingChunks(entry.chunks.map(({ hash }) => hash))).toEqual([entry.chunks[1]!.hash]);
    store.putChunks([{ hash: entry.chunks[1]!.hash, bytes: content.slice(CHUNK_BYTES, 2 * CHUNK_BYTES) }]);
    expect(store.apply([{ ...entry, path: "/copy" }], PEER)).toMatchObject({ applied: 1, refused: [] });
    expectSameBytes(store.read(store.lookup(ROOT_INO, "copy")!.ino, 0, content.length + 1), content);
  });

  storeTest(suite, "Y-10 what both sides changed is kept beside what stands, and named", (store) => {
    const w = directory(store, ROOT_INO, "w");
    for (const name of ["p", "q", "r", "s"]) file(store, w, name, "old");
    const options: ApplyOptions = { ...PEER, root: "/w", base: store.rev(), conflictDir: "/.computer/conflicts" };
    for (const name of ["p", "q"]) store.replace(store.lookup(w, name)!.ino, bytes("host"));
    store.unlink(w, "s");
    const rev = store.lookup(w, "q")!.rev;
    const outcome = store.apply(
      [fileEntry("/w/q", "guest"), fileEntry("/w/r", "guest"), fileEntry("/w/s", "guest")],
      options,
    );
    expect(outcome.conflicts).toEqual([{ path: "/w/q", kept: `/.computer/conflicts/w/q.r${rev}` }, { path: "/w/s" }]);
    const read = (name: string) => text(store, store.lookup(w, name)!.ino);
    expect(["p", "q", "r", "s"].map(read)).toEqual(["host", "guest", "guest", "guest"]);
    const kept = store.entry(outcome.conflicts[0]!.kept!);
    expect(kept).toMatchObject({ kind: "file", data: bytes("host") });
    expect(store.apply([fileEntry("/w/q", "later")], options).conflicts).toEqual([]);
    expect(store.apply([fileEntry("/w/p", "host", { mtime: 9 })], options).conflicts).toEqual([]);
  });

  storeTest(suite, "a change below a directory that was taken away here is a conflict, once for each path", (store) => {
    const w = directory(store, ROOT_INO, "w");
    for (const name of ["gone", "moved", "anew"]) file(store, directory(store, w, name), "x", "old");
    const options: ApplyOptions = { ...PEER, root: "/w", base: store.rev(), conflictDir: "/.computer/conflicts" };
    store.removeTree(w, "gone");
    store.rename(w, "moved", w, "elsewhere");
    store.removeTree(w, "anew");
    directory(store, w, "anew");
    const paths = ["/w/gone/x", "/w/gone/y", "/w/moved/x", "/w/anew/z", "/w/other/x"];
    const outcome = store.apply(
      paths.map((path) => fileEntry(path, "guest")),
      options,
    );
    expect(outcome).toMatchObject({ applied: 5, refused: [] });
    expect(outcome.conflicts).toEqual([{ path: "/w/gone/x" }, { path: "/w/gone/y" }, { path: "/w/moved/x" }]);
    const { ino } = store.lookup(w, "elsewhere")!;
    expect(text(store, store.lookup(ino, "x")!.ino)).toBe("old");
  });

  storeTest(
    suite,
    "what came to a path with a directory that was moved here is kept, whoever had written it",
    (store) => {
      const w = directory(store, ROOT_INO, "w");
      for (const name of ["known", "over"]) directory(store, w, name);
      const options: ApplyOptions = { ...PEER, root: "/w", base: store.rev(), conflictDir: "/kept" };
      const bring = (path: string, content: string) => store.apply([fileEntry(path, content)], options).conflicts;
      expect(bring("/w/known/x", "one")).toEqual([]);
      expect(bring("/w/known/x", "two")).toEqual([]);
      const { rev } = store.lookup(store.lookup(w, "known")!.ino, "x")!;
      store.rename(w, "known", w, "over");
      expect(bring("/w/over/x", "other")).toEqual([{ path: "/w/over/x", kept: `/kept/w/over/x.r${rev}` }]);
      expect(store.entry(`/kept/w/over/x.r${rev}`)).toMatchObject({ data: bytes("two") });
      expect(bring("/w/over/x", "again")).toEqual([]);
    },
  );

  storeTest(suite, "a pinned chunk outlives the file it was in, until the pin is gone", (store) => {
    const content = pattern(CHUNK_BYTES);
    store.create(ROOT_INO, "f", { kind: "file", mode: 0o644, content });
    const entry = store.entry("/f");
    if (entry?.kind !== "file") throw new Error("no file");
    const { hash } = entry.chunks[0]!;
    const unpin = store.pinChunks([hash]);
    store.unlink(ROOT_INO, "f");
    expect(store.getChunk(hash)).toEqual(content);
    expect(store.apply([{ ...entry, path: "/again" }], PEER)).toMatchObject({ applied: 1, refused: [] });
    store.unlink(ROOT_INO, "again");
    unpin();
    expect(store.getChunk(hash)).toBeUndefined();
  });

  storeTest(suite, "a deleted directory's files that changed here are kept", (store) => {
    const w = directory(store, ROOT_INO, "w");
    const sub = directory(store, w, "d");
    file(store, sub, "same");
    const base = store.rev();
    file(store, sub, "new", "mine");
    const outcome = store.apply([{ kind: "delete", rev: 1, path: "/w/d" }], { ...PEER, base, conflictDir: "/kept" });
    expect(outcome.conflicts).toEqual([{ path: "/w/d/new", kept: `/kept/w/d/new.r${base + 1}` }]);
    expect(store.entry("/w/d")).toBeNull();
    expect(store.entry(outcome.conflicts[0]!.kept!)).toMatchObject({ data: bytes("mine") });
  });

  storeTest(suite, "how far a peer has come is remembered until it is forgotten", (store) => {
    expect(store.peer("p")).toBeUndefined();
    const state = { sent: { rev: 3, path: "/a" }, received: { rev: 4, path: null } };
    store.setPeer("p", state);
    expect(store.peer("p")).toEqual(state);
    expect(store.rev()).toBe(0);
    store.setPeer("p", null);
    expect(store.peer("p")).toBeUndefined();
  });
}
