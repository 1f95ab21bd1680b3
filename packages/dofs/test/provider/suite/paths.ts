/** What paths are, and how names change. */

import { expect } from "vitest";
import type { On } from "./context.ts";

export function testPaths(on: On): void {
  on("is told as Node tells it", (fs) => {
    fs.writeFileSync("/w/f", "x".repeat(1_000));
    fs.symlinkSync("f", "/w/link");
    fs.linkSync("/w/f", "/w/hard");
    const stat = fs.statSync("/w/link");
    expect(stat).toMatchObject({ mode: 0o100644, nlink: 2, size: 1_000, blocks: 2, blksize: 4_096 });
    expect([stat.isFile(), stat.isDirectory(), stat.isSymbolicLink(), stat.isFIFO()]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(stat.mtime.getTime()).toBe(Math.floor(stat.mtimeMs));
    expect(fs.lstatSync("/w/link")).toMatchObject({ mode: 0o120777, size: 1 });
    const big = fs.statSync("/w/f", { bigint: true });
    expect([big.size, big.ino, big.mtimeNs / 1_000_000n]).toEqual([
      1_000n,
      BigInt(stat.ino),
      BigInt(stat.mtime.getTime()),
    ]);
    expect(fs.readdirSync("/w")).toEqual(["f", "hard", "link"]);
    expect(
      fs
        .readdirSync("/w", { withFileTypes: true })
        .map((entry) => [entry.name, entry.parentPath, entry.isSymbolicLink()]),
    ).toEqual([
      ["f", "/w", false],
      ["hard", "/w", false],
      ["link", "/w", true],
    ]);
    expect(fs.readdirEntriesSync("/w")[2]).toMatchObject({ name: "link", type: "symlink", mode: 0o777 });
    expect(() => fs.readdirSync("/w/f")).toThrowError("ENOTDIR: not a directory, scandir '/w/f'");
    expect(() => fs.statSync("/w/none")).toThrowError("ENOENT: no such file or directory, stat '/w/none'");
  });

  on("is changed as Node changes it", (fs) => {
    expect(fs.mkdirSync("/w/a/b/c", { recursive: true })).toBe("/w/a");
    expect(fs.mkdirSync("/w/a/b", { recursive: true })).toBeUndefined();
    expect(() => fs.mkdirSync("/w/a")).toThrowError("EEXIST: file already exists, mkdir '/w/a'");
    expect(() => fs.rmdirSync("/w/a")).toThrowError("ENOTEMPTY: directory not empty, rmdir '/w/a'");
    fs.rmdirSync("/w/a/b/c");
    fs.renameSync("/w/a/b", "/w/b");
    fs.chmodSync("/w/b", 0o700);
    expect(fs.statSync("/w/b").mode).toBe(0o040700);
    expect(() => fs.unlinkSync("/w/b")).toThrowError("EISDIR: illegal operation on a directory, unlink '/w/b'");
    fs.symlinkSync("../w/b", "/w/link");
    expect([fs.readlinkSync("/w/link"), fs.realpathSync("/w/link/../link")]).toEqual(["../w/b", "/w/b"]);
    fs.writeFileSync("/w/b/f", "");
    expect(fs.realpathSync("/w/link/f")).toBe("/w/b/f");
    expect(fs.realpathSync("/")).toBe("/");
    expect([fs.internalModuleStat("/w/b/f"), fs.internalModuleStat("/w"), fs.internalModuleStat("/x")]).toEqual([
      0, 1, -2,
    ]);
    fs.accessSync("/w/b/f", 6);
    expect(() => fs.accessSync("/w/b/f", 1)).toThrowError("EACCES: permission denied, access '/w/b/f'");
    expect(() => fs.accessSync("/w/x")).toThrowError("ENOENT: no such file or directory, access '/w/x'");
  });

  on("is under a read-only root, and then nothing changes it by any door", (fs, store) => {
    fs.mkdirSync("/w/ro");
    fs.writeFileSync("/w/ro/f", "x");
    fs.writeFileSync("/w/out", "x");
    fs.openWriteBufferSync("/w/ro/f");
    store.setReadOnlyRoots(["/w/ro"]);
    const doors = [
      () => fs.writeFileSync("/w/ro/g", "y"),
      () => fs.openSync("/w/ro/g", "w"),
      () => fs.mkdirSync("/w/ro/d"),
      () => fs.unlinkSync("/w/ro/f"),
      () => fs.renameSync("/w/ro/f", "/w/f"),
      () => fs.renameSync("/w/out", "/w/ro/out"),
      () => fs.linkSync("/w/out", "/w/ro/out"),
      () => fs.symlinkSync("f", "/w/ro/l"),
      () => fs.chmodSync("/w/ro/f", 0o600),
      () => fs.copyFileSync("/w/out", "/w/ro/g"),
      () => fs.createFileSync("/w/ro/g"),
    ];
    for (const door of doors) expect(door).toThrowError(/^EROFS: read-only file system, \w+ '/);
    fs.writeFileSync("/w/ro/f", "y");
    expect(() => fs.releaseWriteBufferSync("/w/ro/f")).toThrowError(/^EROFS/);
    expect(fs.readFileSync("/w/ro/f", "utf8")).toBe("x");
  });

  on("every promise is the synchronous call's", async (fs) => {
    await fs.writeFile("/w/f", "1");
    await fs.appendFile("/w/f", "2");
    await fs.mkdir("/w/d");
    await fs.rename("/w/f", "/w/d/f");
    await fs.copyFile("/w/d/f", "/w/g");
    await fs.symlink("g", "/w/l");
    await fs.link("/w/g", "/w/h");
    expect(await fs.readFile("/w/l", "utf8")).toBe("12");
    expect(await fs.readdir("/w")).toEqual(["d", "g", "h", "l"]);
    expect([await fs.readlink("/w/l"), await fs.realpath("/w/l"), await fs.exists("/w/x")]).toEqual([
      "g",
      "/w/g",
      false,
    ]);
    expect([(await fs.stat("/w/l")).nlink, (await fs.lstat("/w/l")).isSymbolicLink()]).toEqual([2, true]);
    await fs.unlink("/w/d/f");
    await fs.rmdir("/w/d");
    await fs.access("/w/g");
    await expect(fs.access("/w/d")).rejects.toThrowError(/^ENOENT/);
    fs.closeSync(await fs.open("/w/g"));
  });
}
