/** Contents that stand in files of a local disk: what is in them, what comes back from them, and how they are hashed. */

import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type Absent,
  type ChangeEntry,
  FsError,
  HashesMissing,
  MemoryStore,
  ROOT_INO,
  type Unhashed,
} from "../src/index.ts";
import { BackingFiles } from "../src/node/index.ts";
import { CHUNK_BYTES } from "../src/store/chunks.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

/** Files that know which of their cells are in use, and refuse writes once told to. */
class Watched extends BackingFiles {
  readonly used = new Set<number>();
  writesLeft = Number.POSITIVE_INFINITY;

  override allocate(bytes: number): number {
    const cell = super.allocate(bytes);
    this.used.add(cell);
    return cell;
  }

  override free(cell: number): void {
    expect(this.used.delete(cell)).toBe(true);
    super.free(cell);
  }

  override write(cell: number, start: number, bytes: Uint8Array): void {
    if (this.writesLeft-- <= 0) throw new FsError("ENOSPC");
    super.write(cell, start, bytes);
  }
}

let directory: string;
let backing: Watched;
let store: MemoryStore;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "backing-test-"));
  backing = new Watched(directory);
  store = new MemoryStore({ sha256, backing });
});
afterEach(async () => {
  backing.close();
  await rm(directory, { recursive: true });
});

/** Numbers that a seed decides. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function bytesOf(length: number, seed: number): Uint8Array {
  return new Uint8Array(length).map((_, index) => (index * 31 + (index >> 8) * 7 + (index >> 16) * 3 + seed) & 0xff);
}

function read(from: MemoryStore, name: string): Uint8Array | undefined {
  const found = from.lookup(ROOT_INO, name);
  return found === undefined ? undefined : (from.read(found.ino, 0, found.size) as Uint8Array);
}

/** The path and contents of an entry. */
function contentsOf(entry: ChangeEntry): unknown {
  return [entry.path, entry.kind === "file" && [entry.chunks, entry.data]];
}

function expectSame(found: Uint8Array | undefined, wanted: Uint8Array | undefined): void {
  expect(found?.length).toBe(wanted?.length);
  if (found !== undefined && wanted !== undefined) expect(Buffer.compare(found, wanted)).toBe(0);
}

test.each([1, 2, 3])("random changes of seed %i are as those in the heap, and leave no cell behind", (seed) => {
  const plain = new MemoryStore({ sha256 });
  const random = randomOf(seed * 7919);
  const names = ["a", "b", "c"];
  const kept: { release(): void }[] = [];
  const step = (): ((to: MemoryStore) => void) => {
    const name = names[random(3)]!;
    const offset = random(2 * CHUNK_BYTES);
    const bytes = bytesOf(1 + random(random(2) === 0 ? 2000 : 300_000), random(256));
    const ino = (to: MemoryStore): number =>
      (to.lookup(ROOT_INO, name) ?? to.create(ROOT_INO, name, { kind: "file", mode: 0o644 })).ino;
    const steps: ((to: MemoryStore) => void)[] = [
      (to) => void to.write(ino(to), offset, bytes),
      (to) => void to.write(ino(to), to.getattr(ino(to)).size, bytes),
      (to) => void to.setattr(ino(to), { size: offset }),
      (to) => void to.setattr(ino(to), { size: 3 * CHUNK_BYTES + offset }),
      (to) => void to.punch(ino(to), offset, bytes.length),
      (to) => void to.replace(ino(to), bytes),
      (to) => to.lookup(ROOT_INO, name) && to.unlink(ROOT_INO, name),
      (to) => void to.entry(`/${name}`),
      (to) => {
        const snapshot = to.snapshot(ino(to));
        if (to === store) kept.push(snapshot);
      },
      (to) => to.apply(to.changes({ rev: 0, path: null }, { entries: 2 }).entries, { peer: "p", conflictDir: "/" }),
      (to) => {
        const undone = () =>
          to.transaction(() => {
            to.write(ino(to), offset, bytes);
            to.setattr(ino(to), { size: 100_000 });
            to.entry(`/${name}`);
            to.unlink(ROOT_INO, name);
            throw new Error("undone");
          });
        expect(undone).toThrow("undone");
      },
    ];
    return steps[random(steps.length)]!;
  };
  for (let number = 0; number < 300; number++) {
    const change = step();
    change(store);
    change(plain);
    if (kept.length > 3) kept.shift()!.release();
    if (number % 20 > 0) continue;
    for (const name of names) expectSame(read(store, name), read(plain, name));
  }
  const entries = (of: MemoryStore) => of.changes({ rev: 0, path: null }, { entries: 9 }).entries;
  expect(entries(store).map(contentsOf)).toEqual(entries(plain).map(contentsOf));
  // What an entry names can be had.
  for (const entry of entries(store)) {
    if (entry.kind !== "file") continue;
    for (const { hash, size } of entry.chunks) {
      const chunk = store.getChunk(hash)!;
      expect([chunk.length, Buffer.compare(sha256(chunk), hash)]).toEqual([size, 0]);
    }
  }
  expect(backing.used.size).toBeGreaterThan(0);
  for (const snapshot of kept) snapshot.release();
  for (const name of names) if (store.lookup(ROOT_INO, name) !== undefined) store.unlink(ROOT_INO, name);
  expect(backing.used.size).toBe(0);
});

