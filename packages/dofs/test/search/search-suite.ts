/** The shared suite of find, ls and grep: every store passes it. */

import { describe, expect, test } from "vitest";
import { symlink } from "../../src/filesystem/links.ts";
import { mkdir } from "../../src/filesystem/mkdir.ts";
import { writeFile } from "../../src/filesystem/write-file.ts";
import type { InodeStore } from "../../src/index.ts";
import { type FindOptions, find } from "../../src/search/find.ts";
import { type GrepOptions, type GrepPage, grepPage } from "../../src/search/grep.ts";
import { ls } from "../../src/search/ls.ts";

/** Makes an empty store and runs a body on it. */
export type RunOnStore = (body: (store: InodeStore) => void) => Promise<void> | void;

/** A tree by path; a directory is its path with a slash at the end. */
export function plant(store: InodeStore, tree: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(tree)) {
    mkdir(store, path.slice(0, path.lastIndexOf("/")) || "/", { recursive: true });
    if (!path.endsWith("/")) writeFile(store, path, content);
  }
}

function found(store: InodeStore, pattern?: string, options?: FindOptions): string[] {
  return [...find(store, "/w", pattern, options)].map(({ path }) => path.slice("/w/".length));
}

/** `path:line:text` of each match under `/w`. */
function lines({ matches }: GrepPage): string[] {
  return matches.map(({ path, line, text }) => `${path.slice("/w/".length)}:${line}:${text}`);
}

export function describeSearch(name: string, run: RunOnStore): void {
  const on = (title: string, body: (store: InodeStore) => void) => test(title, () => run(body));
  describe(name, () => {
    describe("find", () => testFind(on));
    describe("ls", () => testLs(on));
    describe("grep", () => testGrep(on));
    describe("grep on long lines and large files", () => testLongLines(on));
    describe("bad input", () => testBadInput(on));
  });
}

type On = (title: string, body: (store: InodeStore) => void) => void;

