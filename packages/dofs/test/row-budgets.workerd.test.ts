import { env, runInDurableObject } from "cloudflare:test";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { mkdir } from "../src/filesystem/mkdir.ts";
import { readdir } from "../src/filesystem/readdir.ts";
import { rename } from "../src/filesystem/rename.ts";
import { rm } from "../src/filesystem/rm.ts";
import { orNull, stat } from "../src/filesystem/stat.ts";
import { writeFile } from "../src/filesystem/write-file.ts";
import { Database } from "../src/sql/database.ts";
import { CHUNK_BYTES, INLINE_BYTES } from "../src/store/chunks.ts";
import { SqlStore } from "../src/store/sql-store.ts";
import { CountedStorage, type Rows } from "./counted-storage.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

interface Opened {
  storage: CountedStorage;
  store: SqlStore;
  opening: Rows;
  /** The same files with nothing remembered of them. */
  cold(): Opened;
}

async function inObject(body: (opened: Opened) => void): Promise<void> {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), (_object, state) => {
    const open = (): Opened => {
      const storage = new CountedStorage(state.storage);
      const store = SqlStore.open(new Database(storage), { sha256 });
      // Whether the tables are there is looked up once, at the first use.
      const opening = storage.count(() => store.rev());
      return { storage, store, opening, cold: open };
    };
    body(open());
  });
}

function fill(store: SqlStore, directory: string, count: number): void {
  store.transaction(() => {
    for (let i = 0; i < count; i++) writeFile(store, `${directory}/f${i}`, `${i}`);
  });
}

test("opening: what is there costs 5 rows read, and nothing written", async () => {
  await inObject(({ store, cold }) => {
    mkdir(store, "/w");
    expect(cold().opening).toMatchObject({ read: 5, written: 0 });
  });
});

test("creating a small file: 4 rows written, of at most 5", async () => {
  await inObject(({ storage, store }) => {
    mkdir(store, "/w");
    fill(store, "/w", 1000);
    for (const content of ["", "hello", "x".repeat(10 * KIB)]) {
      expect(storage.count(() => writeFile(store, `/w/new${content.length}`, content)).written).toBe(4);
    }
  });
});

test("overwriting a small file: 2 rows written, of at most 4", async () => {
  await inObject(({ storage, store }) => {
    writeFile(store, "/f", "old");
    expect(storage.count(() => writeFile(store, "/f", "newer")).written).toBe(2);
  });
});

test("appending a byte: at most 5 rows written, of at most 6, whatever the file", async () => {
  await inObject(({ storage, store }) => {
    const sizes = [0, 1, 4095, 16 * KIB, INLINE_BYTES - 1, INLINE_BYTES, INLINE_BYTES + 1, 100_000];
    sizes.push(CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, MIB, MIB + 5, 5 * MIB, 5 * MIB + 100_000);
    for (const size of sizes) {
      const content = new Uint8Array(size).map((_, i) => i * 7 + (i >> 8) + (i >> 16));
      writeFile(store, "/f", content);
      writeFile(store, "/twin", content);
      const { inode } = stat(store, "/f");
      for (let i = 0; i < 3; i++) {
        const rows = storage.count(() => store.write(inode, size + i, new Uint8Array([1])));
        expect(rows.written, `${size} bytes and ${i}`).toBeLessThanOrEqual(5);
        expect(rows.read, `${size} bytes and ${i}`).toBeLessThanOrEqual(10);
      }
    }
  });
});

test("a cold stat in a directory of 1,000: 5 rows read, of at most 8; warm none", async () => {
  await inObject(({ store, cold }) => {
    mkdir(store, "/w");
    fill(store, "/w", 1000);
    const { storage, store: fresh } = cold();
    expect(storage.count(() => stat(fresh, "/w/f500"))).toMatchObject({ read: 5, written: 0 });
    expect(storage.count(() => stat(fresh, "/w/f500"))).toEqual({ statements: 0, read: 0, written: 0 });
    const other = cold();
    expect(other.storage.count(() => orNull(() => stat(other.store, "/w/missing")))).toMatchObject({ read: 3 });
  });
});

test("a cold stat at depth 8 in directories of 1,000: 17 rows read, of at most 20; warm none", async () => {
  await inObject(({ store, cold }) => {
    let path = "";
    for (let depth = 1; depth < 8; depth++) {
      path += "/d";
      mkdir(store, path);
      fill(store, path, 1000);
    }
    const { storage, store: fresh } = cold();
    expect(storage.count(() => stat(fresh, `${path}/f999`))).toMatchObject({ read: 17, written: 0 });
    expect(storage.count(() => stat(fresh, `${path}/f999`))).toEqual({ statements: 0, read: 0, written: 0 });
  });
});

test("renaming a directory: at most 6 rows written, of at most 8, whatever is in it", async () => {
  await inObject(({ storage, store }) => {
    mkdir(store, "/w/a/deep", { recursive: true });
    fill(store, "/w/a", 1000);
    fill(store, "/w/a/deep", 1000);
    mkdir(store, "/other/empty", { recursive: true });
    expect(storage.count(() => rename(store, "/w/a", "/w/b")).written).toBe(5);
    expect(storage.count(() => rename(store, "/w/b", "/other/b")).written).toBe(6);
    expect(storage.count(() => rename(store, "/other/b", "/other/empty")).written).toBe(6);
  });
});

test("removing one of 1,000 files: 4 rows written", async () => {
  await inObject(({ storage, store }) => {
    mkdir(store, "/w");
    fill(store, "/w", 1000);
    expect(storage.count(() => rm(store, "/w/f7")).written).toBe(4);
  });
});

test("removing a tree: 2 rows written for a file, and one revision", async () => {
  await inObject(({ storage, store }) => {
    mkdir(store, "/w/tree", { recursive: true });
    fill(store, "/w/tree", 1000);
    const before = store.rev();
    expect(storage.count(() => rm(store, "/w/tree", { recursive: true })).written).toBe(2004);
    expect(store.rev()).toBe(before + 1);
  });
});

test("listing 1,000 entries cold: 2 rows read for each", async () => {
  await inObject(({ store, cold }) => {
    mkdir(store, "/w");
    fill(store, "/w", 1000);
    const { storage, store: fresh } = cold();
    expect(storage.count(() => readdir(fresh, "/w")).read).toBe(2003);
  });
});
