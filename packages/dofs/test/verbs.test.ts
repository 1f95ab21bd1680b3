import { describe, expect, test } from "vitest";
import { FileSystem } from "../src/filesystem/file-system.ts";
import { link, readlink, symlink } from "../src/filesystem/links.ts";
import { mkdir } from "../src/filesystem/mkdir.ts";
import { readStream, readText } from "../src/filesystem/read-file.ts";
import { rename } from "../src/filesystem/rename.ts";
import { rm, rmdir, unlink } from "../src/filesystem/rm.ts";
import { stat } from "../src/filesystem/stat.ts";
import { writeFile } from "../src/filesystem/write-file.ts";
import type { InodeStore } from "../src/inode-store.ts";
import { memoryStore, sha256, sqlStore } from "./property/stores.ts";

describe.each<[string, () => InodeStore]>([
  ["MemoryStore", memoryStore],
  ["SqlStore", sqlStore],
])("the verbs over %s", (_name, make) => {
  test("F-04 mkdir recursive gives the first path it made, or undefined", () => {
    const store = make();
    expect(mkdir(store, "/a/b/c", { recursive: true })).toBe("/a");
    expect(mkdir(store, "/a/b/c", { recursive: true })).toBeUndefined();
    symlink(store, "a", "/l");
    expect(mkdir(store, "/l//b/./d/e/", { recursive: true })).toBe("/l/b/d");
    expect(mkdir(store, "/one")).toBeUndefined();
  });

  test("F-06 rename of one hard link onto the other leaves both names", () => {
    const store = make();
    writeFile(store, "/a", "x");
    link(store, "/a", "/b");
    const rev = store.rev();
    rename(store, "/a", "/b");
    expect(stat(store, "/a").inode).toBe(stat(store, "/b").inode);
    expect(store.rev()).toBe(rev);
  });

  test("F-08 rmdir of a link to a directory is ENOTDIR", () => {
    const store = make();
    mkdir(store, "/d");
    symlink(store, "d", "/k");
    expect(() => rmdir(store, "/k")).toThrow("ENOTDIR: not a directory, rmdir '/k'");
    expect(() => rmdir(store, "/k/")).toThrow(expect.objectContaining({ code: "ENOTDIR" }));
    rmdir(store, "/d");
    expect(readlink(store, "/k")).toBe("d");
  });

  test("unlink refuses a directory, link makes names of one inode", () => {
    const store = make();
    mkdir(store, "/d");
    writeFile(store, "/f", "x");
    expect(() => unlink(store, "/d")).toThrow(expect.objectContaining({ code: "EISDIR" }));
    expect(() => link(store, "/d", "/e")).toThrow(expect.objectContaining({ code: "EPERM" }));
    expect(() => link(store, "/f", "/d")).toThrow("EEXIST: file already exists, link '/f' -> '/d'");
    link(store, "/f", "/g");
    writeFile(store, "/g", "through the other");
    unlink(store, "/f");
    expect(readText(store, "/g", {})).toBe("through the other");
  });

  test("each call that changes something is one revision", async () => {
    const store = make();
    const fs = new FileSystem(store);
    const revisions = async (call: () => Promise<void>) => {
      const before = store.rev();
      await call();
      return store.rev() - before;
    };
    await fs.mkdir("/d/e/f", { recursive: true });
    expect(await revisions(() => fs.writeFile("/d/small", "x"))).toBe(1);
    expect(await revisions(() => fs.writeFile("/d/small", "y"))).toBe(1);
    expect(await revisions(() => fs.writeFile("/d/large", new Uint8Array(1_000_000)))).toBe(1);
    const body = new Response(new Uint8Array(1_000_000).fill(1)).body;
    expect(await revisions(() => fs.writeFile("/d/large", body ?? ""))).toBe(1);
    expect(await revisions(() => fs.symlink("t", "/d/l"))).toBe(1);
    expect(await revisions(() => fs.chmod("/d/small", 0o600))).toBe(1);
    expect(await revisions(() => fs.chmod("/d/small", 0o600))).toBe(0);
    expect(await revisions(() => fs.rename("/d", "/g"))).toBe(1);
    expect(await revisions(() => fs.rm("/g/small"))).toBe(1);
    expect(await revisions(() => fs.rm("/g", { recursive: true }))).toBe(1);
    expect(await revisions(() => fs.rm("/g", { force: true }))).toBe(0);
  });
});

test("contents that are known and not here are EIO to whoever reads by path", async () => {
  const source = memoryStore();
  const copy = memoryStore();
  const fs = new FileSystem(copy);
  writeFile(
    source,
    "/f",
    new Uint8Array(1_000_000).map((_, i) => i % 251),
  );
  copy.apply(source.changes({ rev: 0, path: null }, { entries: 10 }).entries, { peer: "p", allowAbsent: true });
  expect((await fs.stat("/f")).size).toBe(1_000_000);
  await expect(fs.readFile("/f", "utf8")).rejects.toMatchObject({ code: "EIO", path: "/f" });
  const reader = (await fs.readFile("/f")).getReader();
  await expect(reader.read()).rejects.toMatchObject({ code: "EIO", path: "/f" });
  await expect(fs.readFile("/f", { byteLength: 10 })).rejects.toMatchObject({ code: "EIO" });
  rm(copy, "/f");
});

test("a stream's snapshot is released at its end, when it is left and when it fails", async () => {
  for (const leave of ["end", "cancel", "fail"] as const) {
    const store = memoryStore();
    writeFile(store, "/f", new Uint8Array(1_000_000));
    let held = 0;
    const take = store.snapshot.bind(store);
    store.snapshot = (ino) => {
      const snapshot = take(ino);
      held++;
      return {
        size: snapshot.size,
        read: (offset, length) =>
          leave === "fail" && offset > 0 ? { absent: [sha256(new Uint8Array())] } : snapshot.read(offset, length),
        release: () => {
          held--;
          snapshot.release();
        },
      };
    };
    const reader = readStream(store, "/f", {}).getReader();
    await reader.read();
    expect(held).toBe(1);
    if (leave === "cancel") await reader.cancel();
    else if (leave === "fail") await expect(reader.read()).rejects.toMatchObject({ code: "EIO" });
    else while (!(await reader.read()).done);
    expect(held, leave).toBe(0);
  }
});