function testFind(on: On): void {
  on("Q-01 braces, dot names, and a single item in braces stays as it is, as in bash", (store) => {
    plant(store, { "/w/src/a.ts": "", "/w/src/b.tsx": "", "/w/.cfg/x.md": "" });
    expect(found(store, "**/*.{ts,tsx}")).toEqual(["src/a.ts", "src/b.tsx"]);
    expect(found(store, ".cfg/**")).toEqual([".cfg/x.md"]);
    expect(found(store, ".cfg/x.md")).toEqual([".cfg/x.md"]);
    expect(found(store, "src/*.{ts}")).toEqual([]);
  });

  on("Q-02 two stars match no directory too", (store) => {
    plant(store, { "/w/a.ts": "", "/w/x/a.ts": "", "/w/x/y/a.ts": "" });
    expect(found(store, "**/a.ts")).toEqual(["a.ts", "x/a.ts", "x/y/a.ts"]);
    expect(found(store, "x/**/a.ts")).toEqual(["x/a.ts", "x/y/a.ts"]);
    expect(found(store, "*/a.ts")).toEqual(["x/a.ts"]);
    expect(found(store, "?.ts")).toEqual(["a.ts"]);
  });

  on("Q-03 an excluded directory is not entered, and exclude beats the pattern", (store) => {
    const tree: Record<string, string> = { "/w/node_modules_extra/a.ts": "" };
    for (let i = 0; i < 50; i++) tree[`/w/src/${i}.ts`] = "";
    for (let i = 0; i < 200; i++) tree[`/w/node_modules/p${i}/index.ts`] = "";
    plant(store, tree);
    const read: number[] = [];
    const list = store.list.bind(store);
    store.list = (...call) => {
      read.push(call[0]);
      return list(...call);
    };
    const all = found(store, "**/*.ts", { exclude: ["node_modules"] });
    expect(all.length).toBe(51);
    expect(all[0]).toBe("node_modules_extra/a.ts");
    // The top, src and node_modules_extra.
    expect(new Set(read).size).toBe(3);
    expect(found(store, "node_modules/**", { exclude: ["node_modules"] })).toEqual([]);
  });

  on("gives each entry before what is in it, in byte order of name, the directory itself left out", (store) => {
    plant(store, {
      "/w/b/z": "",
      "/w/b.txt": "",
      "/w/a/": "",
      "/w/B": "",
      "/w/é": "",
      "/w/\u{1f600}": "",
      "/w/\uffee": "",
    });
    symlink(store, "b", "/w/link");
    expect([...find(store, "/w")]).toEqual([
      { path: "/w/B", type: "file" },
      { path: "/w/a", type: "dir" },
      { path: "/w/b", type: "dir" },
      { path: "/w/b/z", type: "file" },
      { path: "/w/b.txt", type: "file" },
      { path: "/w/link", type: "file" },
      { path: "/w/é", type: "file" },
      { path: "/w/\uffee", type: "file" },
      { path: "/w/\u{1f600}", type: "file" },
    ]);
    expect([...find(store, "/w/link/")]).toEqual([{ path: "/w/link/z", type: "file" }]);
    expect([...find(store, "/", "w/*/z")]).toEqual([{ path: "/w/b/z", type: "file" }]);
  });

  on("pages stably and stops once the page is full", (store) => {
    const tree: Record<string, string> = {};
    for (let i = 0; i < 300; i++) tree[`/w/d${i % 7}/f${i}`] = "";
    plant(store, tree);
    const all = found(store);
    expect(all.length).toBe(307);
    const paged: string[] = [];
    for (let offset = 0; ; offset += 41) {
      const page = found(store, undefined, { offset, limit: 41 });
      paged.push(...page);
      if (page.length < 41) break;
    }
    expect(paged).toEqual(all);
    expect(found(store, "**", { limit: 0 })).toEqual([]);
    const walked = find(store, "/w", "**", { limit: 2 });
    expect([walked.next().value?.path, walked.next().value?.path]).toEqual(["/w/d0", "/w/d0/f0"]);
    expect(walked.next().done).toBe(true);
  });

  on("excludes a name at any depth, or a path", (store) => {
    plant(store, { "/w/dist/a": "", "/w/p/dist/b": "", "/w/p/src/c": "", "/w/src/d": "" });
    expect(found(store, "**", { exclude: ["dist"] })).toEqual(["p", "p/src", "p/src/c", "src", "src/d"]);
    expect(found(store, "**", { exclude: ["./dist"] })).toEqual([
      "p",
      "p/dist",
      "p/dist/b",
      "p/src",
      "p/src/c",
      "src",
      "src/d",
    ]);
    expect(found(store, "**/?", { exclude: ["p/src", "**/b"] })).toEqual(["dist/a", "p", "src/d"]);
    expect(found(store, "**", { exclude: ["p/**", "*/"] })).toEqual([]);
    expect(found(store, "**", { exclude: ["p/**"] })).toEqual(["dist", "dist/a", "p", "src", "src/d"]);
  });

  on("reads only the directories that a pattern can lead into", (store) => {
    plant(store, { "/w/a/b/c.ts": "", "/w/a/x.ts": "", "/w/z/b/c.ts": "" });
    let listings = 0;
    const list = store.list.bind(store);
    store.list = (...call) => {
      listings++;
      return list(...call);
    };
    expect(found(store, "a/b/c.ts")).toEqual(["a/b/c.ts"]);
    expect(listings).toBe(0);
    expect(found(store, "{a,z}/b/*.ts")).toEqual(["a/b/c.ts", "z/b/c.ts"]);
    expect(listings).toBe(2);
    expect(found(store, "../w/a/b/c.ts")).toEqual([]);
  });
}

function testLs(on: On): void {
  on("gives the files at or under a path, whole names only, sorted", (store) => {
    plant(store, { "/w/a/f": "", "/w/a/b/g": "", "/w/a-b": "", "/w/a.ts": "", "/w/ab/h": "", "/w/empty/": "" });
    symlink(store, "a", "/w/link");
    expect(ls(store, "/w/a")).toEqual(["/w/a/b/g", "/w/a/f"]);
    expect(ls(store, "/w/a.ts")).toEqual(["/w/a.ts"]);
    expect(ls(store, "/w/")).toEqual(["/w/a-b", "/w/a.ts", "/w/a/b/g", "/w/a/f", "/w/ab/h"]);
    expect(ls(store, "/")).toEqual(ls(store, "/w"));
    expect(ls(store, "/w/link")).toEqual(["/w/link/b/g", "/w/link/f"]);
    for (const missing of ["/w/none", "/w/empty", "/w/a.ts/x", "/none/x"]) expect(ls(store, missing)).toEqual([]);
  });
}

