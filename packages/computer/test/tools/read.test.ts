import { describe, expect, test } from "vitest";
import type { FileStore } from "../../src/files/file-store.ts";
import { defineRead, type ReadInput, type ReadText, type ReadToolOptions } from "../../src/tools/core/index.ts";
import { files, output, told } from "./files.ts";

async function reading(content: string | Uint8Array, options: Partial<ReadToolOptions> = {}) {
  const { store } = await files({ f: content });
  const tool = defineRead({ store, ...options });
  return {
    read: (input: Omit<ReadInput, "path"> = {}) =>
      output(tool, { path: "f", ...input }) as Promise<ReadText & { error?: string }>,
    tell: (input: Omit<ReadInput, "path"> = {}) => told(tool, { path: "f", ...input }),
  };
}

/** Reads on until there is no more. */
async function pages(read: (input: Omit<ReadInput, "path">) => Promise<ReadText>): Promise<ReadText[]> {
  const all: ReadText[] = [];
  for (let input: Omit<ReadInput, "path"> = {}; ; ) {
    const page = await read(input);
    all.push(page);
    if (page.nextByteOffset === undefined) return all;
    input = { offset: page.nextOffset, byteOffset: page.nextByteOffset };
  }
}

describe("pages", () => {
  test("T-07 of one long line join to the file, with no character broken", async () => {
    const source = "é".repeat(150 * 1024);
    const { read } = await reading(source);
    const all = await pages(read);
    expect(all).toHaveLength(2);
    expect(all.map(({ content }) => content).join("")).toBe(source);
    expect(all[0]).toMatchObject({
      size: 307_200,
      startLine: 1,
      totalLines: null,
      nextOffset: 1,
      nextByteOffset: 262_144,
    });
    expect(all[1]).toMatchObject({ startLine: 1, totalLines: 1 });
  });

  test.each([1, 2, 3, 5, 7, 64])(
    "T-07 of %i bytes and a few lines join to a text of all lengths of characters",
    async (maxBytes) => {
      const source = `aé€😀${"x\n".repeat(9)}\n€€€\n\nlast 😀😀 line`;
      const { read } = await reading(source, { maxBytes: Math.max(maxBytes, 4), maxLines: 3 });
      expect((await pages(read)).map(({ content }) => content).join("")).toBe(source);
    },
  );

  test("by lines: where they begin, where to go on, and how many there are", async () => {
    const { read, tell } = await reading("one\ntwo\nthree\nfour");
    expect(await read()).toMatchObject({ content: "one\ntwo\nthree\nfour", startLine: 1, totalLines: 4 });
    expect(await read({ offset: 2, limit: 2 })).toEqual({
      path: "/workspace/f",
      content: "two\nthree\n",
      size: 18,
      startLine: 2,
      totalLines: null,
      nextOffset: 4,
      nextByteOffset: 14,
    });
    expect(await read({ offset: 4, byteOffset: 14 })).toMatchObject({ content: "four", startLine: 4, totalLines: 4 });
    expect(await read({ byteOffset: 14 })).toMatchObject({ content: "four", startLine: null, totalLines: null });
    expect(await tell({ offset: 5 })).toBe("Line 5 is after the end: /workspace/f has 4 lines.");
    expect(await tell({ limit: 1 })).toBe("one\n\n[There is more: go on with offset=2 and byteOffset=4.]");
  });

  test("a position within a character is that of the character", async () => {
    const { read } = await reading("a€b");
    expect(await read({ byteOffset: 2 })).toMatchObject({ content: "€b" });
    expect(await read({ byteOffset: 99 })).toMatchObject({ content: "" });
  });

  test("an empty file, and a line that a newline ends", async () => {
    expect(await (await reading("")).read()).toMatchObject({ content: "", totalLines: 0 });
    expect(await (await reading("")).tell()).toBe("[The file is empty.]");
    expect(await (await reading("a\n")).read()).toMatchObject({ content: "a\n", totalLines: 1 });
    expect(await (await reading("a\n")).tell({ offset: 2 })).toContain("has 1 lines");
  });

  test("T-10 ten lines of a file of a gigabyte take few bytes", async () => {
    const line = new TextEncoder().encode(`${"x".repeat(99)}\n`);
    const size = 2 ** 30;
    let bytesRead = 0;
    const store: FileStore = {
      stat: async () => ({ size, mtime: 0 }),
      readAll: () => Promise.reject(new Error("the whole file was asked for")),
      write: () => Promise.reject(new Error("nothing is written here")),
      async *readChunks(_path, offset = 0, length = size) {
        for (let at = offset; at < Math.min(offset + length, size); ) {
          const piece = line.subarray(at % 100, Math.min(100, (at % 100) + offset + length - at));
          bytesRead += piece.length;
          at += piece.length;
          yield piece;
        }
      },
    };
    const read = (input: object) => output(defineRead({ store }), { path: "f", ...input }) as Promise<ReadText>;
    const page = await read({ byteOffset: 900_000_000, offset: 9_000_001, limit: 10 });
    expect(page).toMatchObject({ startLine: 9_000_001, nextOffset: 9_000_011, nextByteOffset: 900_001_000 });
    expect(page.content).toBe(`${"x".repeat(99)}\n`.repeat(10));
    expect(bytesRead).toBeLessThan(300_000);
    bytesRead = 0;
    expect(await read({ offset: 20_000, limit: 10 })).toMatchObject({ startLine: 20_000, nextByteOffset: 2_000_900 });
    expect(bytesRead).toBeLessThan(2_700_000);
  });
});

