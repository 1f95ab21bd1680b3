/** Making and listing directories. */

import { expect } from "vitest";
import { fails, names, type On, tick } from "./context.ts";

export function testDirectories(on: On): void {
  on("mkdir makes one directory, 0o755 unless told otherwise", async (fs) => {
    await fs.mkdir("/w/a");
    await fs.mkdir("/w/b", { mode: 0o700 });
    expect(await fs.stat("/w/a")).toMatchObject({ name: "a", mode: 0o755, isDirectory: true, isFile: false });
    expect((await fs.stat("/w/b")).mode).toBe(0o700);
    await fails(fs.mkdir("/w/a"), "EEXIST");
    await fs.writeFile("/w/f", "");
    await fails(fs.mkdir("/w/f"), "EEXIST");
    await fails(fs.mkdir("/w/f", { recursive: true }), "EEXIST");
  });

  on("mkdir recursive makes what is missing and accepts what is there", async (fs) => {
    await fs.mkdir("/w/a/b/c", { recursive: true });
    await fs.writeFile("/w/a/b/f", "kept");
    await fs.mkdir("/w/a/b/c", { recursive: true });
    await fs.mkdir("/w/a/b", { recursive: true });
    expect(await names(fs, "/w/a/b")).toEqual(["c", "f"]);
  });

  on("F-04 mkdir through a link to a directory", async (fs) => {
    await fs.mkdir("/w/real");
    await fs.symlink("real", "/w/link");
    await fs.mkdir("/w/link/one");
    await fs.mkdir("/w/link/two/three", { recursive: true });
    await fs.mkdir("/w/link", { recursive: true });
    expect(await names(fs, "/w/real")).toEqual(["one", "two"]);
    expect(await names(fs, "/w/real/two")).toEqual(["three"]);
    await fails(fs.mkdir("/w/link"), "EEXIST");
  });

  on("F-04 mkdir through a dangling link, a loop, below a file and onto a file", async (fs) => {
    await fs.symlink("missing", "/w/dangling");
    await fs.symlink("loop2", "/w/loop1");
    await fs.symlink("loop1", "/w/loop2");
    await fs.writeFile("/w/file", "");
    await fails(fs.mkdir("/w/dangling/d"), "ENOENT");
    await fails(fs.mkdir("/w/loop1/d"), "ELOOP");
    await fails(fs.mkdir("/w/loop1/d", { recursive: true }), "ELOOP");
    await fails(fs.mkdir("/w/file/d"), "ENOTDIR");
    await fails(fs.mkdir("/w/file/d", { recursive: true }), "ENOTDIR");
    await fails(fs.mkdir("/w/file", { recursive: true }), "EEXIST");
    await fails(fs.mkdir("/w/dangling", { recursive: true }), "ENOENT");
    await fails(fs.mkdir("/w/dangling"), "EEXIST");
    expect(await names(fs, "/w")).toEqual(["dangling", "file", "loop1", "loop2"]);
  });

  on(
    "F-04 mkdir recursive through a dangling link makes nothing",
    async (fs) => {
      await fs.symlink("missing", "/w/dangling");
      await fails(fs.mkdir("/w/dangling/d", { recursive: true }), "ENOENT");
      expect(await names(fs, "/w")).toEqual(["dangling"]);
    },
    ["own paths"],
  );

  on("readdir gives entries in byte order of their names, with kind, size and mtime", async (fs) => {
    const inOrder = [".dot", "A", "B", "a", "a.txt", "aa", "b", "é", "日", "\ufffd", "😀"];
    for (const name of [...inOrder].reverse()) await fs.writeFile(`/w/${name}`, name);
    await fs.mkdir("/w/zdir");
    await fs.symlink("b", "/w/zlink");
    const entries = await fs.readdir("/w");
    expect(entries.map((entry) => entry.name).sort()).toEqual([...inOrder, "zdir", "zlink"].sort());
    expect(await names(fs, "/w")).toEqual([...inOrder.slice(0, 7), "zdir", "zlink", ...inOrder.slice(7)]);
    const byName = new Map(entries.map((entry) => [entry.name, entry]));
    expect(byName.get("a.txt")).toMatchObject({
      name: "a.txt",
      parentPath: "/w",
      size: 5,
      isFile: true,
      isDirectory: false,
      isSymbolicLink: false,
    });
    expect(byName.get("zdir")).toMatchObject({ isFile: false, isDirectory: true, isSymbolicLink: false });
    expect(byName.get("zlink")).toMatchObject({ isFile: false, isDirectory: false, isSymbolicLink: true, size: 1 });
    expect(byName.get("a")?.mtime).toBe((await fs.stat("/w/a")).mtime);
  });

  on("readdir pages stably", async (fs) => {
    const all = Array.from({ length: 25 }, (_, i) => `f${String(i).padStart(2, "0")}`);
    for (const name of all) await fs.writeFile(`/w/${name}`, "");
    const paged: string[] = [];
    for (let offset = 0; ; offset += 7) {
      const page = await fs.readdir("/w", { limit: 7, offset });
      if (page.length === 0) break;
      paged.push(...page.map((entry) => entry.name));
    }
    expect(paged).toEqual(all);
    expect((await fs.readdir("/w", { offset: 23 })).map((entry) => entry.name)).toEqual(["f23", "f24"]);
    expect(await fs.readdir("/w", { limit: 0 })).toEqual([]);
    expect(await fs.readdir("/w", { offset: 25 })).toEqual([]);
  });

  on(
    "readdir refuses a bad limit or offset",
    async (fs) => {
      for (const bad of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        await fails(fs.readdir("/w", { limit: bad }), "EINVAL");
        await fails(fs.readdir("/w", { offset: bad }), "EINVAL");
      }
    },
    ["own paths"],
  );

  on("readdir of a directory of more than a page of the store", async (fs) => {
    const count = 2100;
    for (let i = 0; i < count; i++) await fs.writeFile(`/w/f${i}`, "");
    const listed = await names(fs, "/w");
    expect(listed.length).toBe(count);
    expect(new Set(listed).size).toBe(count);
    expect(listed).toEqual([...listed].sort());
  });

  on("readdir follows a link to a directory; a file is ENOTDIR", async (fs) => {
    await fs.mkdir("/w/d");
    await fs.writeFile("/w/d/f", "");
    await fs.symlink("d", "/w/l");
    expect(await names(fs, "/w/l")).toEqual(["f"]);
    await fails(fs.readdir("/w/d/f"), "ENOTDIR");
    await fails(fs.readdir("/w/none"), "ENOENT");
  });

  on("F-17 a directory's mtime moves when a name in it comes, moves or goes", async (fs) => {
    await fs.mkdir("/w/d");
    await fs.mkdir("/w/e");
    const mtime = async (path: string) => (await fs.stat(path)).mtime;
    const moved = async (path: string, change: () => Promise<void>) => {
      const before = await mtime(path);
      await tick();
      await change();
      expect(await mtime(path)).toBeGreaterThan(before);
    };
    await moved("/w/d", () => fs.writeFile("/w/d/f", "x"));
    await moved("/w/d", () => fs.symlink("f", "/w/d/l"));
    await moved("/w/d", () => fs.mkdir("/w/d/sub"));
    await moved("/w/d", () => fs.rename("/w/d/f", "/w/d/g"));
    await moved("/w/d", () => fs.rm("/w/d/l"));
    await moved("/w/d", () => fs.rm("/w/d/sub", { recursive: true }));
    const before = await mtime("/w/d");
    await moved("/w/e", () => fs.rename("/w/d/g", "/w/e/g"));
    expect(await mtime("/w/d")).toBeGreaterThan(before);
    const quiet = await mtime("/w/e");
    await tick();
    await fs.writeFile("/w/e/g", "other");
    expect(await mtime("/w/e")).toBe(quiet);
  });

  on("F-17 rename leaves a file's own mtime", async (fs) => {
    await fs.writeFile("/w/f", "x");
    const { mtime } = await fs.stat("/w/f");
    await tick();
    await fs.rename("/w/f", "/w/g");
    expect((await fs.stat("/w/g")).mtime).toBe(mtime);
  });
}
