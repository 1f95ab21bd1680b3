import { describe, expect, test } from "vitest";
import { checkNameLength, normalizePath, parsePath } from "../src/filesystem/path.ts";

describe("parsePath", () => {
  test.each([
    ["/", [], true],
    ["//", [], true],
    ["/..", [], true],
    ["/../../a", ["a"], false],
    ["/a//b/./c", ["a", "b", "c"], false],
    ["/a/b/../c", ["a", "c"], false],
    ["/a/", ["a"], true],
    ["/a/.", ["a"], true],
    ["/a/b/..", ["a"], true],
    ["/...", ["..."], false],
    ["/a b\n", ["a b\n"], false],
  ])("%j", (path, names, slash) => {
    expect(parsePath(path)).toEqual({ names, slash });
  });

  test.each(["", "a", "./a", "a/b", "\0", "/a\0b"])("%j is EINVAL", (path) => {
    expect(() => parsePath(path)).toThrow(expect.objectContaining({ code: "EINVAL" }));
  });

  test("normalizePath puts it together again", () => {
    expect(normalizePath("/a/./b//../c/")).toBe("/a/c");
    expect(normalizePath("/..")).toBe("/");
  });
});

describe("checkNameLength counts bytes of UTF-8", () => {
  test.each(["a".repeat(255), "é".repeat(127), "東".repeat(85), "😀".repeat(63), "\udc80".repeat(255)])(
    "%s fits",
    (name) => {
      expect(() => checkNameLength(name)).not.toThrow();
    },
  );

  test.each(["a".repeat(256), "é".repeat(128), "東".repeat(86), "😀".repeat(64), "\udc80".repeat(256)])(
    "%s is ENAMETOOLONG",
    (name) => {
      expect(() => checkNameLength(name)).toThrow(expect.objectContaining({ code: "ENAMETOOLONG" }));
    },
  );
});
