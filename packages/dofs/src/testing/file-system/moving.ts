/** Removing and renaming. */

import { expect } from "vitest";
import { fails, names, type On } from "./context.ts";

export function testMoving(on: On): void {
  on("rm takes a file, a link, an empty directory; a full one only with recursive", async (fs) => {
    await fs.mkdir("/w/d/e", { recursive: true });
    await fs.writeFile("/w/d/f", "");
    await fs.writeFile("/w/f", "");
    await fs.rm("/w/f");
    await fails(fs.rm("/w/d"), "ENOTEMPTY");
    expect(await names(fs, "/w/d")).toEqual(["e", "f"]);
    await fs.rm("/w/d/e");
    await fs.rm("/w/d", { recursive: true });
    expect(await names(fs, "/w")).toEqual([]);
    await fs.writeFile("/w/f", "");
    await fs.rm("/w/f", { recursive: true });
    expect(await names(fs, "/w")).toEqual([]);
  });

  on("F-11 rm of what is missing: ENOENT, accepted with force", async (fs) => {
    await fails(fs.rm("/w/none"), "ENOENT");
    await fails(fs.rm("/w/none", { recursive: true }), "ENOENT");
    await fs.rm("/w/none", { force: true });
    await fs.rm("/w/none/deeper", { force: true, recursive: true });
  });

  on("force does not empty a directory", async (fs) => {
    await fs.mkdir("/w/d");
    await fs.writeFile("/w/d/f", "");
    await fails(fs.rm("/w/d", { force: true }), "ENOTEMPTY");
    expect(await fs.exists("/w/d/f")).toBe(true);
  });

  on("rm recursive of a deep and wide tree", async (fs) => {
    let path = "/w/tree";
    for (let depth = 0; depth < 30; depth++) {
      await fs.mkdir(path);
      for (let i = 0; i < 5; i++) await fs.writeFile(`${path}/f${i}`, `${depth}`);
      path += "/d";
    }
    await fs.writeFile("/w/treed", "a neighbour");
    await fs.rm("/w/tree", { recursive: true });
    expect(await names(fs, "/w")).toEqual(["treed"]);
    await fs.mkdir("/w/tree");
    expect(await names(fs, "/w/tree")).toEqual([]);
  });

  on("F-06 rename of a file onto a file replaces it", async (fs) => {
    await fs.writeFile("/w/a", "a");
    await fs.writeFile("/w/b", "b");
    const { inode } = await fs.stat("/w/a");
    await fs.rename("/w/a", "/w/b");
    expect(await names(fs, "/w")).toEqual(["b"]);
    expect(await fs.readFile("/w/b", "utf8")).toBe("a");
    expect((await fs.stat("/w/b")).inode).toBe(inode);
  });

  on("F-06 rename of a directory onto an empty, and onto a full one", async (fs) => {
    await fs.mkdir("/w/a");
    await fs.writeFile("/w/a/f", "f");
    await fs.mkdir("/w/empty");
    await fs.mkdir("/w/full");
    await fs.writeFile("/w/full/x", "");
    await fails(fs.rename("/w/a", "/w/full"), "ENOTEMPTY");
    await fs.rename("/w/a", "/w/empty");
    expect(await names(fs, "/w")).toEqual(["empty", "full"]);
    expect(await fs.readFile("/w/empty/f", "utf8")).toBe("f");
  });

  on("F-06 rename between a file and a directory", async (fs) => {
    await fs.writeFile("/w/f", "f");
    await fs.mkdir("/w/d");
    await fails(fs.rename("/w/f", "/w/d"), "EISDIR");
    await fails(fs.rename("/w/d", "/w/f"), "ENOTDIR");
    await fs.symlink("d", "/w/l");
    await fails(fs.rename("/w/d", "/w/l"), "ENOTDIR");
    expect(await names(fs, "/w")).toEqual(["d", "f", "l"]);
  });

  on("F-06 rename onto itself changes nothing", async (fs) => {
    await fs.writeFile("/w/f", "f");
    await fs.mkdir("/w/d");
    await fs.writeFile("/w/d/x", "x");
    await fs.rename("/w/f", "/w/f");
    await fs.rename("/w/d", "/w/d");
    expect(await fs.readFile("/w/f", "utf8")).toBe("f");
    expect(await names(fs, "/w/d")).toEqual(["x"]);
    await fails(fs.rename("/w/none", "/w/none"), "ENOENT");
  });

  on("rename of a directory into itself is EINVAL, also through a link", async (fs) => {
    await fs.mkdir("/w/d/e", { recursive: true });
    await fs.symlink("d/e", "/w/l");
    await fails(fs.rename("/w/d", "/w/d/x"), "EINVAL");
    await fails(fs.rename("/w/d", "/w/d/e/x"), "EINVAL");
    await fails(fs.rename("/w/d", "/w/l/x"), "EINVAL");
    expect(await names(fs, "/w/d")).toEqual(["e"]);
  });

  on("rename of what is missing, and into what is missing", async (fs) => {
    await fs.writeFile("/w/f", "");
    await fails(fs.rename("/w/none", "/w/x"), "ENOENT");
    await fails(fs.rename("/w/f", "/w/none/x"), "ENOENT");
    expect(await names(fs, "/w")).toEqual(["f"]);
  });

  on("rename of a directory takes everything along", async (fs) => {
    await fs.mkdir("/w/a/b/c", { recursive: true });
    await fs.writeFile("/w/a/b/c/f", "deep");
    await fs.symlink("c/f", "/w/a/b/l");
    await fs.mkdir("/w/z");
    await fs.rename("/w/a/b", "/w/z/b");
    expect(await names(fs, "/w/a")).toEqual([]);
    expect(await fs.readFile("/w/z/b/l", "utf8")).toBe("deep");
    await fs.rename("/w/z", "/w/a/z");
    expect(await fs.readFile("/w/a/z/b/c/f", "utf8")).toBe("deep");
    expect(await fs.exists("/w/z")).toBe(false);
  });

  on("rename carries two paths in its error", async (fs) => {
    const error = await fails(fs.rename("/w/none", "/w/x"), "ENOENT");
    expect(error.message).toBe("ENOENT: no such file or directory, rename '/w/none' -> '/w/x'");
  });

  on("F-14 a long directory path with 200 files in it", async (fs) => {
    const long = `/w/${"d".repeat(50)}/${"e".repeat(50)}`;
    await fs.mkdir(long, { recursive: true });
    for (let i = 0; i < 200; i++) await fs.writeFile(`${long}/f${i}`, `${i}`);
    expect((await names(fs, long)).length).toBe(200);
    await fs.rename(long, "/w/moved");
    expect((await names(fs, "/w/moved")).length).toBe(200);
    expect(await fs.readFile("/w/moved/f199", "utf8")).toBe("199");
    await fs.rename("/w/moved", long);
    await fs.rm(`/w/${"d".repeat(50)}`, { recursive: true });
    expect(await names(fs, "/w")).toEqual([]);
  });

  on(
    "F-14 searching below a long directory path with 200 files in it",
    async (fs) => {
      const long = `/w/${"d".repeat(50)}/${"e".repeat(50)}`;
      await fs.mkdir(long, { recursive: true });
      for (let i = 0; i < 200; i++) await fs.writeFile(`${long}/f${i}.txt`, `number ${i}\n`);
      expect((await fs.find?.("/w", "**/*.txt"))?.length).toBe(200);
      expect((await fs.find?.(long, "f1?.txt"))?.length).toBe(10);
      expect((await fs.ls?.(long))?.length).toBe(200);
      expect(await fs.grep?.("number 177", "/w")).toMatchObject([{ path: `${long}/f177.txt`, line: 1 }]);
    },
    ["search"],
  );
}
