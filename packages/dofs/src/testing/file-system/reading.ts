/** Reading files: whole, in ranges, as streams, as text. */

import { expect } from "vitest";
import type { ReadFileOptions } from "../../filesystem/read-file.ts";
import { expectSameBytes } from "../same-bytes.ts";
import { bytesOf, fails, type On, pattern } from "./context.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const CHUNK = 256 * KIB;
const LARGEST_PIECE = 256 * KIB;

export function testReading(on: On): void {
  on("readFile gives a stream, or a string with utf8", async (fs) => {
    await fs.writeFile("/w/f", "héllo 😀");
    const expected = new TextEncoder().encode("héllo 😀");
    const stream = await fs.readFile("/w/f");
    expect(stream).toBeInstanceOf(ReadableStream);
    expectSameBytes(await bytesOf(stream), expected);
    expectSameBytes(await bytesOf(await fs.readFile("/w/f", {})), expected);
    expect(await fs.readFile("/w/f", "utf8")).toBe("héllo 😀");
    expect(await fs.readFile("/w/f", { encoding: "utf8" })).toBe("héllo 😀");
  });

  on("an empty file is an empty stream and an empty string", async (fs) => {
    await fs.writeFile("/w/f", "");
    expect((await bytesOf(await fs.readFile("/w/f"))).length).toBe(0);
    expect(await fs.readFile("/w/f", "utf8")).toBe("");
    expect((await fs.stat("/w/f")).size).toBe(0);
  });

  on("text keeps a byte order mark and line ends; bytes that are not UTF-8 become U+FFFD", async (fs) => {
    await fs.writeFile("/w/bom", "\ufeffa\r\nb\n");
    expect(await fs.readFile("/w/bom", "utf8")).toBe("\ufeffa\r\nb\n");
    await fs.writeFile("/w/raw", new Uint8Array([0x61, 0xff, 0x00, 0x62]));
    expect(await fs.readFile("/w/raw", "utf8")).toBe("a\ufffd\0b");
    expectSameBytes(await bytesOf(await fs.readFile("/w/raw")), new Uint8Array([0x61, 0xff, 0x00, 0x62]));
  });

  on("text of more than a chunk, a character across each border", async (fs) => {
    const text = `a${"é😀".repeat(120 * KIB)}`;
    await fs.writeFile("/w/f", text);
    expect((await fs.readFile("/w/f", "utf8")) === text).toBe(true);
  });

  on("ranges clamp at the end of the file", async (fs) => {
    await fs.writeFile("/w/f", "0123456789");
    const part = async (options: ReadFileOptions) => fs.readFile("/w/f", { ...options, encoding: "utf8" });
    expect(await part({ byteOffset: 3 })).toBe("3456789");
    expect(await part({ byteLength: 3 })).toBe("012");
    expect(await part({ byteOffset: 2, byteLength: 5 })).toBe("23456");
    expect(await part({ byteOffset: 8, byteLength: 5 })).toBe("89");
    expect(await part({ byteOffset: 10 })).toBe("");
    expect(await part({ byteOffset: 99, byteLength: 1 })).toBe("");
    expect(await part({ byteLength: 0 })).toBe("");
    expect(await part({ byteOffset: Number.MAX_SAFE_INTEGER, byteLength: Number.MAX_SAFE_INTEGER })).toBe("");
    const stream = await fs.readFile("/w/f", { byteOffset: 8, byteLength: 5 });
    expect(new TextDecoder().decode(await bytesOf(stream))).toBe("89");
  });

  on(
    "a negative, fractional or odd range is EINVAL",
    async (fs) => {
      await fs.writeFile("/w/f", "0123456789");
      for (const bad of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60]) {
        await fails(fs.readFile("/w/f", { byteOffset: bad }), "EINVAL");
        await fails(fs.readFile("/w/f", { byteLength: bad }), "EINVAL");
        await fails(fs.readFile("/w/f", { byteOffset: bad, encoding: "utf8" }), "EINVAL");
      }
      const latin1 = { encoding: "latin1" } as unknown as { encoding: "utf8" };
      expect((await fails(fs.readFile("/w/f", latin1), "EINVAL")).message).toContain('"latin1"');
    },
    ["own paths"],
  );

  on("F-11 reading a directory is EISDIR", async (fs) => {
    await fails(fs.readFile("/w"), "EISDIR");
    await fails(fs.readFile("/w", "utf8"), "EISDIR");
    await fails(fs.readFile("/w/none"), "ENOENT");
    await fails(fs.readFile("/w/none", "utf8"), "ENOENT");
  });

  for (const size of [1, MIB - 1, MIB, MIB + 1, 2 * MIB - 1, 2 * MIB, 2 * MIB + 1, 5 * MIB]) {
    on(`F-15 ${size} bytes come back as they went, whole and in ranges across each chunk's edge`, async (fs) => {
      const all = pattern(0, size);
      await fs.writeFile("/w/f", all);
      expect((await fs.stat("/w/f")).size).toBe(size);
      expectSameBytes(await bytesOf(await fs.readFile("/w/f")), all);
      for (let edge = CHUNK; edge <= size; edge += CHUNK) {
        const range = { byteOffset: edge - 2, byteLength: 4 };
        expectSameBytes(await bytesOf(await fs.readFile("/w/f", range)), all.subarray(edge - 2, edge + 2));
      }
      const wide = { byteOffset: Math.floor(size / 3), byteLength: Math.floor(size / 2) };
      const end = wide.byteOffset + wide.byteLength;
      expectSameBytes(await bytesOf(await fs.readFile("/w/f", wide)), all.subarray(wide.byteOffset, end));
    });
  }

  on("a stream's pieces have at most 256 KiB", async (fs) => {
    await fs.writeFile("/w/f", pattern(0, MIB + 1));
    const reader = (await fs.readFile("/w/f", { byteOffset: 1000 })).getReader();
    let at = 1000;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      expect(next.value.length).toBeLessThanOrEqual(LARGEST_PIECE);
      expectSameBytes(next.value, pattern(at, at + next.value.length));
      at += next.value.length;
    }
    expect(at).toBe(MIB + 1);
  });

  on(
    "an open stream gives the bytes of the moment it was opened",
    async (fs) => {
      const old = pattern(0, MIB);
      const changes: [string, () => Promise<void>][] = [
        ["overwritten", () => fs.writeFile("/w/f", pattern(7, MIB + 7))],
        ["shrunk", () => fs.writeFile("/w/f", "small")],
        ["removed", () => fs.rm("/w/f")],
        ["replaced", () => fs.writeFile("/w/g", "other").then(() => fs.rename("/w/g", "/w/f"))],
      ];
      for (const [how, change] of changes) {
        await fs.writeFile("/w/f", old);
        const [untouched, begun] = [await fs.readFile("/w/f"), (await fs.readFile("/w/f")).getReader()];
        const first = await begun.read();
        await change();
        expectSameBytes(await bytesOf(untouched), old);
        const pieces = [first.value ?? new Uint8Array()];
        for (let next = await begun.read(); !next.done; next = await begun.read()) pieces.push(next.value);
        expect(
          pieces.reduce((sum, piece) => sum + piece.length, 0),
          how,
        ).toBe(MIB);
      }
    },
    ["snapshots"],
  );

  on(
    "a small file's stream too",
    async (fs) => {
      await fs.writeFile("/w/f", "old");
      const stream = await fs.readFile("/w/f");
      await fs.writeFile("/w/f", "new");
      expect(new TextDecoder().decode(await bytesOf(stream))).toBe("old");
    },
    ["snapshots"],
  );

  on("a stream can be left before its end", async (fs) => {
    await fs.writeFile("/w/f", pattern(0, MIB));
    const stream = await fs.readFile("/w/f");
    const reader = stream.getReader();
    expect((await reader.read()).value?.length).toBeGreaterThan(0);
    await reader.cancel();
    await (await fs.readFile("/w/f")).cancel();
    await fs.writeFile("/w/f", "after");
    expect(await fs.readFile("/w/f", "utf8")).toBe("after");
  });
}
