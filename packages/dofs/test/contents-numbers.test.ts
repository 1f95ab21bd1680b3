import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { type InodeStore, ROOT_INO } from "../src/inode-store.ts";
import { openNodeStorage } from "../src/node/index.ts";
import { Database } from "../src/sql/database.ts";
import { CHUNK_BYTES } from "../src/store/chunks.ts";
import { SqlStore } from "../src/store/sql-store.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

function create(store: InodeStore, name: string, content = new Uint8Array()): number {
  return store.create(ROOT_INO, name, { kind: "file", mode: 0o644, content }).ino;
}

/** Makes the store forget what it counted in memory. */
function undone(store: InodeStore): void {
  expect(() => store.unlink(ROOT_INO, "missing")).toThrow("ENOENT");
}

test.each<[string, (store: SqlStore, ino: number) => void]>([
  ["extended with zeros", (store, ino) => store.setattr(ino, { size: CHUNK_BYTES })],
  ["extended with zeros over several chunks", (store, ino) => store.setattr(ino, { size: 3 * CHUNK_BYTES })],
  ["written with zeros", (store, ino) => store.write(ino, 0, new Uint8Array(2 * CHUNK_BYTES))],
  ["replaced by zeros", (store, ino) => store.replace(ino, new Uint8Array(2 * CHUNK_BYTES))],
])("a file %s does not take over what is written to another", (_how, change) => {
  const store = SqlStore.open(new Database(openNodeStorage()), { sha256 });
  const zeros = create(store, "zeros");
  change(store, zeros);
  undone(store);
  create(store, "other", new Uint8Array(CHUNK_BYTES).fill(7));
  const read = store.read(zeros, 0, 3 * CHUNK_BYTES);
  expect(read).toHaveLength(store.getattr(zeros).size);
  expect((read as Uint8Array).findIndex((byte) => byte !== 0)).toBe(-1);
});
