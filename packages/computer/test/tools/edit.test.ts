import { describe, expect, test } from "vitest";
import { defineDelete, defineEdit, defineWrite } from "../../src/tools/core/index.ts";
import { files, output, told } from "./files.ts";

/** Edits a file that begins as `source`, and gives what came of it. */
async function edited(source: string | Uint8Array, edits: unknown, options: object = {}) {
  const { fs, store } = await files({ "a.txt": source });
  const result = (await output(defineEdit({ store, ...options }), { path: "/workspace/a.txt", edits })) as {
    error?: string;
    diff?: string;
    firstChangedLine?: number;
  };
  return { ...result, text: await fs.readFile("/workspace/a.txt", "utf8") };
}

describe("where an edit fits", () => {
  test("T-01 a stray blank in oldText finds the line, and every other byte stays", async () => {
    const source = "“Curly” — dash  \nkeep ‘this’  \n\ttarget line\nlast – one  \n";
    const { text, diff, firstChangedLine } = await edited(source, [
      { oldText: "\ttarget line \n", newText: "\tchanged line\n" },
    ]);
    expect(text).toBe(source.replace("target", "changed"));
    expect(firstChangedLine).toBe(3);
    expect(diff).toBe(
      "--- /workspace/a.txt\n+++ /workspace/a.txt\n@@ -1,4 +1,4 @@\n “Curly” — dash  \n keep ‘this’  \n-\ttarget line\n+\tchanged line\n last – one  \n",
    );
  });

  test.each([
    ["quotes and dashes", "a “b” – c’s\n", `"b" - c's`, "a X\n"],
    ["no-break spaces", "a\u00a0b\u2003c\n", "a b c", "X\n"],
    ["decomposed letters", "cafe\u0301 au lait\n", "café au", "X lait\n"],
    ["a composed letter for a decomposed one", "café\n", "cafe\u0301", "X\n"],
    ["full width and ligatures", "ﬁle Ａ１\n", "file A1", "X\n"],
    ["Korean in letters", "\u1112\u1161\u11ab\u1100\u1173\u11af!\n", "한글", "X!\n"],
    ["blanks at ends of lines", "one  \ntwo\t\nthree\n", "one\ntwo\nthree", "X\n"],
    ["letters of several units", "😀“a”\n", '"a"', "😀X\n"],
  ])("%s are found", async (_, source, oldText, text) => {
    expect(await edited(source, [{ oldText, newText: "X" }])).toMatchObject({ text });
  });

  test("exactly before tolerantly: a text that is there as given is not ambiguous", async () => {
    const { text } = await edited('say “hi”\nsay "hi"\n', [{ oldText: 'say "hi"', newText: "say no" }]);
    expect(text).toBe("say “hi”\nsay no\n");
  });

  test("half of a character is no place", async () => {
    const { error, text } = await edited("ﬁle\n", [{ oldText: "ile", newText: "X" }]);
    expect(error).toContain("found 0 times");
    expect(text).toBe("ﬁle\n");
  });
});

describe("what stays", () => {
  test("T-03 a byte order mark and CR LF, and the characters of newText", async () => {
    const { fs, store } = await files({ "a.txt": "\ufeffone\r\ntwo\r\nthree\r\n" });
    await fs.chmod("/workspace/a.txt", 0o755);
    const edits = [{ oldText: "two\nthree", newText: "“é—”\nzwei\ndrei" }];
    expect(await output(defineEdit({ store }), { path: "a.txt", edits })).toMatchObject({ firstChangedLine: 2 });
    const bytes = await store.readAll("/workspace/a.txt");
    expect(bytes).toEqual(new TextEncoder().encode("\ufeffone\r\n“é—”\r\nzwei\r\ndrei\r\n"));
    expect((await fs.stat("/workspace/a.txt")).mode).toBe(0o755);
  });

  test("line ends of either kind in one file, where they are not touched", async () => {
    const { text } = await edited("a\r\nb\nc\r\nd\r\n", [{ oldText: "c", newText: "x\ny" }]);
    expect(text).toBe("a\r\nb\nx\r\ny\r\nd\r\n");
  });

  test("a file without a newline at its end", async () => {
    const { text, diff } = await edited("a\nb", [{ oldText: "b", newText: "c" }]);
    expect(text).toBe("a\nc");
    expect(diff).toContain("-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n");
  });
});

