import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { sh, shellQuote } from "../src/runtime/shell-quote.ts";
import { shellWords } from "../src/testing/shell-words.ts";

const ODD = [
  "",
  " ",
  "a b",
  "it's",
  "''",
  '"',
  "$HOME",
  "`id`",
  "\\",
  "a\nb",
  "*",
  "~",
  "-n",
  "é東",
  "!x",
  "#",
  ";",
  "a&b",
  "(x)",
  "{a,b}",
];

/** The words that a real shell makes of a command's arguments. */
function words(args: string): string[] {
  const output = execFileSync("/bin/sh", ["-c", `printf '%s\\0' ${args}`]);
  return output.toString().split("\0").slice(0, -1);
}

test("a quoted word is one word, the same, to a real shell", () => {
  expect(words(ODD.map(shellQuote).join(" "))).toEqual(ODD);
});

test("a template quotes words, numbers and lists, and leaves raw text alone", () => {
  const command = sh`printf '%s\\0' ${"a b"} ${3} ${["x y", 4]} ${{ raw: "$((1 + 1))" }}`;
  expect(execFileSync("/bin/sh", ["-c", command]).toString().split("\0").slice(0, -1)).toEqual([
    "a b",
    "3",
    "x y",
    "4",
    "2",
  ]);
  expect(sh`ls ${[]}`).toBe("ls ");
});

test("plain words stay as they are", () => {
  expect(sh`cp ${"a/b-c_d.txt"} ${"/x"}`).toBe("cp a/b-c_d.txt /x");
});

test("what no shell could take is refused", () => {
  expect(() => shellQuote("a\0b")).toThrow(TypeError);
  expect(() => sh`ls ${{} as never}`).toThrow(/strings, numbers/);
});

test("the words of the computer in memory are those of a shell", () => {
  const line = ODD.map(shellQuote).join(" ");
  expect(shellWords(line)).toEqual(ODD);
  expect(shellWords(`a "b c" d\\ e "f\\"g" ''`)).toEqual(words(`a "b c" d\\ e "f\\"g" ''`));
});
