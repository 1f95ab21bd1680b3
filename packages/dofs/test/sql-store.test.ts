import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { isFsError } from "../src/fs-error.ts";
import { ROOT_INO } from "../src/inode-store.ts";
import { openNodeStorage } from "../src/node/index.ts";
import { Database } from "../src/sql/database.ts";
import { SCHEMA_VERSION, SchemaError } from "../src/sql/schema.ts";
import { CHUNK_BYTES } from "../src/store/chunks.ts";
import { SqlStore } from "../src/store/sql-store.ts";
import { pattern } from "../src/testing/inode-store/context.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

function open() {
  const storage = openNodeStorage();
  const db = new Database(storage);
  const store = SqlStore.open(db, { sha256 });
  const count = (table: string) => db.scalar<number>(`SELECT count(*) FROM ${table}`);
  /** The same database in another life of its object. */
  const reopen = () => SqlStore.open(new Database(storage), { sha256 });
  return { storage, db, store, count, reopen };
}

const file = (content: Uint8Array) => ({ kind: "file", mode: 0o644, content }) as const;

test("equal chunks are stored once and freed with the last that has them", () => {
  const { store, count } = open();
  const content = pattern(3 * CHUNK_BYTES);
  store.create(ROOT_INO, "a", file(content));
  store.create(ROOT_INO, "b", file(content));
  expect([count("vfs_chunk"), count("vfs_extent")]).toEqual([3, 6]);
  store.write(store.lookup(ROOT_INO, "a")!.ino, 0, new Uint8Array([1, 2, 3]));
  expect(count("vfs_chunk")).toBe(4);
  store.unlink(ROOT_INO, "b");
  expect(count("vfs_chunk")).toBe(3);
  store.replace(store.lookup(ROOT_INO, "a")!.ino, pattern(10));
  expect([count("vfs_chunk"), count("vfs_extent")]).toEqual([0, 0]);
});

test("a hole takes no rows but for the first chunk", () => {
  const { store, count } = open();
  const { ino } = store.create(ROOT_INO, "a", file(new Uint8Array(0)));
  store.setattr(ino, { size: 1000 * CHUNK_BYTES });
  store.write(ino, 500 * CHUNK_BYTES + 3, new Uint8Array([7]));
  expect(count("vfs_extent")).toBe(2);
  expect(store.read(ino, 500 * CHUNK_BYTES, 6)).toEqual(new Uint8Array([0, 0, 0, 7, 0, 0]));
});

test("what an earlier life left unfinished is swept when the files are opened", () => {
  const { store, count, reopen } = open();
  const stage = store.stage();
  stage.append(pattern(2 * CHUNK_BYTES + 1));
  store.putChunks(Array.from({ length: 40 }, (_, i) => chunk(pattern(CHUNK_BYTES, 100 + i))));
  const { ino } = store.create(ROOT_INO, "held", file(pattern(CHUNK_BYTES)));
  store.hold(ino);
  store.unlink(ROOT_INO, "held");
  store.create(ROOT_INO, "stays", file(pattern(CHUNK_BYTES + 1)));
  expect(count("vfs_stage")).toBe(1);
  expect(count("vfs_chunk")).toBeGreaterThan(30);
  const again = reopen();
  expect(again.readdir(ROOT_INO, undefined, 10).map(({ name }) => name)).toEqual(["stays"]);
  expect([count("vfs_stage"), count("vfs_extent"), count("vfs_chunk"), count("vfs_inode")]).toEqual([0, 2, 2, 2]);
  expect(again.read(again.lookup(ROOT_INO, "stays")!.ino, 0, 2 * CHUNK_BYTES)).toEqual(pattern(CHUNK_BYTES + 1));
});

test("a later life goes on with the revisions and numbers of the one before", () => {
  const { store, reopen } = open();
  const { ino } = store.create(ROOT_INO, "a", file(new Uint8Array(1)));
  store.unlink(ROOT_INO, "a");
  const again = reopen();
  expect(again.rev()).toBe(2);
  expect(again.create(ROOT_INO, "b", file(new Uint8Array(2))).ino).toBeGreaterThan(ino);
  expect(again.statfs()).toMatchObject({ inodes: 2 });
});

test("a user's transaction around filesystem calls undoes them, and what was remembered of them", () => {
  const { store, db } = open();
  const heard: number[] = [];
  store.subscribe((rev) => heard.push(rev));
  const failing = () =>
    db.transactionSync(() => {
      store.create(ROOT_INO, "a", file(new Uint8Array(1)));
      throw new Error("undone");
    });
  expect(failing).toThrow("undone");
  expect(store.lookup(ROOT_INO, "a")).toBeUndefined();
  expect([store.rev(), heard]).toEqual([0, []]);
  db.transactionSync(() => {
    store.create(ROOT_INO, "b", file(new Uint8Array(1)));
    expect(heard).toEqual([]);
  });
  expect(heard).toEqual([1]);
});

test("a newer schema is refused, and nothing is touched", () => {
  const { store, db, reopen } = open();
  store.create(ROOT_INO, "a", file(new Uint8Array(1)));
  db.run("UPDATE vfs_meta SET value = ? WHERE key = 'schema_version'", SCHEMA_VERSION + 1);
  expect(() => reopen().lookup(ROOT_INO, "a")).toThrow(SchemaError);
  expect(() => reopen().create(ROOT_INO, "b", file(new Uint8Array(1)))).toThrow(/newer version.*deploy the newer code/);
  expect(db.scalar("SELECT count(*) FROM vfs_inode")).toBe(2);
});

test("names and kinds that only a computer can keep are refused", () => {
  const { store } = open();
  const refused = (run: () => unknown) => {
    try {
      run();
    } catch (error) {
      return isFsError(error) ? error.code : error;
    }
    return undefined;
  };
  expect(refused(() => store.create(ROOT_INO, "\udc80", file(new Uint8Array(0))))).toBe("EILSEQ");
  expect(refused(() => store.create(ROOT_INO, "p", { kind: "fifo", mode: 0o644 }))).toBe("ENOTSUP");
  expect(refused(() => store.setattr(ROOT_INO, { uid: 5 }))).toBe("ENOTSUP");
  expect(store.lookup(ROOT_INO, "\udc80")).toBeUndefined();
});

test("the log is pruned to what peers need", () => {
  const { store, count } = open();
  store.setPeer("slow", { sent: { rev: 10, path: null }, received: { rev: 0, path: null } });
  const { ino } = store.create(ROOT_INO, "a", file(new Uint8Array(0)));
  const write = (times: number) => {
    for (let i = 0; i < times; i++) store.write(ino, 0, new Uint8Array([i]));
  };
  write(10_300);
  expect(count("vfs_log")).toBe(store.rev() - 10);
  store.setPeer("slow", null);
  write(1024);
  expect(count("vfs_log")).toBeLessThan(6000);
  expect(store.changes({ rev: 10, path: null }, { entries: 10 }).reset).toBe(true);
  expect(store.changes({ rev: store.rev() - 4000, path: null }, { entries: 10 }).reset).toBe(false);
});

function chunk(bytes: Uint8Array) {
  return { hash: sha256(bytes), bytes };
}