describe("all or none", () => {
  test.each([
    [
      "not found",
      [
        { oldText: "one", newText: "1" },
        { oldText: "seven", newText: "7" },
      ],
      "edits[1]: oldText was found 0 times",
    ],
    [
      "ambiguous",
      [
        { oldText: "one", newText: "1" },
        { oldText: "same", newText: "x" },
      ],
      "edits[1]: oldText was found 3 times, on lines 2, 4 and 5",
    ],
    [
      "overlapping",
      [
        { oldText: "one\nsame", newText: "1" },
        { oldText: "ne\n", newText: "x" },
      ],
      "edits[0] and edits[1] overlap on line 1",
    ],
    ["empty", [{ oldText: "", newText: "1" }], "edits[0]: oldText is empty"],
    ["without a change", [{ oldText: "one", newText: "one" }], "edits[0]: oldText and newText are the same"],
  ])("T-04 with one that is %s nothing is written", async (_, edits, words) => {
    const source = "one\nsame\ntwo\nsame\nsame again\n";
    const { error, text } = await edited(source, edits);
    expect(error).toContain(words);
    expect(error).toContain("Nothing was changed.");
    expect(text).toBe(source);
  });

  test("edits refer to the original, in any order", async () => {
    const { text, diff } = await edited("a\nb\nc\n", [
      { oldText: "c", newText: "a" },
      { oldText: "a", newText: "c" },
    ]);
    expect(text).toBe("c\nb\na\n");
    expect(diff).toContain("@@ -1,3 +1,3 @@\n-a\n+c\n b\n-c\n+a\n");
  });

  test.each([
    ["a file that is not there", "b.txt", "ENOENT: there is no /workspace/b.txt"],
    ["a directory", "/workspace", "EISDIR"],
    ["bytes that are no text", "bin", "is no UTF-8 text"],
  ])("%s is told", async (_, path, words) => {
    const { store } = await files({ bin: new Uint8Array([0xff, 0xfe, 65]) });
    const said = await told(defineEdit({ store }), { path, edits: [{ oldText: "a", newText: "b" }] });
    expect(said).toContain(words);
  });

  test("a file that is or would be too long stays", async () => {
    const options = { maxBytes: 10 };
    expect((await edited("01234567890", [{ oldText: "0123", newText: "" }], options)).error).toContain("at most 10");
    const grown = await edited("0123", [{ oldText: "3", newText: "3456789012" }], options);
    expect(grown).toMatchObject({ text: "0123", error: expect.stringContaining("at most 10") });
  });
});

describe("the diff", () => {
  test("has hunks apart, with the lines around them", async () => {
    const source = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join("");
    const { diff, firstChangedLine } = await edited(source, [
      { oldText: "line 5\n", newText: "five\nfive and a half\n" },
      { oldText: "line 25\n", newText: "" },
    ]);
    expect(firstChangedLine).toBe(5);
    expect(diff).toBe(
      `--- /workspace/a.txt\n+++ /workspace/a.txt\n@@ -2,7 +2,8 @@\n line 2\n line 3\n line 4\n-line 5\n+five\n+five and a half\n line 6\n line 7\n line 8\n@@ -22,7 +23,6 @@\n line 22\n line 23\n line 24\n-line 25\n line 26\n line 27\n line 28\n`,
    );
  });

  test("is cut, and says so", async () => {
    const source = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join("");
    const { diff } = await edited(source, [{ oldText: source, newText: "gone\n" }], { maxDiffLines: 5 });
    expect(diff?.split("\n")).toHaveLength(7);
    expect(diff).toMatch(/\n\[29 more lines of the diff are not shown\.\]\n$/);
    expect(
      (await edited(source, [{ oldText: source, newText: "gone\n" }], { maxDiffBytes: 60 })).diff?.length,
    ).toBeLessThan(120);
  });
});

describe("changes of one path", () => {
  test("T-09 wait for one another, whoever's tools they are, and others do not wait", async () => {
    const { store, fs } = await files({ "a.txt": "0\n", "other.txt": "x\n" });
    const order: string[] = [];
    const slow = (name: string, ms: number) => {
      const own = Object.create(store, {
        lockIdentity: { get: () => store.lockIdentity },
        stat: { value: (path: string) => store.stat(path) },
        readAll: { value: (path: string) => store.readAll(path) },
        write: {
          value: async (path: string, content: Uint8Array) => {
            await new Promise((resolve) => setTimeout(resolve, ms));
            order.push(name);
            await store.write(path, content);
          },
        },
      });
      return own as typeof store;
    };
    const edit = (name: string, ms: number, path: string, oldText: string, newText: string) =>
      output(defineEdit({ store: slow(name, ms) }), { path, edits: [{ oldText, newText }] });
    const results = await Promise.all([
      edit("first", 60, "a.txt", "0", "1"),
      edit("second", 1, "a.txt", "1", "1, 2"),
      output(defineWrite({ store: slow("write", 1) }), { path: "/workspace/./a.txt", content: "3\n" }),
      edit("after the write", 1, "a.txt", "3", "3, 4"),
      edit("elsewhere", 1, "other.txt", "x", "y"),
    ]);
    expect(results.filter((result) => "error" in result)).toEqual([]);
    expect(order).toEqual(["elsewhere", "first", "second", "write", "after the write"]);
    expect(await fs.readFile("/workspace/a.txt", "utf8")).toBe("3, 4\n");
  });

  test("T-09 a recursive delete waits for an edit below it, and what comes after finds nothing", async () => {
    const { store, fs } = await files({ "d/e/a.txt": "0\n", "dd.txt": "0\n" });
    const change = (path: string) => output(defineEdit({ store }), { path, edits: [{ oldText: "0", newText: "1" }] });
    const results = await Promise.all([
      change("d/e/a.txt"),
      output(defineDelete({ store }), { path: "d", recursive: true }),
      change("d/e/a.txt"),
      change("dd.txt"),
    ]);
    expect(results.map((result) => ("error" in result ? result.error.slice(0, 6) : "done"))).toEqual([
      "done",
      "done",
      "ENOENT",
      "done",
    ]);
    expect(await fs.exists("/workspace/d")).toBe(false);
  });

  test("a failed change lets the next one in", async () => {
    const { store } = await files({ "a.txt": "0\n" });
    const edit = defineEdit({ store });
    const [failed, done] = await Promise.all([
      output(edit, { path: "a.txt", edits: [{ oldText: "7", newText: "8" }] }),
      output(edit, { path: "a.txt", edits: [{ oldText: "0", newText: "1" }] }),
    ]);
    expect([failed, done].map((result) => "error" in result)).toEqual([true, false]);
  });
});
