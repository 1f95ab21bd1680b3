/** How paths are read, and what a path that leads nowhere gives. */

import { expect } from "vitest";
import { fails, type On, streamOf } from "./context.ts";

export function testPaths(on: On): void {
  on(
    "relative, empty and NUL paths are EINVAL from every call",
    async (fs) => {
      for (const path of ["w/f", "", "./w", "\0", "/w/a\0b"]) {
        await fails(fs.readFile(path), "EINVAL");
        await fails(fs.readFile(path, "utf8"), "EINVAL");
        await fails(fs.exists(path), "EINVAL");
        await fails(fs.stat(path), "EINVAL");
        await fails(fs.statOrNull(path), "EINVAL");
        await fails(fs.lstat(path), "EINVAL");
        await fails(fs.lstatOrNull(path), "EINVAL");
        await fails(fs.readlink(path), "EINVAL");
        await fails(fs.readdir(path), "EINVAL");
        await fails(fs.writeFile(path, ""), "EINVAL");
        await fails(fs.writeFile(path, streamOf("a")), "EINVAL");
        await fails(fs.mkdir(path), "EINVAL");
        await fails(fs.mkdir(path, { recursive: true }), "EINVAL");
        await fails(fs.rm(path), "EINVAL");
        await fails(fs.rm(path, { recursive: true, force: true }), "EINVAL");
        await fails(fs.rename(path, "/w/b"), "EINVAL");
        await fails(fs.rename("/w", path), "EINVAL");
        await fails(fs.chmod(path, 0o600), "EINVAL");
        await fails(fs.symlink("t", path), "EINVAL");
      }
      expect(await fs.readdir("/w")).toEqual([]);
    },
    ["own paths"],
  );

  on(
    "dots and doubled slashes are normalised; .. at the root stays there",
    async (fs) => {
      await fs.mkdir("/w/d");
      await fs.writeFile("/../w//./d/../d/f", "x");
      expect(await fs.readFile("/w/d/f", "utf8")).toBe("x");
      expect(await fs.readFile("//w/missing/../d/f", "utf8")).toBe("x");
      expect((await fs.stat("/w/d/..")).name).toBe("w");
      expect((await fs.stat("/../..")).name).toBe("");
    },
    ["own paths"],
  );

  on("stat of / is a directory with an empty name", async (fs) => {
    const root = await fs.stat("/");
    expect(root).toMatchObject({ name: "", isDirectory: true, isFile: false, isSymbolicLink: false });
    expect((await fs.readdir("/")).map((entry) => entry.name)).toContain("w");
  });

  on(
    "the root cannot be written, made, removed or renamed",
    async (fs) => {
      await fails(fs.writeFile("/", "x"), "EISDIR");
      await fails(fs.readFile("/"), "EISDIR");
      await fails(fs.mkdir("/"), "EEXIST");
      await fs.mkdir("/", { recursive: true });
      await fails(fs.rm("/"), "EPERM");
      await fails(fs.rm("/", { recursive: true, force: true }), "EPERM");
      await fails(fs.rm("/w/..", { recursive: true }), "EPERM");
      await fails(fs.rename("/", "/x"), "EBUSY");
      await fails(fs.rename("/w", "/"), "EBUSY");
      await fails(fs.symlink("t", "/"), "EEXIST");
      expect(await fs.exists("/w")).toBe(true);
    },
    ["own paths"],
  );

  on("a trailing slash asks for a directory", async (fs) => {
    await fs.writeFile("/w/f", "x");
    await fs.symlink("f", "/w/l");
    await fs.mkdir("/w/d/");
    expect((await fs.stat("/w/d/")).isDirectory).toBe(true);
    for (const path of ["/w/f/", "/w/l/", "/w/f/."]) {
      await fails(fs.stat(path), "ENOTDIR");
      await fails(fs.lstat(path), "ENOTDIR");
      await fails(fs.readFile(path, "utf8"), "ENOTDIR");
      await fails(fs.readdir(path), "ENOTDIR");
      await fails(fs.chmod(path, 0o600), "ENOTDIR");
      expect(await fs.exists(path)).toBe(false);
      expect(await fs.statOrNull(path)).toBeNull();
    }
    await fails(fs.rm("/w/f/"), "ENOTDIR");
    await fails(fs.rename("/w/f/", "/w/g"), "ENOTDIR");
    await fails(fs.rename("/w/f", "/w/g/"), "ENOTDIR");
    await fails(fs.writeFile("/w/new/", "x"), "EISDIR");
    await fails(fs.symlink("t", "/w/new/"), "ENOENT");
    await fs.rename("/w/d", "/w/e/");
    expect((await fs.readdir("/w")).map((entry) => entry.name)).toEqual(["e", "f", "l"]);
  });

  on("lstat of a link with a trailing slash is of the directory behind it", async (fs) => {
    await fs.mkdir("/w/d");
    await fs.symlink("d", "/w/l");
    expect((await fs.lstat("/w/l")).isSymbolicLink).toBe(true);
    expect((await fs.lstat("/w/l/")).isDirectory).toBe(true);
  });

  on("a missing parent is ENOENT", async (fs) => {
    const path = "/w/none/x";
    await fails(fs.readFile(path), "ENOENT");
    await fails(fs.writeFile(path, "x"), "ENOENT");
    await fails(fs.writeFile(path, streamOf("x")), "ENOENT");
    await fails(fs.stat(path), "ENOENT");
    await fails(fs.readdir(path), "ENOENT");
    await fails(fs.mkdir(path), "ENOENT");
    await fails(fs.rm(path), "ENOENT");
    await fails(fs.symlink("t", path), "ENOENT");
    await fails(fs.rename("/w", path), "ENOENT");
    await fs.rm(path, { force: true });
    expect(await fs.exists(path)).toBe(false);
    expect(await fs.statOrNull(path)).toBeNull();
    expect(await fs.lstatOrNull(path)).toBeNull();
    expect(await fs.exists("/w/none")).toBe(false);
  });

  on("F-13 a parent that is a file is ENOTDIR from every call", async (fs) => {
    await fs.writeFile("/w/file", "x");
    await fs.writeFile("/w/other", "y");
    await fs.symlink("file", "/w/link");
    for (const path of ["/w/file/x", "/w/file/x/y", "/w/link/x"]) {
      await fails(fs.stat(path), "ENOTDIR");
      await fails(fs.lstat(path), "ENOTDIR");
      await fails(fs.readFile(path), "ENOTDIR");
      await fails(fs.readFile(path, "utf8"), "ENOTDIR");
      await fails(fs.readlink(path), "ENOTDIR");
      await fails(fs.readdir(path), "ENOTDIR");
      await fails(fs.writeFile(path, "x"), "ENOTDIR");
      await fails(fs.writeFile(path, streamOf("x")), "ENOTDIR");
      await fails(fs.mkdir(path), "ENOTDIR");
      await fails(fs.mkdir(path, { recursive: true }), "ENOTDIR");
      await fails(fs.rm(path), "ENOTDIR");
      await fails(fs.rm(path, { recursive: true, force: true }), "ENOTDIR");
      await fails(fs.rename(path, "/w/z"), "ENOTDIR");
      await fails(fs.rename("/w/other", path), "ENOTDIR");
      await fails(fs.chmod(path, 0o600), "ENOTDIR");
      await fails(fs.symlink("t", path), "ENOTDIR");
      expect(await fs.exists(path)).toBe(false);
      expect(await fs.statOrNull(path)).toBeNull();
      expect(await fs.lstatOrNull(path)).toBeNull();
    }
    expect(await fs.readFile("/w/file", "utf8")).toBe("x");
  });

  on("a name has 255 bytes at most", async (fs) => {
    const longest = "é".repeat(127);
    await fs.writeFile(`/w/${longest}`, "x");
    expect((await fs.readdir("/w")).map((entry) => entry.name)).toEqual([longest]);
    const tooLong = "é".repeat(128);
    await fails(fs.writeFile(`/w/${tooLong}`, "x"), "ENAMETOOLONG");
    await fails(fs.mkdir(`/w/${tooLong}`), "ENAMETOOLONG");
    await fails(fs.symlink("t", `/w/${tooLong}`), "ENAMETOOLONG");
    await fails(fs.rename(`/w/${longest}`, `/w/${tooLong}`), "ENAMETOOLONG");
    await fails(fs.stat(`/w/${tooLong}`), "ENAMETOOLONG");
    expect(await fs.exists(`/w/${tooLong}`)).toBe(false);
  });

  on("names keep their spaces, newlines, quotes, wildcards and letters of any script", async (fs) => {
    const odd = ["-rf", " a b ", "a\nb", "a'b\"c", "%_*?[", "日本語", "e\u0301", "é", "😀", "..."];
    for (const name of odd) await fs.writeFile(`/w/${name}`, name);
    for (const name of odd) expect(await fs.readFile(`/w/${name}`, "utf8")).toBe(name);
    expect(new Set((await fs.readdir("/w")).map((entry) => entry.name))).toEqual(new Set(odd));
  });

  on("errors are Node-shaped and name the path once", async (fs) => {
    const error = await fails(fs.readFile("/w/missing"), "ENOENT");
    expect(error).toBeInstanceOf(Error);
    expect(error.message).toBe("ENOENT: no such file or directory, open '/w/missing'");
  });
}