test("large contents stand in files without names, and the disk has them back once they are gone", () => {
  const before = backing.freeBytes;
  for (const name of ["a", "b"]) {
    const { ino } = store.create(ROOT_INO, name, { kind: "file", mode: 0o644 });
    for (let at = 0; at < 20; at++) store.write(ino, at * CHUNK_BYTES, bytesOf(CHUNK_BYTES, at));
  }
  expect(backing.used.size).toBe(40);
  expect(readdirSync(directory)).toEqual([]);
  store.removeTree(ROOT_INO, "a");
  store.removeTree(ROOT_INO, "b");
  expect(backing.used.size).toBe(0);
  expect(before).toBeGreaterThan(0);
});

test("many small files do not stay in the heap", () => {
  const content = bytesOf(8000, 1);
  for (let number = 0; number < 4000; number++) {
    store.create(ROOT_INO, `f${number}`, { kind: "file", mode: 0o644, content });
  }
  // 24 MiB of them do.
  expect(backing.used.size).toBe(4000 - Math.floor((24 << 20) / 8200));
  expectSame(read(store, "f3999"), content);
});

test("a write that the disk has no room for changes nothing, and shows nothing later", () => {
  const { ino } = store.create(ROOT_INO, "f", { kind: "file", mode: 0o644, content: bytesOf(100_000, 1) });
  backing.writesLeft = 2;
  expect(() => store.write(ino, 90_000, new Uint8Array(3 * CHUNK_BYTES).fill(1))).toThrow(/ENOSPC/);
  backing.writesLeft = Number.POSITIVE_INFINITY;
  expect(store.getattr(ino).size).toBe(100_000);
  store.setattr(ino, { size: 2 * CHUNK_BYTES });
  const after = read(store, "f")!;
  expect(after.subarray(0, 90_000)).toEqual(bytesOf(100_000, 1).subarray(0, 90_000));
  expect(after.subarray(100_000).every((byte) => byte === 0)).toBe(true);
  backing.writesLeft = 0;
  expect(() => store.create(ROOT_INO, "g", { kind: "file", mode: 0o644, content: new Uint8Array(50_000) })).toThrow(
    /ENOSPC/,
  );
  expect(store.lookup(ROOT_INO, "g")).toBeUndefined();
});

test("contents that are fetched stand in files too", () => {
  const source = new MemoryStore({ sha256 });
  source.create(ROOT_INO, "f", { kind: "file", mode: 0o644, content: bytesOf(3 * CHUNK_BYTES, 5) });
  const { entries } = source.changes({ rev: 0, path: null }, { entries: 10 });
  store.apply(entries, { peer: "p", allowAbsent: true });
  const { ino, size } = store.lookup(ROOT_INO, "f")!;
  const { absent } = store.read(ino, 0, size) as Absent;
  store.putChunks(absent.map((hash) => ({ hash, bytes: source.getChunk(hash)! })));
  expectSame(read(store, "f"), bytesOf(3 * CHUNK_BYTES, 5));
  expect(backing.used.size).toBe(absent.length);
});

