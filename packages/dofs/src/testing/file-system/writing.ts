/** Writing files: what changes, what stays, and that it is all or nothing. */

import { expect } from "vitest";
import type { WriteFileContent } from "../../filesystem/write-file.ts";
import { expectSameBytes } from "../same-bytes.ts";
import {
  bytesOf,
  type FileSystemLike,
  failingStream,
  fails,
  names,
  type On,
  pattern,
  streamOf,
  tick,
} from "./context.ts";

const MIB = 1024 * 1024;

/** A file of `size` bytes in pieces that fall on no border; `pulled` counts what was asked for. */
function largeStream(size: number, shift = 0): ReadableStream<Uint8Array> {
  const piece = 100_003;
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at >= size) return controller.close();
        const end = Math.min(at + piece, size);
        controller.enqueue(pattern(at + shift, end + shift));
        at = end;
      },
    },
    { highWaterMark: 0 },
  );
}

export function testWriting(on: On): void {
  on("a string, bytes and a stream make a file, 0o644 unless told otherwise", async (fs) => {
    await fs.writeFile("/w/string", "é");
    await fs.writeFile("/w/bytes", new Uint8Array([1, 2, 3]).subarray(1));
    await fs.writeFile("/w/stream", streamOf("a", "", "b", new Uint8Array([0xff])), { mode: 0o755 });
    expect(await fs.stat("/w/string")).toMatchObject({ name: "string", size: 2, mode: 0o644, isFile: true });
    expectSameBytes(await bytesOf(await fs.readFile("/w/bytes")), new Uint8Array([2, 3]));
    expectSameBytes(await bytesOf(await fs.readFile("/w/stream")), new Uint8Array([0x61, 0x62, 0xff]));
    expect((await fs.stat("/w/stream")).mode).toBe(0o755);
    await fs.writeFile("/w/empty", streamOf());
    expect((await fs.stat("/w/empty")).size).toBe(0);
  });

  on("bytes are taken as they are when writeFile is called", async (fs) => {
    const bytes = new Uint8Array([1, 2, 3]);
    const written = fs.writeFile("/w/f", bytes);
    await written;
    bytes.fill(9);
    expectSameBytes(await bytesOf(await fs.readFile("/w/f")), new Uint8Array([1, 2, 3]));
  });

  on("F-11 an overwrite keeps mode and inode, and moves mtime", async (fs) => {
    await fs.writeFile("/w/f", "old", { mode: 0o755 });
    const before = await fs.stat("/w/f");
    await tick();
    await fs.writeFile("/w/f", "newer", { mode: 0o600 });
    const after = await fs.stat("/w/f");
    expect(after).toMatchObject({ mode: 0o755, size: 5, inode: before.inode });
    expect(after.mtime).toBeGreaterThan(before.mtime);
    await fs.writeFile("/w/f", streamOf("x"));
    expect(await fs.stat("/w/f")).toMatchObject({ mode: 0o755, size: 1, inode: before.inode });
  });

  on("F-11 writing to a directory is EISDIR", async (fs) => {
    await fs.mkdir("/w/d");
    await fs.symlink("d", "/w/l");
    for (const path of ["/w/d", "/w/l", "/w/d/"]) {
      await fails(fs.writeFile(path, "x"), "EISDIR");
      await fails(fs.writeFile(path, streamOf("x")), "EISDIR");
    }
  });

  on("a file shrinks and grows across every way of keeping it", async (fs) => {
    const sizes = [0, 1, 5000, 100_000, 300_000, MIB, 600_000, 256 * 1024, 40_000, 10, 0, 2 * MIB];
    for (const [i, size] of sizes.entries()) {
      const content = pattern(i, size + i);
      await fs.writeFile("/w/f", i % 2 === 0 ? content : streamOf(content));
      expect((await fs.stat("/w/f")).size).toBe(size);
      expectSameBytes(await bytesOf(await fs.readFile("/w/f")), content);
    }
  });

  on("equal files can be changed and removed each for itself", async (fs) => {
    const content = pattern(0, MIB);
    for (const name of ["a", "b", "c"]) await fs.writeFile(`/w/${name}`, content);
    await fs.writeFile("/w/a", "changed");
    await fs.rm("/w/b");
    expectSameBytes(await bytesOf(await fs.readFile("/w/c")), content);
  });

  on("F-10 exclusive refuses whatever is there, a dangling link too", async (fs) => {
    await fs.writeFile("/w/f", "old");
    await fs.mkdir("/w/d");
    await fs.symlink("none", "/w/dangling");
    await fs.symlink("f", "/w/l");
    for (const path of ["/w/f", "/w/d", "/w/dangling", "/w/l"]) {
      await fails(fs.writeFile(path, "x", { exclusive: true }), "EEXIST");
      await fails(fs.writeFile(path, streamOf("x"), { exclusive: true }), "EEXIST");
    }
    expect(await names(fs, "/w")).toEqual(["d", "dangling", "f", "l"]);
    expect(await fs.readFile("/w/f", "utf8")).toBe("old");
    await fs.writeFile("/w/new", "x", { exclusive: true });
    await fs.writeFile("/w/new2", streamOf("y"), { exclusive: true, mode: 0o600 });
    expect(await fs.stat("/w/new2")).toMatchObject({ size: 1, mode: 0o600 });
  });

  on(
    "a write that is refused does not read its source",
    async (fs) => {
      let asked = 0;
      const source = () =>
        new ReadableStream<Uint8Array>(
          {
            pull(controller) {
              asked++;
              controller.enqueue(new Uint8Array(1));
            },
          },
          { highWaterMark: 0 },
        );
      await fs.writeFile("/w/f", "old");
      await fails(fs.writeFile("/w/f", source(), { exclusive: true }), "EEXIST");
      await fails(fs.writeFile("/w", source()), "EISDIR");
      await fails(fs.writeFile("/w/none/f", source()), "ENOENT");
      await fails(fs.writeFile("/w/f/x", source()), "ENOTDIR");
      await fails(fs.writeFile("/w/new", source(), { mode: -1 }), "EINVAL");
      expect(asked).toBe(0);
    },
    ["whole writes"],
  );

  on(
    "what is no content and no mode is EINVAL, and nothing is made",
    async (fs) => {
      for (const content of [undefined, null, 7, {}, [1]]) {
        await fails(fs.writeFile("/w/f", content as unknown as WriteFileContent), "EINVAL");
      }
      const strings = new ReadableStream({
        start(controller) {
          controller.enqueue("text");
          controller.close();
        },
      });
      await fails(fs.writeFile("/w/f", strings), "EINVAL");
      for (const mode of [-1, 0.5, Number.NaN]) {
        await fails(fs.writeFile("/w/f", "", { mode }), "EINVAL");
        await fails(fs.mkdir("/w/d", { mode }), "EINVAL");
        await fails(fs.chmod("/w", mode), "EINVAL");
      }
      expect(await names(fs, "/w")).toEqual([]);
    },
    ["own paths"],
  );

  on(
    "a stream that fails leaves the old file, and no new one",
    async (fs) => {
      const failure = new Error("the source broke");
      await fs.writeFile("/w/f", "old");
      await expect(fs.writeFile("/w/f", failingStream(failure, "half", "of it"))).rejects.toThrow("the source broke");
      await expect(fs.writeFile("/w/new", failingStream(failure, "half"))).rejects.toThrow("the source broke");
      expect(await fs.readFile("/w/f", "utf8")).toBe("old");
      expect(await names(fs, "/w")).toEqual(["f"]);
    },
    ["whole writes"],
  );

  on(
    "a large stream shows only when it is whole, and its source is read no faster than it is stored",
    async (fs) => {
      const size = 3 * MIB + 5;
      await fs.writeFile("/w/f", "old");
      let given = 0;
      const reader = largeStream(size).getReader();
      const watched = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            expect(await fs.readFile("/w/f", "utf8")).toBe("old");
            const next = await reader.read();
            if (next.done) return controller.close();
            given += next.value.length;
            controller.enqueue(next.value);
          },
        },
        { highWaterMark: 0 },
      );
      await fs.writeFile("/w/f", watched);
      expect(given).toBe(size);
      expectSameBytes(await bytesOf(await fs.readFile("/w/f")), pattern(0, size));
    },
    ["whole writes"],
  );

  on(
    "a parent that goes while a stream is written fails the write at its end",
    async (fs) => {
      await fs.mkdir("/w/d");
      const source = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            await fs.rm("/w/d", { recursive: true });
            controller.enqueue(new Uint8Array(1));
            controller.close();
          },
        },
        { highWaterMark: 0 },
      );
      await fails(fs.writeFile("/w/d/f", source), "ENOENT");
      expect(await names(fs, "/w")).toEqual([]);
    },
    ["whole writes"],
  );

  on("copying a file by its own stream", async (fs) => {
    const content = pattern(0, MIB + 17);
    await fs.writeFile("/w/a", content);
    await fs.writeFile("/w/b", await fs.readFile("/w/a"));
    expectSameBytes(await bytesOf(await fs.readFile("/w/b")), content);
  });

  on(
    "a file written from its own stream stays what it was",
    async (fs) => {
      const content = pattern(0, MIB + 17);
      await fs.writeFile("/w/a", content);
      await fs.writeFile("/w/a", await fs.readFile("/w/a"));
      expectSameBytes(await bytesOf(await fs.readFile("/w/a")), content);
    },
    ["snapshots", "whole writes"],
  );

  on(
    "two writes that race leave one of the two, whole",
    async (fs) => {
      const size = MIB + 11;
      const variants: [WriteFileContent, WriteFileContent][] = [
        [largeStream(size), largeStream(size, 3)],
        [largeStream(size), pattern(3, size + 3)],
        [pattern(0, size), pattern(3, size + 3)],
      ];
      for (const [one, other] of variants) {
        await Promise.all([fs.writeFile("/w/f", one), fs.writeFile("/w/f", other)]);
        const result = await bytesOf(await fs.readFile("/w/f"));
        const shift = result[0] === pattern(0, 1)[0] ? 0 : 3;
        expectSameBytes(result, pattern(shift, size + shift));
      }
    },
    ["whole writes"],
  );

  on(
    "of two exclusive writes that race one wins, the other is EEXIST",
    async (fs) => {
      for (const make of [(text: string): WriteFileContent => text, (text: string) => streamOf(text, text)]) {
        await fs.rm("/w/f", { force: true });
        const outcomes = await Promise.allSettled([
          fs.writeFile("/w/f", make("one"), { exclusive: true }),
          fs.writeFile("/w/f", make("two"), { exclusive: true }),
        ]);
        expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
        const lost = outcomes.find((outcome) => outcome.status === "rejected");
        expect(lost?.reason).toMatchObject({ code: "EEXIST" });
        expect(await fs.readFile("/w/f", "utf8")).toMatch(/^(one|oneone|two|twotwo)$/);
      }
    },
    ["whole writes"],
  );

  on("many calls at once", async (fs) => {
    await fs.mkdir("/w/d");
    const numbers = Array.from({ length: 40 }, (_, i) => i);
    await Promise.all(numbers.map((i) => fs.writeFile(`/w/d/f${i}`, `${i}`)));
    await Promise.all(numbers.map((i) => fs.rename(`/w/d/f${i}`, `/w/d/g${i}`)));
    const texts = await Promise.all(numbers.map((i) => fs.readFile(`/w/d/g${i}`, "utf8")));
    expect(texts).toEqual(numbers.map(String));
    expect((await names(fs, "/w/d")).length).toBe(40);
  });

  on("of two renames of one file one wins", async (fs) => {
    await fs.writeFile("/w/f", "x");
    const outcomes = await Promise.allSettled([fs.rename("/w/f", "/w/a"), fs.rename("/w/f", "/w/b")]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await names(fs, "/w")).length).toBe(1);
  });

  on("chmod sets twelve bits and leaves the rest", async (fs) => {
    await fs.writeFile("/w/f", "text");
    const before = await fs.stat("/w/f");
    for (const mode of [0, 0o600, 0o7777, 0o755]) {
      await fs.chmod("/w/f", mode);
      expect((await fs.stat("/w/f")).mode).toBe(mode);
    }
    await fs.chmod("/w/f", 0o100640);
    expect(await fs.stat("/w/f")).toMatchObject({ mode: 0o640, size: 4, mtime: before.mtime, inode: before.inode });
    await fs.mkdir("/w/d");
    await fs.chmod("/w/d", 0o1777);
    expect((await fs.stat("/w/d")).mode).toBe(0o1777);
    await fails(fs.chmod("/w/none", 0o600), "ENOENT");
  });
}

