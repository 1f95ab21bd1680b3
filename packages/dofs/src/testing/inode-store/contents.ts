/** Contents: ranges, chunks, stages and snapshots. */

import { expect } from "vitest";
import { ROOT_INO } from "../../inode-store.ts";
import { CHUNK_BYTES, INLINE_BYTES } from "../../store/chunks.ts";
import { expectSameBytes } from "../same-bytes.ts";
import { bytes, directory, file, pattern, type StoreSuite, storeTest, text } from "./context.ts";

const code = (value: string) => expect.objectContaining({ code: value });

/** Sizes on both sides of every border of representation. */
const SIZES = [
  0,
  1,
  INLINE_BYTES - 1,
  INLINE_BYTES,
  INLINE_BYTES + 1,
  CHUNK_BYTES - 1,
  CHUNK_BYTES,
  CHUNK_BYTES + 1,
  3 * CHUNK_BYTES,
];

export function testContents(suite: StoreSuite): void {
  storeTest(suite, "contents of every size come back, whole and by ranges across chunks", (store) => {
    for (const size of SIZES) {
      const content = pattern(size);
      const { ino } = store.create(ROOT_INO, `f${size}`, { kind: "file", mode: 0o644, content });
      expect(store.getattr(ino).size).toBe(size);
      expectSameBytes(store.read(ino, 0, size + 10), content);
      for (const edge of [0, INLINE_BYTES, CHUNK_BYTES, 2 * CHUNK_BYTES, size]) {
        const from = Math.max(0, edge - 3);
        expect(store.read(ino, from, 6)).toEqual(content.slice(from, from + 6));
      }
      expect(store.read(ino, size + 5, 6)).toEqual(new Uint8Array(0));
    }
  });

  storeTest(suite, "writes and truncations of every kind match a plain array", (store) => {
    const { ino } = store.create(ROOT_INO, "f", { kind: "file", mode: 0o644 });
    let model = new Uint8Array(0);
    const steps: [number, number][] = [
      [0, 10],
      [INLINE_BYTES - 5, 10],
      [CHUNK_BYTES - 2, 4],
      [3 * CHUNK_BYTES + 7, 1],
      [5, CHUNK_BYTES],
      [CHUNK_BYTES, CHUNK_BYTES],
      [2 * CHUNK_BYTES - 1, 2],
    ];
    const sizes = [
      3 * CHUNK_BYTES,
      2 * CHUNK_BYTES + 1,
      4 * CHUNK_BYTES + 3,
      CHUNK_BYTES,
      CHUNK_BYTES - 1,
      INLINE_BYTES,
      7,
      CHUNK_BYTES + 1,
      0,
    ];
    steps.forEach(([offset, length], seed) => {
      const part = pattern(length, seed + 2);
      store.write(ino, offset, part);
      const grown = new Uint8Array(Math.max(model.length, offset + length));
      grown.set(model);
      grown.set(part, offset);
      model = grown;
      expectSameBytes(store.read(ino, 0, model.length + 1), model);
    });
    for (const size of sizes) {
      store.setattr(ino, { size });
      const cut = new Uint8Array(size);
      cut.set(model.subarray(0, size));
      model = cut;
      expectSameBytes(store.read(ino, 0, size + 1), model);
      expect(store.statfs().usedBytes).toBeGreaterThanOrEqual(0);
    }
  });

  storeTest(suite, "a write into an empty file is kept", (store) => {
    const { ino } = store.create(ROOT_INO, "f", { kind: "file", mode: 0o644, content: new Uint8Array(0) });
    store.write(ino, 0, bytes("first"));
    expect(text(store, ino)).toBe("first");
  });

  storeTest(suite, "bad ranges and things without contents are refused", (store) => {
    const ino = file(store, ROOT_INO, "f");
    const sub = directory(store, ROOT_INO, "d");
    for (const offset of [-1, 0.5, Number.NaN]) {
      expect(() => store.read(ino, offset, 1)).toThrow(code("EINVAL"));
      expect(() => store.write(ino, offset, bytes("x"))).toThrow(code("EINVAL"));
      expect(() => store.setattr(ino, { size: offset })).toThrow(code("EINVAL"));
    }
    for (const offset of [2 ** 50, 2 ** 62]) {
      expect(() => store.write(ino, offset, bytes("x"))).toThrow(code("EFBIG"));
      expect(() => store.setattr(ino, { size: offset })).toThrow(code("EFBIG"));
    }
    expect(() => store.read(sub, 0, 1)).toThrow(code("EISDIR"));
    expect(() => store.write(sub, 0, bytes("x"))).toThrow(code("EISDIR"));
    expect(() => store.setattr(sub, { size: 0 })).toThrow(code("EISDIR"));
  });

  storeTest(suite, "a stage becomes a file or replaces one in a single revision, and can be forgotten", (store) => {
    for (const size of SIZES) {
      const content = pattern(size, 5);
      const stage = store.stage();
      for (let at = 0; at < size; at += 100_003) stage.append(content.subarray(at, at + 100_003));
      expect(stage.size).toBe(size);
      const before = store.rev();
      const { ino } = store.create(ROOT_INO, `s${size}`, { kind: "file", mode: 0o644, content: stage });
      expect(store.rev()).toBe(before + 1);
      expectSameBytes(store.read(ino, 0, size + 1), content);
      expect(() => stage.append(bytes("x"))).toThrow(code("EBADF"));
      const next = store.stage();
      next.append(bytes("short"));
      expect(store.replace(ino, next)).toMatchObject({ ino, size: 5 });
      expect(text(store, ino)).toBe("short");
      expect(() => store.replace(ino, next)).toThrow(code("EINVAL"));
    }
    const dropped = store.stage();
    dropped.append(pattern(2 * CHUNK_BYTES + 1));
    dropped.discard();
    dropped.discard();
    expect(() => store.create(ROOT_INO, "x", { kind: "file", mode: 0o644, content: dropped })).toThrow(code("EINVAL"));
    expect(store.lookup(ROOT_INO, "x")).toBeUndefined();
  });

  storeTest(suite, "a snapshot reads what was there, whatever is written or removed meanwhile", (store) => {
    for (const size of [10, 2 * CHUNK_BYTES + 9]) {
      const content = pattern(size, 9);
      const { ino } = store.create(ROOT_INO, "f", { kind: "file", mode: 0o644, content });
      const snapshot = store.snapshot(ino);
      store.write(ino, 3, bytes("changed"));
      expectSameBytes(snapshot.read(0, size), content);
      store.unlink(ROOT_INO, "f");
      file(store, ROOT_INO, "f", "other");
      expectSameBytes(snapshot.read(0, size + 10), content);
      expect(snapshot.read(size - 4, 10)).toEqual(content.slice(size - 4));
      snapshot.release();
      snapshot.release();
      store.unlink(ROOT_INO, "f");
    }
  });

  storeTest(suite, "chunks are found by their hash while something has them", (store) => {
    const content = pattern(CHUNK_BYTES + 10);
    const { ino } = store.create(ROOT_INO, "f", { kind: "file", mode: 0o644, content });
    const entry = store.entry("/f");
    if (entry?.kind !== "file") throw new Error("no file");
    expect(entry.chunks.map(({ size }) => size)).toEqual([CHUNK_BYTES, 10]);
    const [first] = entry.chunks;
    expect(store.getChunk(first!.hash)).toEqual(content.slice(0, CHUNK_BYTES));
    expect(store.missingChunks([first!.hash, new Uint8Array(32)])).toEqual([new Uint8Array(32)]);
    store.link(ino, ROOT_INO, "g");
    store.unlink(ROOT_INO, "f");
    expect(store.getChunk(first!.hash)).toEqual(content.slice(0, CHUNK_BYTES));
    store.unlink(ROOT_INO, "g");
    expect(store.getChunk(first!.hash)).toBeUndefined();
    expect(() => store.putChunks([{ hash: new Uint8Array(32), bytes: bytes("x") }])).toThrow(code("EINVAL"));
  });
}