function testGrep(on: On): void {
  const text = "one\nneedle 1\nthree\nneedle 2\nfive\nsix\nseven\neight\nneedle 3";

  on("is literal and case-sensitive unless told otherwise, one hit a line", (store) => {
    plant(store, { "/w/a": "a.c a.c\nabc\nA.C\n\n(x|y)\n", "/w/d/b": "[a]\nÉé STRASSE\n" });
    expect(lines(grepPage(store, "a.c", "/w"))).toEqual(["a:1:a.c a.c"]);
    expect(lines(grepPage(store, "a.c", "/w", { ignoreCase: true }))).toEqual(["a:1:a.c a.c", "a:3:A.C"]);
    expect(lines(grepPage(store, "a.c", "/w", { regex: true }))).toEqual(["a:1:a.c a.c", "a:2:abc"]);
    expect(lines(grepPage(store, "^a.c$", "/w", { regex: true, ignoreCase: true }))).toEqual(["a:2:abc", "a:3:A.C"]);
    expect(lines(grepPage(store, "(x|y)", "/w"))).toEqual(["a:5:(x|y)"]);
    expect(lines(grepPage(store, "(X|Y)", "/w", { ignoreCase: true }))).toEqual(["a:5:(x|y)"]);
    expect(lines(grepPage(store, "ÉÉ strasse", "/w", { ignoreCase: true }))).toEqual(["d/b:2:Éé STRASSE"]);
    expect(lines(grepPage(store, "", "/w/a"))).toHaveLength(5);
    expect(lines(grepPage(store, "^$", "/w/a", { regex: true }))).toEqual([":4:"].map((line) => `a${line}`));
  });

  on("gives the lines around a match, with the other matches marked", (store) => {
    plant(store, { "/w/f": text });
    const context = (options: GrepOptions) =>
      grepPage(store, "needle", "/w/f", options).matches.map((match) =>
        match.context?.map((line) => `${line.line}${line.isMatch ? "*" : ""} ${line.text}`),
      );
    expect(context({})).toEqual([undefined, undefined, undefined]);
    expect(context({ context: 1 })).toEqual([
      ["1 one", "2* needle 1", "3 three"],
      ["3 three", "4* needle 2", "5 five"],
      ["8 eight", "9* needle 3"],
    ]);
    expect(context({ context: 2 })).toEqual([
      ["1 one", "2* needle 1", "3 three", "4* needle 2"],
      ["2* needle 1", "3 three", "4* needle 2", "5 five", "6 six"],
      ["7 seven", "8 eight", "9* needle 3"],
    ]);
    expect(context({ context: 1, limit: 1, offset: 1 })).toEqual([["3 three", "4* needle 2", "5 five"]]);
    expect(context({ context: 100, limit: 1 })[0]).toHaveLength(9);
  });

  on("Q-05 a carriage return before a line feed is no part of the line", (store) => {
    plant(store, { "/w/f": "x\r\nb\r\n", "/w/g": "b\rb\r" });
    expect(lines(grepPage(store, "^b$", "/w", { regex: true }))).toEqual(["f:2:b"]);
    expect(lines(grepPage(store, "b\r", "/w"))).toEqual(["g:1:b\rb"]);
  });

  on("Q-08 leaves binary files alone, and one that turns binary from there on", (store) => {
    const late = `needle\n${"x".repeat(300 * 1024)}\0\nneedle\n`;
    plant(store, { "/w/bin": "needle\0\n", "/w/late": late, "/w/text": "needle\n" });
    const page = grepPage(store, "needle", "/w");
    expect(lines(page)).toEqual(["late:1:needle", "text:1:needle"]);
    expect(page).toMatchObject({ filesSearched: 2, binaryFiles: 2, done: true });
  });

  on("Q-08 an expression that would backtrack for ever does not", (store) => {
    plant(store, { "/w/f": `${"a".repeat(40)}!\n`.repeat(2_000) });
    expect(lines(grepPage(store, "(a+)+$", "/w", { regex: true }))).toEqual([]);
    expect(lines(grepPage(store, "(a|aa)+!$", "/w", { regex: true, limit: 1 }))).toHaveLength(1);
  });

  on("Q-10 tells a search of no files from a search without matches", (store) => {
    plant(store, { "/w/a.ts": "x", "/w/d/b.ts": "needle", "/w/d/b.md": "needle", "/w/empty.ts": "" });
    expect(grepPage(store, "needle", "/w", { include: "*.rs" })).toEqual({
      matches: [],
      filesSearched: 0,
      binaryFiles: 0,
      done: true,
    });
    expect(grepPage(store, "nothing", "/w", { include: "*.ts" }).filesSearched).toBe(3);
    expect(lines(grepPage(store, "needle", "/w", { include: "*.ts" }))).toEqual(["d/b.ts:1:needle"]);
    expect(lines(grepPage(store, "needle", "/w", { include: "d/*" }))).toEqual(["d/b.md:1:needle", "d/b.ts:1:needle"]);
    expect(lines(grepPage(store, "needle", "/w", { include: "d/*", exclude: ["*.md"] }))).toEqual(["d/b.ts:1:needle"]);
    expect(grepPage(store, "needle", "/w/d/b.ts", { include: "*.md" }).filesSearched).toBe(0);
    expect(grepPage(store, "needle", "/w", { exclude: ["d"] }).filesSearched).toBe(2);
  });

  on("pages over files, and stops reading once the page is full", (store) => {
    const tree: Record<string, string> = {};
    for (let i = 10; i < 30; i++) tree[`/w/f${i}`] = "needle\nother\nneedle\n";
    plant(store, tree);
    const all = lines(grepPage(store, "needle", "/w"));
    expect(all.length).toBe(40);
    expect(lines(grepPage(store, "needle", "/w", { offset: 5, limit: 4 }))).toEqual(all.slice(5, 9));
    expect(grepPage(store, "needle", "/w", { limit: 3 })).toMatchObject({ filesSearched: 2, done: false });
    expect(grepPage(store, "needle", "/w", { limit: 0 }).matches).toEqual([]);
    expect(grepPage(store, "needle", "/w", { limit: 41 }).done).toBe(true);
  });

  on("searches a linked path that is named, and none that is met", (store) => {
    plant(store, { "/w/real/f": "needle" });
    symlink(store, "real", "/w/alias");
    expect(lines(grepPage(store, "needle", "/w"))).toEqual(["real/f:1:needle"]);
    expect(lines(grepPage(store, "needle", "/w/alias"))).toEqual(["alias/f:1:needle"]);
    expect(lines(grepPage(store, "needle", "/w/alias/f"))).toEqual(["alias/f:1:needle"]);
  });

  on("a byte order mark is no part of the first line, bytes that are not UTF-8 are no hindrance", (store) => {
    const bytes = new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xff, 0x62, 0x0a, 0xe6, 0x9d, 0xb1]);
    plant(store, { "/w/f": bytes });
    expect(lines(grepPage(store, "^a.b$", "/w", { regex: true }))).toEqual(["f:1:a\ufffdb"]);
    expect(lines(grepPage(store, "東", "/w"))).toEqual(["f:2:東"]);
  });
}

