/** Small contents read many at a time. */

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { type InodeStore, ROOT_INO } from "../src/inode-store.ts";
import { openNodeStorage } from "../src/node/index.ts";
import { Database } from "../src/sql/database.ts";
import { INLINE_BYTES } from "../src/store/chunks.ts";
import { MemoryStore } from "../src/store/memory-store.ts";
import { SqlStore } from "../src/store/sql-store.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

const stores: Record<string, () => InodeStore> = {
  "the store in SQLite": () => SqlStore.open(new Database(openNodeStorage()), { sha256 }),
  "the store in memory": () => new MemoryStore({ sha256 }),
};

test.each(Object.keys(stores))("of %s", (name) => {
  const store = stores[name]!();
  expect(store.readSmall([])).toEqual(new Map());
  const made = (name: string, content: Uint8Array): number =>
    store.create(ROOT_INO, name, { kind: "file", mode: 0o644, content }).ino;
  const text = new TextEncoder().encode("small");
  const [small, empty] = [made("small", text), made("empty", new Uint8Array(0))];
  const large = made("large", new Uint8Array(INLINE_BYTES + 1));
  const directory = store.create(ROOT_INO, "directory", { kind: "dir", mode: 0o755 }).ino;
  const link = store.create(ROOT_INO, "link", { kind: "symlink", mode: 0o777, target: "small" }).ino;
  const read = store.readSmall([large, empty, directory, small, link]);
  expect(new Map(read)).toEqual(
    new Map([
      [empty, new Uint8Array(0)],
      [small, text],
    ]),
  );
});
