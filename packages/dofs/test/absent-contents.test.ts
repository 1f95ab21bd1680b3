/** Files whose contents are known by hash only: what can be done without them, and what asks for them. */

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { type Absent, type InodeStore, MemoryStore, ROOT_INO } from "../src/index.ts";
import { CHUNK_BYTES } from "../src/store/chunks.ts";
import { expectSameBytes } from "../src/testing/same-bytes.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();
const SIZE = 2 * CHUNK_BYTES + 100;

/** A store with the file, and one that knows it by hash only. */
function copied(): { here: InodeStore; source: InodeStore; ino: number; content: Uint8Array } {
  const source = new MemoryStore({ sha256 });
  const here = new MemoryStore({ sha256 });
  const content = new Uint8Array(SIZE).map((_, i) => i % 251);
  source.create(ROOT_INO, "f", { kind: "file", mode: 0o644, content });
  here.apply(source.changes({ rev: 0, path: null }, { entries: 10 }).entries, { peer: "p", allowAbsent: true });
  return { here, source, ino: here.lookup(ROOT_INO, "f")!.ino, content };
}

function bring(here: InodeStore, source: InodeStore, { absent }: Absent): void {
  here.putChunks(absent.map((hash) => ({ hash, bytes: source.getChunk(hash)! })));
}

test.each<[string, number]>([
  ["within a chunk", CHUNK_BYTES + 7],
  ["within the first chunk", 10],
  ["at the border of a chunk", CHUNK_BYTES],
  ["to nothing", 0],
  ["longer in its last chunk", SIZE + 50],
  ["longer by whole chunks", SIZE + 3 * CHUNK_BYTES],
])("a file cut %s asks for no more than the chunk that changes, and is what it should be", (_how, size) => {
  const { here, source, ino, content } = copied();
  const expected = new Uint8Array(size);
  expected.set(content.subarray(0, size));
  const changes = size % CHUNK_BYTES !== 0 || size > SIZE;
  if (changes) {
    expect(() => here.setattr(ino, { size })).toThrow(/EIO/);
    const at = Math.min(size, SIZE) - 1;
    const found = here.read(ino, at, 1);
    if (found instanceof Uint8Array) throw new Error("it is here");
    expect(found.absent).toHaveLength(1);
    bring(here, source, found);
  }
  here.setattr(ino, { size });
  const entry = here.entry("/f");
  const plain = new MemoryStore({ sha256 });
  plain.create(ROOT_INO, "f", { kind: "file", mode: 0o644, content: expected });
  const same = plain.entry("/f");
  if (entry?.kind !== "file" || same?.kind !== "file") throw new Error("no file");
  if (entry.data === undefined)
    expect(entry.chunks.map(({ size }) => size)).toEqual(same.chunks.map(({ size }) => size));
  for (;;) {
    const read = here.read(ino, 0, size);
    if (read instanceof Uint8Array) {
      expectSameBytes(read, expected);
      break;
    }
    bring(here, source, read);
  }
  const described = here.entry("/f");
  expect(described?.kind === "file" && { chunks: described.chunks, data: described.data }).toEqual({
    chunks: same.chunks,
    data: same.data,
  });
});

test("a write asks for what it joins, and for a last chunk that it makes longer", () => {
  const { here, source, ino } = copied();
  const one = new Uint8Array([1]);
  expect(here.write(ino, 5, one)).toMatchObject({ absent: [expect.anything()] });
  expect(here.write(ino, 0, new Uint8Array(CHUNK_BYTES))).toMatchObject({ size: SIZE });
  const beyond = here.write(ino, 5 * CHUNK_BYTES, one);
  if (!("absent" in beyond)) throw new Error("the last chunk was not asked for");
  expect(beyond.absent).toHaveLength(1);
  bring(here, source, beyond);
  expect(here.write(ino, 5 * CHUNK_BYTES, one)).toMatchObject({ size: 5 * CHUNK_BYTES + 1 });
  const entry = here.entry("/f");
  const middle = source.entry("/f");
  if (entry?.kind !== "file" || middle?.kind !== "file") throw new Error("no file");
  expect(entry.chunks[1]).toEqual(middle.chunks[1]);
  expect(entry.chunks.map(({ size }) => size)).toEqual([...Array(5).fill(CHUNK_BYTES), 1]);
});