function testLongLines(on: On): void {
  on("Q-07 a long line comes as a window around the match", (store) => {
    const half = "é".repeat(150_000);
    plant(store, { "/w/f": `short\n${half}needle${half}\nneedle\n` });
    const { matches } = grepPage(store, "needle", "/w/f", { context: 1 });
    expect(matches.map(({ line }) => line)).toEqual([2, 3]);
    const [long, short] = matches;
    expect(long).toMatchObject({ column: 150_001, truncated: true });
    expect(long?.text).toContain("éneedleé");
    expect(new TextEncoder().encode(long?.text).length).toBeLessThanOrEqual(4_096);
    expect(new TextEncoder().encode(JSON.stringify(matches)).length).toBeLessThan(20_000);
    expect(short).not.toHaveProperty("column");
    expect(short?.context?.map(({ truncated }) => truncated)).toEqual([true, undefined]);
  });

  on("the window never cuts a character in two", (store) => {
    plant(store, { "/w/f": `${"\u{1f600}".repeat(3_000)}needle${"\u{1f600}".repeat(3_000)}` });
    for (const pattern of ["needle", "\u{1f600}n", "e\u{1f600}"]) {
      const text = grepPage(store, pattern, "/w/f").matches[0]?.text ?? "";
      expect(text).toContain(pattern);
      expect(text.isWellFormed()).toBe(true);
    }
  });

  const MIB = 1024 * 1024;
  on("a line of many pieces is searched to its end", (store) => {
    const piece = "x".repeat(MIB);
    plant(store, { "/w/f": `first\r\n${piece}needle${piece}tail\r\nneedle\n` });
    const at = (pattern: string) =>
      grepPage(store, pattern, "/w/f", { regex: true }).matches.map(({ line, column }) => [line, column]);
    expect(at("needle")).toEqual([
      [2, MIB + 1],
      [3, undefined],
    ]);
    expect(at("need.ex")).toEqual([[2, MIB + 1]]);
    expect(at("tail$")).toEqual([[2, 2 * MIB + 7]]);
    expect(at("^x")).toEqual([[2, 1]]);
    expect(at("xneedle.*l$")).toEqual([]);
    expect(at("^needle|^tail|x$")).toEqual([[3, undefined]]);
    expect(at("e.*")).toEqual([
      [2, MIB + 2],
      [3, undefined],
    ]);
    expect(grepPage(store, "xneedlex", "/w/f").matches.map(({ column }) => column)).toEqual([MIB]);
  });

  on("matches across chunk borders, wherever they fall", (store) => {
    const border = 256 * 1024;
    for (const shift of [-5, -3, -1, 0, 1]) {
      const before = "line\n".repeat(border / 5).slice(0, border + shift - 1);
      plant(store, { "/w/f": `${before}\nné東dle\nmore\n` });
      const { matches } = grepPage(store, "né東dle", "/w/f", { context: 1 });
      expect(matches.map(({ context }) => context?.map(({ text }) => text).slice(1))).toEqual([["né東dle", "more"]]);
      expect(matches[0]?.line).toBe(before.split("\n").length + 1);
    }
  });
}

