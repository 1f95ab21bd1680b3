/** The shared suite of the provider: every store passes it. */

import { describe, expect, test } from "vitest";
import { readText } from "../../src/filesystem/read-file.ts";
import { rm } from "../../src/filesystem/rm.ts";
import { writeFile } from "../../src/filesystem/write-file.ts";
import type { InodeStore } from "../../src/index.ts";
import { StoreProvider } from "../../src/provider/store-provider.ts";

/** Makes an empty store and runs a body on it. */
export type RunOnStore = (body: (store: InodeStore) => Promise<void>) => Promise<void>;

type Body = (provider: StoreProvider, store: InodeStore) => Promise<void> | void;
type On = (title: string, body: Body) => void;

const KIB = 1024;
const MIB = 1024 * KIB;

export function describeProvider(name: string, run: RunOnStore): void {
  const on: On = (title, body) =>
    test(title, () =>
      run(async (store) => {
        const provider = new StoreProvider(store);
        provider.mkdirSync("/w");
        await body(provider, store);
      }),
    );
  describe(name, () => {
    describe("descriptors", () => testDescriptors(on));
    describe("whole files and ranges", () => testFiles(on));
    describe("write buffers", () => testBuffers(on));
    describe("what paths are", () => testPaths(on));
    describe("watching", () => testWatch(on));
  });
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function bytes(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

/** What the store itself has, no buffer between. */
function stored(store: InodeStore, path: string): string {
  return readText(store, path, {});
}

function testDescriptors(on: On): void {
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

function testFiles(on: On): void {
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

function testBuffers(on: On): void {
  on("keep writes to themselves until released, then write them as one revision", (fs, store) => {
    fs.writeFileSync("/w/f", "0123456789");
    const rev = store.rev();
    fs.openWriteBufferSync("/w/f");
    fs.writeRangeSync("/w/f", "AB", 2);
    fs.writeRangeSync("/w/f", "CD", 6);
    const fd = fs.openSync("/w/f", "a");
    fs.writeSync(fd, bytes("+"));
    fs.closeSync(fd);
    expect([fs.readFileSync("/w/f", "utf8"), fs.statSync("/w/f").size]).toEqual(["01AB45CD89+", 11]);
    expect(fs.readRangeSync("/w/f", 1, 3).toString()).toBe("1AB");
    expect([store.rev(), stored(store, "/w/f")]).toEqual([rev, "0123456789"]);
    fs.releaseWriteBufferSync("/w/f");
    expect([store.rev(), stored(store, "/w/f")]).toEqual([rev + 1, "01AB45CD89+"]);
    fs.releaseWriteBufferSync("/w/f");
    expect(store.rev()).toBe(rev + 1);
  });

  on("make a file with its contents as one revision", (fs, store) => {
    const rev = store.rev();
    fs.openWriteBufferForCreateSync("/w/f", { mode: 0o755 });
    expect([fs.existsSync("/w/f"), fs.statSync("/w/f").size, store.rev()]).toEqual([true, 0, rev]);
    for (let i = 0; i < 1_000; i++) fs.writeRangeSync("/w/f", "line\n", i * 5);
    expect(fs.readFileSync("/w/f").length).toBe(5_000);
    expect(() => stored(store, "/w/f")).toThrowError(/^ENOENT/);
    fs.releaseWriteBufferSync("/w/f");
    expect([store.rev(), stored(store, "/w/f"), fs.statSync("/w/f").mode]).toEqual([
      rev + 1,
      "line\n".repeat(1_000),
      0o100755,
    ]);
    expect(() => fs.openWriteBufferForCreateSync("/w/f")).toThrowError(/^EEXIST/);
    fs.openWriteBufferForCreateSync("/w/empty");
    fs.releaseWriteBufferSync("/w/empty");
    expect(stored(store, "/w/empty")).toBe("");
  });

  on("make the file early where its name is needed", (fs, store) => {
    fs.openWriteBufferForCreateSync("/w/f");
    fs.writeFileSync("/w/f", "one");
    expect(fs.readdirSync("/w")).toEqual(["f"]);
    fs.renameSync("/w/f", "/w/g");
    fs.writeRangeSync("/w/g", "two", 3);
    expect([fs.readFileSync("/w/g", "utf8"), stored(store, "/w/g")]).toEqual(["onetwo", "one"]);
    fs.releaseWriteBufferSync("/w/g");
    expect(stored(store, "/w/g")).toBe("onetwo");
  });

  on("are released as often as they were opened", (fs, store) => {
    fs.writeFileSync("/w/f", "");
    fs.openWriteBufferSync("/w/f");
    fs.openWriteBufferSync("/w/f");
    fs.writeFileSync("/w/f", "x");
    fs.releaseWriteBufferSync("/w/f");
    expect(stored(store, "/w/f")).toBe("");
    fs.releaseWriteBufferSync("/w/f");
    expect(stored(store, "/w/f")).toBe("x");
    expect(() => fs.openWriteBufferSync("/w/none")).toThrowError("ENOENT: no such file or directory, open '/w/none'");
  });

  on("follow the file, not its name", (fs, store) => {
    fs.writeFileSync("/w/f", "old");
    fs.openWriteBufferSync("/w/f");
    fs.writeFileSync("/w/f", "new");
    fs.renameSync("/w/f", "/w/g");
    fs.writeFileSync("/w/f", "another");
    fs.releaseWriteBufferSync("/w/g");
    expect([stored(store, "/w/f"), stored(store, "/w/g")]).toEqual(["another", "new"]);
    fs.openWriteBufferSync("/w/g");
    fs.writeFileSync("/w/g", "lost");
    const rev = store.rev();
    fs.unlinkSync("/w/g");
    expect(store.rev()).toBe(rev + 1);
  });

  on("hold no more than 16 MiB", (fs, store) => {
    fs.openWriteBufferForCreateSync("/w/f");
    const piece = new Uint8Array(5 * MIB).fill(1);
    for (let i = 0; i < 4; i++) fs.writeRangeSync("/w/f", piece, i * piece.length);
    expect(store.getattr(fs.statSync("/w/f").ino).size).toBe(15 * MIB);
    fs.writeRangeSync("/w/f", new Uint8Array(17 * MIB), 0);
    fs.releaseWriteBufferSync("/w/f");
    const last = fs.readRangeSync("/w/f", 17 * MIB - 1, 2);
    expect([fs.statSync("/w/f").size, ...last]).toEqual([20 * MIB, 0, 1]);
  });

  on("give what a plain array of bytes would, whatever is done to them", (fs, store) => {
    let seed = 1;
    const random = (limit: number) => {
      seed = (seed * 48_271) % 0x7fffffff;
      return seed % limit;
    };
    for (let round = 0; round < 12; round++) {
      let model = new Uint8Array(random(2 * MIB)).map((_, i) => (i * 31 + round) % 256);
      const path = `/w/f${round}`;
      if (round % 4 === 0) {
        model = new Uint8Array(0);
        fs.openWriteBufferForCreateSync(path);
      } else {
        fs.writeFileSync(path, model);
        fs.openWriteBufferSync(path);
      }
      for (let step = 0; step < 10; step++) {
        const size = random(4) === 0 ? random(2 * MIB) : undefined;
        if (size !== undefined) {
          const next = new Uint8Array(size);
          next.set(model.subarray(0, size));
          model = next;
          fs.truncateSync(path, size);
        } else {
          const offset = random(random(2) === 0 ? 2 * MIB : model.length + 1);
          const data = new Uint8Array(random(300 * KIB) + 1).fill(step + 1);
          const next = new Uint8Array(Math.max(model.length, offset + data.length));
          next.set(model);
          next.set(data, offset);
          model = next;
          fs.writeRangeSync(path, data, offset);
        }
        expect([round, step, fs.readFileSync(path).equals(model)]).toEqual([round, step, true]);
      }
      fs.releaseWriteBufferSync(path);
      const attr = store.getattr(fs.statSync(path).ino);
      const held = store.read(attr.ino, 0, attr.size);
      expect([round, held instanceof Uint8Array && fs.readFileSync(path).equals(model)]).toEqual([round, true]);
    }
  });
}

function testPaths(on: On): void {
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

/** What a watch's listener was told, as `event name`. */
function record(
  fs: StoreProvider,
  path: string,
  options = {},
): { told: string[]; watcher: ReturnType<StoreProvider["watch"]> } {
  const told: string[] = [];
  const watcher = fs.watch(path, options);
  watcher.on("change", (event, name) => told.push(`${event} ${name}`));
  watcher.on("reset", () => told.push("reset"));
  return { told, watcher };
}

function testWatch(on: On): void {
  const settled = () => new Promise<void>((resolve) => setTimeout(resolve));

  on("tells exactly what came, went and changed, once for each transaction", async (fs, store) => {
    fs.mkdirSync("/w/d");
    const { told, watcher } = record(fs, "/w", { recursive: true });
    const after = async (change: () => void) => {
      told.length = 0;
      change();
      expect(told).toEqual([]);
      await settled();
      return told;
    };
    expect(await after(() => fs.writeFileSync("/w/f", "1"))).toEqual(["rename f"]);
    expect(await after(() => fs.writeFileSync("/w/f", "2"))).toEqual(["change f"]);
    expect(await after(() => fs.writeFileSync("/w/d/x", "1"))).toEqual(["rename d/x"]);
    expect(await after(() => fs.renameSync("/w/d/x", "/w/y"))).toEqual(["rename d/x", "rename y"]);
    expect(await after(() => fs.chmodSync("/w/d", 0o700))).toEqual(["change d"]);
    expect(await after(() => fs.linkSync("/w/y", "/w/z"))).toEqual(["change y", "rename z"]);
    expect(await after(() => fs.writeFileSync("/w/z", "2"))).toEqual(["change y", "change z"]);
    expect(await after(() => fs.unlinkSync("/w/z"))).toContain("rename z");
    expect(await after(() => writeFile(store, "/elsewhere", "x"))).toEqual([]);
    const both = () =>
      store.transaction(() => {
        fs.writeFileSync("/w/f", "3");
        fs.writeFileSync("/w/f", "4");
        fs.mkdirSync("/w/e");
      });
    expect((await after(both)).sort()).toEqual(["change f", "rename e"]);
    const failing = () =>
      expect(() =>
        store.transaction(() => {
          fs.writeFileSync("/w/f", "5");
          throw new Error("no");
        }),
      ).toThrowError("no");
    expect(await after(failing)).toEqual([]);
    watcher.close();
    expect(await after(() => fs.writeFileSync("/w/f", "6"))).toEqual([]);
  });

  on("of a directory sees only its own entries unless it is recursive; a moved tree is its top", async (fs) => {
    fs.mkdirSync("/w/d/e", { recursive: true });
    for (let i = 0; i < 20; i++) fs.writeFileSync(`/w/d/e/${i}`, "");
    const flat = record(fs, "/w");
    const deep = record(fs, "/w", { recursive: true });
    fs.writeFileSync("/w/d/e/0", "x");
    await settled();
    fs.renameSync("/w/d", "/w/moved");
    await settled();
    fs.mkdirSync("/w/other");
    fs.renameSync("/w/moved/e", "/w/other/e");
    await settled();
    expect(flat.told).toEqual(["rename d", "rename moved", "rename other"]);
    expect(deep.told).toEqual([
      "change d/e/0",
      "rename d",
      "rename moved",
      "rename other",
      "rename moved/e",
      "rename other/e",
    ]);
  });

  on("of a file tells of it alone, by its own name", async (fs) => {
    fs.writeFileSync("/w/f", "1");
    fs.symlinkSync("f", "/w/link");
    const { told } = record(fs, "/w/link");
    fs.writeFileSync("/w/g", "1");
    fs.writeFileSync("/w/f", "2");
    await settled();
    fs.unlinkSync("/w/f");
    await settled();
    expect(told).toEqual(["change f", "rename f"]);
    expect(() => fs.watch("/w/none")).toThrowError("ENOENT: no such file or directory, watch '/w/none'");
  });

  on("tells that the watched directory went", async (fs, store) => {
    fs.mkdirSync("/w/d");
    fs.writeFileSync("/w/d/f", "");
    const { told } = record(fs, "/w/d");
    rm(store, "/w/d", { recursive: true });
    await settled();
    expect(told).toEqual(["rename d"]);
  });

  on("goes on after a revision, and says so when that is too old", async (fs, store) => {
    const first = record(fs, "/w");
    fs.writeFileSync("/w/a", "");
    await settled();
    first.watcher.close();
    fs.writeFileSync("/w/b", "");
    fs.writeFileSync("/w/a", "x");
    const { told } = record(fs, "/w", { since: first.watcher.rev });
    await settled();
    expect([first.told, told.sort()]).toEqual([["rename a"], ["change a", "rename b"]]);
    const { told: lost } = record(fs, "/w", { since: store.rev() + 5 });
    await settled();
    expect(lost).toEqual(["reset"]);
    expect(() => fs.watch("/w", { since: -1 })).toThrowError(/^EINVAL: since/);
  });

  on("as an iterable ends with its signal or its loop, and keeps no more than what changed", async (fs) => {
    const stop = new AbortController();
    const watch = fs.watchAsync("/w", { signal: stop.signal });
    for (let i = 0; i < 100; i++) {
      fs.writeFileSync("/w/f", String(i));
      await settled();
    }
    fs.writeFileSync("/w/g", "");
    expect(await watch.next()).toEqual({ value: { eventType: "rename", filename: "f" }, done: false });
    expect(await watch.next()).toEqual({ value: { eventType: "rename", filename: "g" }, done: false });
    const waiting = watch.next();
    setTimeout(() => fs.writeFileSync("/w/f", "later"));
    expect(await waiting).toEqual({ value: { eventType: "change", filename: "f" }, done: false });
    const last = watch.next();
    stop.abort();
    expect(await last).toEqual({ value: undefined, done: true });
    const rest = fs.watchAsync("/w", { since: watch.rev });
    fs.unlinkSync("/w/g");
    for await (const event of rest) {
      expect(event).toEqual({ eventType: "rename", filename: "g" });
      break;
    }
    expect(await rest.next()).toEqual({ value: undefined, done: true });
  });

  on("of attributes calls back with the new and the old", async (fs) => {
    const seen: number[][] = [];
    const listener = (now: { size: number }, before: { size: number }) => seen.push([before.size, now.size]);
    fs.watchFile("/w/f", {}, listener);
    fs.writeFileSync("/w/f", "abc");
    await settled();
    fs.writeFileSync("/w/other", "");
    await settled();
    fs.unlinkSync("/w/f");
    await settled();
    fs.unwatchFile("/w/f", listener);
    fs.writeFileSync("/w/f", "abcd");
    await settled();
    expect(seen).toEqual([
      [0, 3],
      [3, 0],
    ]);
  });
}
