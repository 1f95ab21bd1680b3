import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Glob } from "../../src/search/glob.ts";

/** Whether a path under the walk's root matches. */
function matches(pattern: string, path: string, anyDepth = false): boolean {
  return path.split("/").reduce((glob, name) => glob.enter(name), Glob.parse(pattern, { anyDepth })).file;
}

const PATHS = [
  ..."a b c ab ba abc a1 a-b a.ts b.ts .a .ab {a} {} a{b a}b [a] [a a] a\\b -- ! ^a a,b é ünder A Z _x".split(" "),
  ..."x/a.ts x/y/a.ts x/y/z/a.ts x/.cfg/a x/a y/a y/b.ts .cfg/x.md src/a.ts src/b.tsx a.b.c.d".split(" "),
  "*",
  "a b",
  "?x",
  "a*b",
];

const PATTERNS = [
  ..."* ** ? ?? a* *b *.ts ?.ts **/*.ts **/a.ts x/**/a.ts */a.ts x/** **/a x/*/** **/**/a.ts ** .* .cfg/** **/.cfg/**".split(
    " ",
  ),
  ..."[ab] [!ab] [^ab] []a] [!]a] [a-c] [c-a] [a\\-c] [[:alpha:]] [[:digit:]a] a[[:digit:]] [a [ [] [!] a[ [\\]] [-a] [a-]".split(
    " ",
  ),
  ..."{a,b} {a,b}.ts *.{ts} *.{ts,tsx} {a} {} {a,b{c,1}} {1..3} a{1..3} {a..c} a{,b} {x/,}a.ts {x,y}/a {a,b a,b} {a,{b,c}}.ts".split(
    " ",
  ),
  ..."a\\*b \\* \\? \\[a\\] \\{a\\} \\a a\\\\b {a\\,b,c} \\{a,b\\} **a a** a**c x**/a.ts x/**.ts **b/a a+b !a !(a) ^a".split(
    " ",
  ),
  ...'a(b) a|b "a" $a #a ~ -- [[.a.]] [a[:digit:]-] [[:alpha:]-z] *[!.]* [[:upper:]] [[:punct:]]* [![:alnum:]]*'.split(
    " ",
  ),
];

/** What bash itself makes of a pattern in the directory; its own directory, which `x/**` names too, left out. */
function bash(directory: string, patterns: readonly string[]): string[][] {
  const script = patterns
    .map((pattern) => {
      const word = pattern.replace(/[^\w*?[\]{},./!^:=\\-]/g, "\\$&");
      return `printf '%s\\0' ${word}; printf '\\n\\0'`;
    })
    .join("\n");
  const options =
    "shopt -s globstar dotglob nullglob; shopt -u extglob nocaseglob; set -f +H; set +f; LC_ALL=C.UTF-8\n";
  const out = execFileSync("bash", ["--norc", "-c", options + script], { cwd: directory, encoding: "utf8" });
  return out
    .split("\n\0")
    .slice(0, -1)
    .map((found) => [...new Set(found.split("\0").filter((path) => PATHS.includes(path)))].sort());
}

describe("a glob beside bash", () => {
  let directory = "";
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "glob-"));
    for (const path of PATHS) {
      mkdirSync(join(directory, dirname(path)), { recursive: true });
      writeFileSync(join(directory, path), "");
    }
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  test("each pattern of the list finds the same files", () => {
    const expected = bash(directory, PATTERNS);
    const found = PATTERNS.map((pattern) => PATHS.filter((path) => matches(pattern, path)).sort());
    expect(Object.fromEntries(PATTERNS.map((pattern, i) => [pattern, found[i]]))).toEqual(
      Object.fromEntries(PATTERNS.map((pattern, i) => [pattern, expected[i]])),
    );
  });

  test("so do patterns put together at random", () => {
    const piece = fc.constantFrom(
      ..."a b c x y . / * ? ** [ ] [ab] [!a] { } , {a,b} {a,} {1..3} \\ - ! ts md **/".split(" "),
    );
    const pattern = fc
      .array(piece, { minLength: 1, maxLength: 7 })
      .map((pieces) => pieces.join(""))
      // A leading slash names the machine's own root for bash, and `..` leaves the directory.
      .filter((text) => !/\\$|^\/|\/\/|\.\.?(\/|$)|[{,}]\//.test(text));
    const patterns = fc.sample(pattern, { numRuns: 400, seed: 7 });
    const expected = bash(directory, patterns);
    for (const [i, text] of patterns.entries()) {
      const found = PATHS.filter((path) => matches(text, path)).sort();
      expect([text, found]).toEqual([text, expected[i]]);
    }
  });
});

test("`**` at the end needs something below it", () => {
  expect(matches("x/**", "x")).toBe(false);
  expect(matches("x/**", "x/y/z")).toBe(true);
});

test("a name at any depth, unless a slash ties it to a place", () => {
  expect(["m", "a/m", "a/b/m"].map((path) => matches("m", path, true))).toEqual([true, true, true]);
  expect(["m", "a/m"].map((path) => matches("/m", path, true))).toEqual([true, false]);
  expect(["m", "a/m"].map((path) => matches("./m", path, true))).toEqual([true, false]);
  expect(["a/m", "x/a/m"].map((path) => matches("a/m", path, true))).toEqual([true, false]);
});

test("a slash at the end asks for a directory", () => {
  const place = Glob.parse("a*/").enter("abc");
  expect([place.file, place.directory]).toEqual([false, true]);
});

test("says which names can still match", () => {
  const src = Glob.parse("{src/a.ts,src/b.ts,lib/*}");
  expect(src.names).toEqual(new Set(["src", "lib"]));
  expect(src.enter("src").names).toEqual(new Set(["a.ts", "b.ts"]));
  expect(src.enter("lib").names).toBeUndefined();
  expect(src.enter("other").names?.size).toBe(0);
  expect(Glob.parse("x/**").enter("x").below).toBe(true);
});

test("stars and braces without number cost no more than their length", () => {
  const stars = Glob.parse(`${"*a".repeat(40)}*b`);
  expect(stars.enter("a".repeat(255)).file).toBe(false);
  const globstars = Glob.parse(`${"**/a/".repeat(60)}b`);
  let place = globstars;
  for (let i = 0; i < 500; i++) place = place.enter("a");
  expect(place.enter("b").file).toBe(true);
  expect(() => Glob.parse("{a,b}".repeat(40))).toThrowError(/EINVAL: .* at most 1000 alternatives/);
  expect(() => Glob.parse("x".repeat(5_000))).toThrowError(/EINVAL: .* at most 4096 characters/);
});
