/** Whole files, ranges and copies. */

import { expect } from "vitest";
import { bytes, KIB, MIB, type On } from "./context.ts";

export function testFiles(on: On): void {
  on("are written and read as text in an encoding, or as bytes", (fs) => {
    fs.writeFileSync("/w/f", "68c3a9", "hex");
    expect(fs.readFileSync("/w/f", "utf8")).toBe("hé");
    expect(fs.readFileSync("/w/f", { encoding: "base64" })).toBe("aMOp");
    expect([...fs.readFileSync("/w/f")]).toEqual([0x68, 0xc3, 0xa9]);
    expect(fs.readFileSync("/w/f").toString("latin1")).toBe("hÃ©");
    const data = bytes("mine");
    fs.writeFileSync("/w/f", data);
    data.fill(0);
    fs.readFileSync("/w/f").fill(0);
    expect(fs.readFileSync("/w/f", "utf8")).toBe("mine");
    expect(() => fs.readFileSync("/w/f", "nonsense" as BufferEncoding)).toThrowError(/^EINVAL: unknown encoding/);
    expect(() => fs.writeFileSync("/w/f", 1 as unknown as string)).toThrowError(/^EINVAL: the data must be/);
    expect(() => fs.readFileSync("/w")).toThrowError("EISDIR: illegal operation on a directory, open '/w'");
  });

  on("keep their mode when they are overwritten, and take it when they are made", (fs) => {
    fs.writeFileSync("/w/f", "1", { mode: 0o755 });
    fs.writeFileSync("/w/f", "2", { mode: 0o600 });
    expect(fs.statSync("/w/f").mode).toBe(0o100755);
  });

  on("are read and written in ranges", (fs) => {
    fs.createFileSync("/w/f", { mode: 0o600 });
    expect(() => fs.createFileSync("/w/f")).toThrowError("EEXIST: file already exists, open '/w/f'");
    expect(fs.writeRangeSync("/w/f", "xyz", 5)).toBe(3);
    expect(fs.readFileSync("/w/f", "utf8")).toBe("\0\0\0\0\0xyz");
    expect(fs.readRangeSync("/w/f", 4, 2).toString()).toBe("\0x");
    expect(fs.readRangeSync("/w/f", 7, 100).toString()).toBe("z");
    expect(fs.readRangeSync("/w/f", 100, 1).length).toBe(0);
    fs.truncateFileSync("/w/f", 6);
    fs.appendFileSync("/w/f", "!");
    expect(fs.readFileSync("/w/f", "utf8")).toBe("\0\0\0\0\0x!");
    fs.appendFileSync("/w/new", "made");
    expect(fs.readFileSync("/w/new", "utf8")).toBe("made");
    expect(() => fs.writeRangeSync("/w/none", "x", 0)).toThrowError(
      "ENOENT: no such file or directory, write '/w/none'",
    );
    expect(() => fs.readRangeSync("/w/f", -1, 1)).toThrowError(/^EINVAL: offset/);
  });

  on("rewritten in ranges have the new contents, and only the chunks that changed are new", (fs, store) => {
    fs.writeFileSync("/w/s", "0123456789");
    fs.writeFileRangesSync("/w/s", "ABCDEFGHIJKL", [{ start: 2, end: 4 }]);
    expect(fs.readFileSync("/w/s", "utf8")).toBe("ABCDEFGHIJKL");
    fs.writeFileRangesSync("/w/new", "fresh", []);
    expect(fs.readFileSync("/w/new", "utf8")).toBe("fresh");

    const content = new Uint8Array(3 * MIB).map((_, i) => i % 251);
    fs.writeFileSync("/w/f", content);
    const written: [number, number][] = [];
    const write = store.write.bind(store);
    store.write = (ino, offset, data) => {
      written.push([offset, data.length]);
      return write(ino, offset, data);
    };
    const next = new Uint8Array(3 * MIB + 10);
    next.set(content);
    next[100] = 255;
    next[MIB - 1] = 255;
    next[MIB] = 255;
    next.fill(7, 3 * MIB);
    const ranges = [
      { start: MIB - 1, end: MIB + 1 },
      { start: 100, end: 101 },
    ];
    fs.writeFileRangesSync("/w/f", next, ranges);
    expect(fs.readFileSync("/w/f").equals(next)).toBe(true);
    expect(written).toEqual([
      [0, 256 * KIB],
      [MIB - 256 * KIB, 512 * KIB],
      [3 * MIB, 10],
    ]);
    fs.writeFileRangesSync("/w/f", next.subarray(0, 2 * MIB), []);
    expect(fs.readFileSync("/w/f").equals(next.subarray(0, 2 * MIB))).toBe(true);
  });

  on("are copied with their mode, and not over another where that is asked", (fs) => {
    fs.writeFileSync("/w/f", "x".repeat(MIB), { mode: 0o750 });
    fs.copyFileSync("/w/f", "/w/g");
    expect([fs.statSync("/w/g").mode, fs.readFileSync("/w/g").length]).toEqual([0o100750, MIB]);
    expect(() => fs.copyFileSync("/w/f", "/w/g", 1)).toThrowError(
      "EEXIST: file already exists, copyfile '/w/f' -> '/w/g'",
    );
    fs.writeFileSync("/w/f", "short");
    fs.copyFileSync("/w/f", "/w/g", 2);
    expect(fs.readFileSync("/w/g", "utf8")).toBe("short");
    fs.copyFileSync("/w/g", "/w/g");
    expect(() => fs.copyFileSync("/w/none", "/w/h")).toThrowError(/^ENOENT: .*copyfile '\/w\/none'/);
    expect(() => fs.copyFileSync("/w/f", "/w")).toThrowError(/^EISDIR/);
  });
}
