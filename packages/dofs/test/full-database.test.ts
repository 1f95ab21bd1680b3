import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { WorkspaceFilesystem } from "../src/filesystem/workspace-filesystem.ts";
import { type NodeStorage, openNodeStorage } from "../src/node/index.ts";
import { Database } from "../src/sql/database.ts";
import { SqlStore } from "../src/store/sql-store.ts";
import { treeOfStore } from "./property/store-machine.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

function open(): { storage: NodeStorage; store: SqlStore; fs: WorkspaceFilesystem } {
  const storage = openNodeStorage();
  const db = new Database(storage);
  const store = SqlStore.open(db, { sha256 });
  return { storage, store, fs: new WorkspaceFilesystem(db) };
}

/** Bytes that no two chunks share. */
function distinct(size: number, salt: number): Uint8Array {
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i + 8 <= size; i += 8) view.setFloat64(i, i * 1.1 + salt);
  return bytes;
}

/** Every row of every table, so that nothing left behind goes unseen. */
function dump(storage: NodeStorage): string[] {
  const tables = storage.sql.exec("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").toArray();
  return tables.flatMap(({ name }) =>
    storage.sql
      .exec(`SELECT * FROM ${name}`)
      .toArray()
      .map(
        (row) =>
          `${name} ${JSON.stringify(row, (_key, value) => (value instanceof ArrayBuffer ? hashed(value) : value))}`,
      ),
  );
}

function hashed(bytes: ArrayBuffer): string {
  return Buffer.from(sha256(new Uint8Array(bytes))).toString("hex", 0, 6);
}

describe("R-05 a full database", () => {
  test("is ENOSPC to whoever writes, with the path; what was there is as it was", async () => {
    const { storage, store, fs } = open();
    await fs.mkdir("/w");
    await fs.writeFile("/w/kept", distinct(600_000, 1));
    const before = treeOfStore(store);
    storage.limitGrowth(4);
    const call = fs.writeFile("/w/large", distinct(5_000_000, 2));
    await expect(call).rejects.toMatchObject({
      code: "ENOSPC",
      path: "/w/large",
      message: "ENOSPC: no space left on device, open '/w/large'",
    });
    await expect(fs.writeFile("/w/kept", distinct(5_000_000, 3))).rejects.toMatchObject({ code: "ENOSPC" });
    const pieces = Array.from({ length: 20 }, (_, i) => distinct(256_000, 10 + i));
    const source = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
    });
    await expect(fs.writeFile("/w/kept", source)).rejects.toMatchObject({ code: "ENOSPC" });
    const { inode } = await fs.stat("/w/kept");
    expect(() => store.write(inode, 600_000, distinct(5_000_000, 4))).toThrow(
      expect.objectContaining({ code: "ENOSPC" }),
    );
    expect(treeOfStore(store)).toEqual(before);
  });

  test("can still be read and emptied, and then written again", async () => {
    const { storage, fs } = open();
    await fs.mkdir("/w");
    for (let i = 0; i < 20; i++) await fs.writeFile(`/w/f${i}`, distinct(300_000, i));
    storage.limitGrowth(0);
    await expect(fs.writeFile("/w/more", distinct(300_000, 99))).rejects.toMatchObject({ code: "ENOSPC" });
    expect((await fs.readdir("/w")).length).toBe(20);
    expect((await new Response(await fs.readFile("/w/f7")).bytes()).length).toBe(300_000);
    for (let i = 0; i < 10; i++) await fs.rm(`/w/f${i}`);
    await fs.writeFile("/w/more", distinct(300_000, 99));
    await fs.rm("/w", { recursive: true });
    expect(await fs.readdir("/")).toEqual([]);
  });

  const mutations: Record<string, (fs: WorkspaceFilesystem, store: SqlStore) => unknown> = {
    "create a small file": (fs) => fs.writeFile("/w/new", "x"),
    "create a large file": (fs) => fs.writeFile("/w/new", distinct(800_000, 1)),
    "create from a stream": (fs) => fs.writeFile("/w/new", new Response(distinct(800_000, 1)).body!),
    "overwrite a small file by a large one": (fs) => fs.writeFile("/w/small", distinct(800_000, 1)),
    "overwrite a large file by a small one": (fs) => fs.writeFile("/w/large", "x"),
    "overwrite a large file from a stream": (fs) => fs.writeFile("/w/large", new Response(distinct(800_000, 1)).body!),
    append: async (fs, store) => store.write((await fs.stat("/w/large")).inode, 700_000, distinct(300_000, 5)),
    "write in the middle": async (fs, store) =>
      store.write((await fs.stat("/w/large")).inode, 200_000, distinct(300_000, 5)),
    truncate: async (fs, store) => store.setattr((await fs.stat("/w/large")).inode, { size: 300_001 }),
    "mkdir of three": (fs) => fs.mkdir("/w/x/y/z", { recursive: true }),
    symlink: (fs) => fs.symlink("small", "/w/l"),
    link: async (fs, store) => store.link((await fs.stat("/w/large")).inode, (await fs.stat("/w/d")).inode, "again"),
    "rename over a file": (fs) => fs.rename("/w/small", "/w/large"),
    "rename a directory": (fs) => fs.rename("/w/d", "/w/e"),
    "remove a file": (fs) => fs.rm("/w/large"),
    "remove a tree": (fs) => fs.rm("/w/d", { recursive: true }),
    chmod: (fs) => fs.chmod("/w/small", 0o600),
  };

  test.each(Object.keys(mutations))("a fault at any statement of it leaves no trace: %s", async (name) => {
    const { storage, store, fs } = open();
    await fs.mkdir("/w/d/deep", { recursive: true });
    await fs.writeFile("/w/small", "small");
    await fs.writeFile("/w/large", distinct(700_000, 0));
    await fs.writeFile("/w/d/deep/f", distinct(700_000, 0));
    const rows = dump(storage);
    const tree = treeOfStore(store);
    for (let after = 0; ; after++) {
      storage.failWith("SQLITE_FULL", after);
      const outcome = await Promise.allSettled([(async () => mutations[name]!(fs, store))()]);
      if (storage.clearFault()) {
        expect(outcome[0].status).toBe("fulfilled");
        expect(after, "statements that could fail").toBeGreaterThan(0);
        return;
      }
      expect(outcome[0]).toMatchObject({ status: "rejected", reason: { code: "ENOSPC" } });
      expect(dump(storage)).toEqual(rows);
      expect(treeOfStore(store)).toEqual(tree);
    }
  });
});