function testBadInput(on: On): void {
  on("is refused by name", (store) => {
    plant(store, { "/w/f": "x" });
    const grep =
      (pattern: string, options: GrepOptions = {}) =>
      () =>
        grepPage(store, pattern, "/w", options);
    const regex = (pattern: string) => grep(pattern, { regex: true });
    expect(regex("[")).toThrowError(
      "EINVAL: not a regular expression in RE2 syntax: missing closing ]: `[`, grep '/w'",
    );
    expect(regex("a(?=b)")).toThrowError(/^EINVAL: look-ahead \(\(\?=\) is not part of/);
    expect(regex("a(?!b)")).toThrowError(/^EINVAL: look-ahead/);
    expect(regex("(?<=a)b")).toThrowError(/^EINVAL: look-behind/);
    expect(regex("(?<!a)b")).toThrowError(/^EINVAL: look-behind/);
    expect(regex("(a)\\1")).toThrowError(/^EINVAL: a back-reference \(\\1\)/);
    expect(regex("(?<n>a)\\k<n>")).toThrowError(/^EINVAL: a back-reference/);
    expect(regex("(?>a)")).toThrowError(/^EINVAL: an atomic group/);
    expect(regex("a++")).toThrowError(/^EINVAL: a possessive quantifier/);
    expect(regex("(\\w{100}){11}")).toThrowError(/^EINVAL: .*invalid repeat count/);
    expect(regex("(\\w\\d){900}(\\w\\d){900}")).toThrowError(/^EINVAL: the regular expression is too large/);
    expect(grep("a\nb")).toThrowError(/^EINVAL: a match lies in one line/);
    expect(grep("a", { context: -1 })).toThrowError(/^EINVAL: context must be/);
    expect(grep("a", { context: 1_001 })).toThrowError(/^EINVAL: context may be at most 1000/);
    expect(grep("a", { limit: 1.5 })).toThrowError(/^EINVAL: limit must be/);
    expect(() => found(store, "*", { offset: Number.NaN })).toThrowError(/^EINVAL: offset must be .* find '\/w'/);
    expect(() => grepPage(store, "x", "/none")).toThrowError("ENOENT: no such file or directory, grep '/none'");
    expect(() => grepPage(store, "x", "/w/f/x")).toThrowError("ENOTDIR: not a directory, grep '/w/f/x'");
    expect(() => [...find(store, "/none")]).toThrowError("ENOENT: no such file or directory, find '/none'");
    expect(() => [...find(store, "/w/f")]).toThrowError("ENOTDIR: not a directory, find '/w/f'");
    expect(() => ls(store, "w")).toThrowError(/^EINVAL: the path must be absolute.*, ls 'w'/);
  });
}