/** Hashes as another thread does. */
function hashed({ source, length }: Unhashed): Uint8Array {
  const bytes = new Uint8Array(length);
  if ("bytes" in source) bytes.set(source.bytes);
  else {
    for (const cell of backing.used) {
      const place = backing.place(cell);
      if (place.file === source.place.file && place.position === source.place.position) {
        backing.read(cell, 0, bytes, 0, source.length);
      }
    }
  }
  return sha256(bytes);
}

function missing(action: () => unknown): HashesMissing {
  try {
    action();
  } catch (error) {
    if (error instanceof HashesMissing) return error;
    throw error;
  }
  throw new Error("no hash was missing");
}

test("a store that hashes elsewhere names what is to be hashed, changes nothing, and takes the hashes", () => {
  store = new MemoryStore({ sha256, backing, hashElsewhere: true });
  const { ino } = store.create(ROOT_INO, "f", { kind: "file", mode: 0o644 });
  for (let at = 0; at < 12; at++) store.write(ino, at * CHUNK_BYTES, bytesOf(CHUNK_BYTES, at));
  store.setattr(ino, { size: 12 * CHUNK_BYTES + 1000 });
  store.write(ino, 12 * CHUNK_BYTES, bytesOf(10, 1));
  const plain = new MemoryStore({ sha256 });
  plain.create(ROOT_INO, "f", { kind: "file", mode: 0o644, content: read(store, "f")! });

  const first = missing(() => store.entry("/f"));
  // The first MiB is hashed on the spot.
  expect(first.wanted.map(({ length }) => length)).toEqual([...Array(8).fill(CHUNK_BYTES), 1000]);
  // What is written before its hash comes has to be hashed anew.
  store.write(ino, 11 * CHUNK_BYTES, bytesOf(5, 99));
  plain.write(plain.lookup(ROOT_INO, "f")!.ino, 11 * CHUNK_BYTES, bytesOf(5, 99));
  first.provide(first.wanted.map(hashed).fill(new Uint8Array(32), 7, 8));
  const described = store.entry("/f");
  const expected = plain.entry("/f");
  expect(described?.kind === "file" && described.chunks).toEqual(expected?.kind === "file" && expected.chunks);
});

test("an apply that lacks hashes is undone, and done once they are there", () => {
  store = new MemoryStore({ sha256, backing, hashElsewhere: true });
  const content = bytesOf(8 * CHUNK_BYTES, 3);
  store.create(ROOT_INO, "f", { kind: "file", mode: 0o644, content });
  const rev = store.rev();
  const entry = { kind: "file" as const, rev: 5, path: "/f", mode: 0o600, mtime: 7, size: content.length };
  const chunks = Array.from({ length: 8 }, (_, at) => ({
    hash: sha256(content.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES)),
    size: CHUNK_BYTES,
  }));
  const entries = [
    { kind: "dir" as const, rev: 5, path: "/d", mode: 0o755, mtime: 1 },
    { ...entry, chunks },
  ];
  const apply = () => store.apply(entries, { peer: "p", allowAbsent: true });
  const lacking = missing(apply);
  expect([store.rev(), store.lookup(ROOT_INO, "d")]).toEqual([rev, undefined]);
  lacking.provide(lacking.wanted.map(hashed));
  expect(apply()).toMatchObject({ applied: 2, refused: [] });
  expect(store.lookup(ROOT_INO, "f")).toMatchObject({ mode: 0o600, mtime: 7 });
  expectSame(read(store, "f"), content);
});

test("a store told to hash here does, whatever it was made for", () => {
  store = new MemoryStore({ sha256, backing, hashElsewhere: true });
  store.create(ROOT_INO, "f", { kind: "file", mode: 0o644, content: bytesOf(8 * CHUNK_BYTES, 3) });
  expect(store.hashingHere(() => store.entry("/f"))).toMatchObject({ size: 8 * CHUNK_BYTES });
});
