import { env, runInDurableObject } from "cloudflare:test";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { mkdir } from "../../src/filesystem/mkdir.ts";
import { rename } from "../../src/filesystem/rename.ts";
import { rm } from "../../src/filesystem/rm.ts";
import { writeFile } from "../../src/filesystem/write-file.ts";
import { find } from "../../src/search/find.ts";
import { grepPage } from "../../src/search/grep.ts";
import { ls } from "../../src/search/ls.ts";
import { Database } from "../../src/sql/database.ts";
import { CHUNK_BYTES } from "../../src/store/chunks.ts";
import { SqlStore } from "../../src/store/sql-store.ts";
import { CountedStorage, type Rows } from "../counted-storage.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

/** Counts the rows of an operation on the files as one would that remembers nothing of them. */
type Cold = (operation: (store: SqlStore) => unknown) => Rows;

async function inObject(body: (store: SqlStore, cold: Cold) => void): Promise<void> {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), (_object, state) => {
    const open = (storage: CountedStorage) => SqlStore.open(new Database(storage), { sha256 });
    const cold: Cold = (operation) => {
      const storage = new CountedStorage(state.storage);
      const store = open(storage);
      store.rev();
      return storage.count(() => operation(store));
    };
    body(open(new CountedStorage(state.storage)), cold);
  });
}

function plant(store: SqlStore, directory: string, files: number, content: (i: number) => string | Uint8Array): void {
  store.transaction(() => {
    for (let i = 0; i < files; i++) {
      if (i % 50 === 0) mkdir(store, `${directory}/d${Math.floor(i / 50)}`, { recursive: true });
      writeFile(store, `${directory}/d${Math.floor(i / 50)}/f${i}.ts`, content(i));
    }
  });
}

test("find and ls over 2,000 files in 40 directories read 1 row an entry and 2 a directory", async () => {
  await inObject((store, cold) => {
    plant(store, "/w", 2_000, () => "");
    const entries = 2_040;
    expect(cold((fs) => expect([...find(fs, "/w")].length).toBe(entries)).read).toBeLessThanOrEqual(entries + 100);
    expect(cold((fs) => expect(ls(fs, "/w").length).toBe(2_000)).read).toBeLessThanOrEqual(entries + 100);
    expect(cold((fs) => expect([...find(fs, "/w", "d7/f351.ts")].length).toBe(1)).read).toBeLessThanOrEqual(20);
    expect(cold((fs) => expect([...find(fs, "/w", "**", { limit: 5 })].length).toBe(5)).read).toBeLessThanOrEqual(300);
  });
});

test("grep over 2,000 small files in 40 directories reads 3 rows a file", async () => {
  await inObject((store, cold) => {
    plant(store, "/w", 2_000, (i) => `const n = ${i};\nexport default n;\n`);
    const all = cold((fs) => expect(grepPage(fs, "n = 1999", "/w").matches.length).toBe(1));
    expect(all.read).toBeLessThanOrEqual(3 * 2_040 + 10);
    expect(all.written).toBe(0);
    const page = cold((fs) => expect(grepPage(fs, "export", "/w", { limit: 10 }).matches.length).toBe(10));
    expect(page.read).toBeLessThanOrEqual(400);
    const none = cold((fs) => expect(grepPage(fs, "export", "/w", { include: "*.md" }).filesSearched).toBe(0));
    expect(none.read).toBeLessThanOrEqual(2 * 2_040 + 60);
  });
});

test("grep reads at most 2 more rows a chunk, each once, and none past a full page", async () => {
  await inObject((store, cold) => {
    const chunks = 40;
    const content = new Uint8Array(chunks * CHUNK_BYTES);
    for (let i = 0; i < content.length; i++) content[i] = i % 97 === 0 ? 10 : 97 + ((i + (i >> 18)) % 26);
    mkdir(store, "/w");
    writeFile(store, "/w/big", content);
    const all = cold((fs) => expect(grepPage(fs, "needle", "/w").filesSearched).toBe(1));
    expect(all.read).toBeLessThanOrEqual(10 + 2 * chunks);
    const page = cold((fs) => expect(grepPage(fs, "a", "/w", { limit: 3 }).matches.length).toBe(3));
    expect(page.read).toBeLessThanOrEqual(14);
  });
});

test("Q-03 an excluded directory of 20,000 files costs the row of its name", async () => {
  await inObject((store, cold) => {
    plant(store, "/w/node_modules", 20_000, () => "");
    plant(store, "/w/src", 50, () => "needle");
    mkdir(store, "/w/node_modules_extra");
    writeFile(store, "/w/node_modules_extra/a.ts", "needle");
    const exclude = ["node_modules"];
    const found = cold((fs) => expect([...find(fs, "/w", "**/*.ts", { exclude })].length).toBe(51));
    expect(found.read).toBeLessThanOrEqual(150);
    const grepped = cold((fs) => expect(grepPage(fs, "needle", "/w", { exclude }).matches.length).toBe(51));
    expect(grepped.read).toBeLessThanOrEqual(210);
  });
});

test("F-14 a directory path of over 80 bytes with 200 files is found, listed, searched, renamed and removed", async () => {
  await inObject((store) => {
    const directory = `/w/${"long-name-of-a-directory-".repeat(4)}`;
    mkdir(store, directory, { recursive: true });
    for (let i = 0; i < 200; i++) writeFile(store, `${directory}/f${i}`, `needle ${i}`);
    expect([...find(store, directory, "f1*")].length).toBe(111);
    expect(ls(store, directory).length).toBe(200);
    expect(grepPage(store, "needle 19", directory).matches.length).toBe(11);
    rename(store, directory, `${directory}-moved`);
    expect(ls(store, `${directory}-moved`).length).toBe(200);
    rm(store, `${directory}-moved`, { recursive: true });
    expect(ls(store, "/w")).toEqual([]);
  });
});