describe("what is shown of lines", () => {
  test("numbers, where they are known", async () => {
    const { read } = await reading("a\nb\n", { includeLineNumbers: true });
    expect((await read({ offset: 2 })).content).toBe("     2\tb\n");
    expect((await read({ byteOffset: 2 })).content).toBe("b\n");
  });

  test.each([
    [{ bytes: 4 }, "ab€… [3 more bytes]\r\nshort"],
    [{ chars: 2 }, "ab… [2 more characters]\r\nsh… [3 more characters]"],
  ])("long ones cut by %j", async (lineTruncation, content) => {
    const source = "bytes" in lineTruncation ? "ab€€\r\nshort" : "ab€€\r\nshort";
    const limit = "bytes" in lineTruncation ? { bytes: 5 } : lineTruncation;
    const { read } = await reading(source, { lineTruncation: limit });
    expect((await read()).content).toBe(content);
  });
});

describe("what a file is", () => {
  const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

  test.each([
    ["image/png", "\x89PNG\r\n\x1a\n\0\0"],
    ["image/jpeg", "\xff\xd8\xff\xe0\0"],
    ["image/gif", "GIF89a\0"],
    ["image/webp", "RIFF\x10\0\0\0WEBPVP8 "],
    ["application/pdf", "%PDF-1.7\n"],
  ])("%s is shown by its bytes, not its name", async (mediaType, head) => {
    const { store } = await files({ "notes.txt": bytes(head) });
    const result = await output(defineRead({ store }), { path: "notes.txt" });
    expect(result).toEqual({ path: "/workspace/notes.txt", mediaType, size: head.length, data: btoa(head) });
    expect(defineRead({ store }).describe(result)).toEqual([
      { type: "text", text: `/workspace/notes.txt: ${mediaType}, ${head.length} bytes` },
      { type: "media", data: btoa(head), mediaType },
    ]);
  });

  test("a text is a text whatever its name", async () => {
    const { store } = await files({ "a.png": "just text\n" });
    expect(await output(defineRead({ store }), { path: "a.png" })).toMatchObject({ content: "just text\n" });
  });

  test.each([
    ["application/zip", "PK\x03\x04\x14\0"],
    ["application/octet-stream", "\x01\x02\0\x03"],
  ])("of %s it is told what it is", async (mediaType, head) => {
    const { tell } = await reading(bytes(head));
    expect(await tell()).toMatch(`/workspace/f is no text but ${mediaType}, ${head.length} bytes.`);
  });

  test("an image over the limit is not handed out, one under it is", async () => {
    const png = new Uint8Array(3.5 * 1024 * 1024);
    png.set(bytes("\x89PNG\r\n\x1a\n"));
    expect(await (await reading(png)).read()).toMatchObject({ size: png.length });
    const { tell } = await reading(png, { maxModelBytes: png.length - 1 });
    expect(await tell()).toContain(`image/png of ${png.length} bytes, and at most ${png.length - 1} can be shown`);
  });

  test("a directory, and what is not there", async () => {
    const { store } = await files();
    expect(await told(defineRead({ store }), { path: "/workspace" })).toContain("EISDIR");
    expect(await told(defineRead({ store }), { path: "nothing" })).toContain("ENOENT: there is no /workspace/nothing");
  });
});