/** The room that files take and that is left. */
export function testUsage(on: On): void {
  on(
    "usage counts inodes, and bytes that come with a file and go with it",
    async (fs: FileSystemLike) => {
      const before = await fs.usage!();
      expect(before).toMatchObject({ inodes: 2, totalBytes: before.usedBytes + before.freeBytes });
      await fs.writeFile("/w/f", pattern(0, 3_000_000));
      await fs.symlink("f", "/w/l");
      const full = await fs.usage!();
      expect(full).toMatchObject({ inodes: 4, totalBytes: before.totalBytes });
      expect(full.usedBytes - before.usedBytes).toBeGreaterThanOrEqual(3_000_000);
      expect(full.freeBytes).toBe(full.totalBytes - full.usedBytes);
      await fs.rm("/w/f");
      expect(await fs.usage!()).toMatchObject({ inodes: 3 });
    },
    ["usage"],
  );
}

/** A file far larger than a value may be, in and out as streams; 100 MiB by default. */
export function testLargeStream(on: On, size: number): void {
  on(`F-15 ${size} bytes go in and out as streams`, async (fs: FileSystemLike) => {
    await fs.writeFile("/w/f", largeStream(size));
    expect((await fs.stat("/w/f")).size).toBe(size);
    let at = 0;
    const reader = (await fs.readFile("/w/f")).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      expectSameBytes(next.value, pattern(at, at + next.value.length));
      at += next.value.length;
    }
    expect(at).toBe(size);
  });
}
