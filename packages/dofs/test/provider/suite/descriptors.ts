/** Opening, and what descriptors do. */

import { expect } from "vitest";
import { bytes, type On, text } from "./context.ts";

export function testDescriptors(on: On): void {
  on("read and write at their own position or at a given one", (fs) => {
    fs.writeFileSync("/w/f", "0123456789");
    const fd = fs.openSync("/w/f", "r+");
    expect(fd).toBe(3);
    const buffer = new Uint8Array(6);
    expect(fs.readSync(fd, buffer, 1, 4, null)).toBe(4);
    expect(text(buffer)).toBe("\x000123\0");
    expect(fs.writeSync(fd, bytes("AB"))).toBe(2);
    expect(fs.writeSync(fd, bytes("xyz"), 1, 1, 0)).toBe(1);
    expect(fs.readSync(fd, buffer, 0, 6, null)).toBe(4);
    expect(fs.readSync(fd, buffer, 0, 6, null)).toBe(0);
    expect(fs.readSync(fd, buffer, 0, 6, 8)).toBe(2);
    expect(fs.readFileSync("/w/f", "utf8")).toBe("y123AB6789");
    fs.ftruncateSync(fd, 3);
    expect(fs.fstatSync(fd).size).toBe(3);
    fs.closeSync(fd);
    expect(() => fs.readSync(fd, buffer)).toThrowError("EBADF: bad file descriptor, read");
    expect(fs.openSync("/w/f")).toBe(3);
  });

  on("flags do what Node's do", (fs) => {
    const after = (path: string, flags: string | number, mode?: number) => {
      const fd = fs.openSync(path, flags, mode);
      fs.writeSync(fd, bytes("new"));
      fs.closeSync(fd);
      return fs.readFileSync(path, "utf8");
    };
    fs.writeFileSync("/w/f", "older");
    expect(after("/w/f", "a")).toBe("oldernew");
    expect(after("/w/f", "r+")).toBe("newernew");
    expect(after("/w/f", "w")).toBe("new");
    expect(after("/w/x", "wx+", 0o600)).toBe("new");
    expect(fs.statSync("/w/x").mode).toBe(0o100600);
    expect(after("/w/y", 0o1 | 0o100 | 0o2000)).toBe("new");
    expect(() => fs.openSync("/w/x", "wx")).toThrowError("EEXIST: file already exists, open '/w/x'");
    expect(() => fs.openSync("/w/x", "ax+")).toThrowError(/^EEXIST/);
    expect(() => fs.openSync("/w/none", "r+")).toThrowError("ENOENT: no such file or directory, open '/w/none'");
    expect(() => fs.openSync("/w", "w")).toThrowError("EISDIR: illegal operation on a directory, open '/w'");
    expect(() => fs.openSync("/w/f", "q")).toThrowError(/^EINVAL: unknown flags "q": use r, r\+, /);
    expect(() => fs.openSync("/w/f", 0o200000)).toThrowError(/^ENOTDIR/);
    fs.symlinkSync("f", "/w/link");
    expect(() => fs.openSync("/w/link", 0o400000)).toThrowError(/^ELOOP/);
    fs.symlinkSync("made", "/w/dangling");
    expect(() => fs.openSync("/w/dangling", "wx")).toThrowError(/^EEXIST/);
    expect(after("/w/dangling", "w")).toBe("new");
    expect(fs.readFileSync("/w/made", "utf8")).toBe("new");
  });

  on("append wherever the position is", (fs) => {
    const fd = fs.openSync("/w/f", "a+");
    fs.writeSync(fd, bytes("one"), 0, 3, 0);
    fs.writeSync(fd, bytes("two"), 0, 3, 0);
    const buffer = new Uint8Array(10);
    expect(fs.readSync(fd, buffer, 0, 10, 0)).toBe(6);
    expect(text(buffer.subarray(0, 6))).toBe("onetwo");
  });

  on("refuse what they are not open for", (fs) => {
    fs.writeFileSync("/w/f", "x");
    const reading = fs.openSync("/w/f", "r");
    const writing = fs.openSync("/w/f", "w");
    const directory = fs.openSync("/w", "r");
    expect(() => fs.writeSync(reading, bytes("x"))).toThrowError(/^EBADF/);
    expect(() => fs.readSync(writing, new Uint8Array(1))).toThrowError(/^EBADF/);
    expect(() => fs.ftruncateSync(reading, 0)).toThrowError(/^EINVAL/);
    expect(() => fs.readSync(directory, new Uint8Array(1))).toThrowError(/^EISDIR/);
    expect(fs.fstatSync(directory).isDirectory()).toBe(true);
    expect(() => fs.readSync(reading, new Uint8Array(1), 0, 2)).toThrowError(/^EINVAL: offset and length reach past/);
    expect(() => fs.readSync(reading, new Uint8Array(1), 0, 1, -2)).toThrowError(/^EINVAL: position/);
    expect(() => fs.closeSync(99)).toThrowError("EBADF: bad file descriptor, close");
  });

  on("keep an unlinked file until they are closed", (fs, store) => {
    fs.writeFileSync("/w/f", "data");
    const fd = fs.openSync("/w/f", "r+");
    const { ino } = fs.fstatSync(fd);
    fs.unlinkSync("/w/f");
    expect(fs.existsSync("/w/f")).toBe(false);
    fs.writeSync(fd, bytes("more"), 0, 4, 4);
    const buffer = new Uint8Array(8);
    expect(fs.readSync(fd, buffer, 0, 8, 0)).toBe(8);
    expect([text(buffer), fs.fstatSync(fd).nlink]).toEqual(["datamore", 0]);
    fs.closeSync(fd);
    expect(() => store.getattr(ino)).toThrowError(/^ENOENT/);
  });
}
