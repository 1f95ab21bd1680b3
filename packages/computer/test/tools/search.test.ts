import { describe, expect, test } from "vitest";
import { defineFind, defineGrep, defineList, type GrepOutput, type ListOutput } from "../../src/tools/core/index.ts";
import { files, output, type Success, told } from "./files.ts";

const { workspace, fs } = await files({
  "src/a.ts": "alpha\nbeta\ngamma\nbeta again\n",
  "src/deep/b.ts": "beta\n",
  "src/.hidden": "beta\n",
  "README.md": "# Title\n",
  "empty/keep": "",
});
const long = `${"x".repeat(300_000)}needle${"y".repeat(300_000)}`;

describe("ls", () => {
  const tool = defineList({ workspace });

  test("lists by name, in pages", async () => {
    await fs.symlink("a.ts", "/workspace/src/link");
    const first = await output(tool, { path: "src", limit: 2 });
    expect(first).toMatchObject({
      path: "/workspace/src",
      entries: [
        { name: ".hidden", type: "file", size: 5 },
        { name: "a.ts", type: "file", size: 28 },
      ],
      nextOffset: 2,
    });
    const rest = await output(tool, { path: "src", offset: 2 });
    expect(rest).toMatchObject({
      entries: [
        { name: "deep", type: "dir" },
        { name: "link", type: "symlink" },
      ],
    });
    expect(rest).not.toHaveProperty("nextOffset");
    expect(await told(tool, { path: "src", limit: 1 })).toMatch(
      /^\d{4}-\d\d-\d\dT\S+Z {9}5 \.hidden\n\[There is more: go on with offset=1\.\]$/,
    );
    await fs.rm("/workspace/src/link");
  });

  test("says what is empty, no directory, or not there", async () => {
    await fs.mkdir("/workspace/void");
    expect(await told(tool, { path: "void" })).toBe("/workspace/void has no entries.");
    expect(await told(tool, { path: "README.md" })).toContain("ENOTDIR");
    expect(await told(tool, { path: "nothing" })).toContain("ENOENT");
    await fs.rm("/workspace/void");
  });

  test("a page has 1,000 entries at most", async () => {
    for (let index = 0; index < 1_005; index++) await fs.mkdir(`/workspace/many/${index}`, { recursive: true });
    const page = (await output(tool, { path: "many", limit: 5_000 })) as Success<ListOutput>;
    expect([page.entries.length, page.nextOffset]).toEqual([1_000, 1_000]);
    expect((await output(tool, { path: "many" })) as object).toMatchObject({ nextOffset: 200 });
    await fs.rm("/workspace/many", { recursive: true });
  });
});

describe("find", () => {
  const tool = defineFind({ workspace });

  test.each(["**/*.ts", "/workspace/**/*.ts", "./**/*.ts"])("%s from the root", async (pattern) => {
    expect(await output(tool, { pattern })).toEqual({
      path: "/workspace",
      pattern,
      entries: [
        { path: "/workspace/src/a.ts", type: "file" },
        { path: "/workspace/src/deep/b.ts", type: "file" },
      ],
    });
  });

  test("in pages, directories marked", async () => {
    expect(await told(tool, { pattern: "*", path: "src", limit: 3 })).toBe(
      "/workspace/src/.hidden\n/workspace/src/a.ts\n/workspace/src/deep/",
    );
    expect(await output(tool, { pattern: "*", path: "src", limit: 1 })).toMatchObject({ nextOffset: 1 });
    expect(await told(tool, { pattern: "*.rs" })).toBe("Nothing under /workspace has a path like *.rs.");
    expect(await told(tool, { pattern: "*", path: "nothing" })).toContain("ENOENT");
  });
});

describe("grep", () => {
  const tool = defineGrep({ workspace });

  test("gives lines, in pages, with those around them", async () => {
    expect(await told(tool, { query: "beta", include: "*.ts" })).toBe(
      "/workspace/src/a.ts:2: beta\n/workspace/src/a.ts:4: beta again\n/workspace/src/deep/b.ts:1: beta",
    );
    expect(
      await output(tool, { query: "BETA$", regex: true, ignoreCase: true, limit: 1, path: "src/a.ts" }),
    ).toMatchObject({
      matches: [{ line: 2 }],
    });
    expect(await output(tool, { query: "beta", limit: 2 })).toMatchObject({ nextOffset: 2 });
    expect(await told(tool, { query: "gamma", context: 1 })).toBe(
      "/workspace/src/a.ts\n2- beta\n3: gamma\n4- beta again",
    );
  });

  test("Q-10 tells a search of no files from one without a match", async () => {
    const none = { path: "/workspace", query: "zeta", matches: [] };
    expect(await output(tool, { query: "zeta" })).toEqual(none);
    expect(await told(tool, { query: "zeta" })).toBe('0 matches for "zeta" in /workspace.');
    expect(await output(tool, { query: "beta", include: "*.rs" })).toMatchObject({ matches: [], filesSearched: 0 });
    expect(await told(tool, { query: "beta", include: "*.rs" })).toMatch(/^0 files searched/);
    expect(await output(tool, { query: "zeta", path: "src/a.ts" })).not.toHaveProperty("filesSearched");
    expect(await output(tool, { query: "zeta", path: "src/a.ts", include: "*.ts" })).not.toHaveProperty(
      "filesSearched",
    );
    expect(await output(tool, { query: "zeta", path: "src/a.ts", include: "*.md" })).toMatchObject({
      filesSearched: 0,
    });
    await fs.mkdir("/workspace/void/deeper", { recursive: true });
    expect(await output(tool, { query: "zeta", path: "void" })).toMatchObject({ filesSearched: 0 });
    await fs.rm("/workspace/void", { recursive: true });
  });

  test("Q-07 shows of a long line the part around the match, and all of a result stays small", async () => {
    await fs.writeFile("/workspace/long.txt", `first\n${long}\n`);
    const { matches } = (await output(tool, { query: "needle", path: "long.txt" })) as Success<GrepOutput>;
    expect(matches).toEqual([
      {
        path: "/workspace/long.txt",
        line: 2,
        text: expect.stringContaining("needle"),
        truncated: true,
        column: 300_001,
      },
    ]);
    expect(matches[0]?.text.length).toBeLessThanOrEqual(4_096);
    await fs.writeFile("/workspace/long.txt", `${long}\n`.repeat(30));
    const said = await told(tool, { query: "needle", path: "long.txt" });
    expect(said.length).toBeLessThan(72 * 1024);
    expect(said).toContain("[part of a long line, the match at column 300001]");
    const page = (await output(tool, { query: "needle", path: "long.txt" })) as Success<GrepOutput>;
    const next = (await output(tool, { query: "needle", path: "long.txt", offset: page.nextOffset })) as typeof page;
    expect(page.matches.length + next.matches.length).toBe(30);
    expect(next.matches[0]?.line).toBe(page.matches.length + 1);
    await fs.rm("/workspace/long.txt");
  });

  test("says what is wrong with an expression, and of a path that is not there", async () => {
    expect(await told(tool, { query: "(?<=a)b", regex: true })).toContain("EINVAL");
    expect(await told(tool, { query: "a", path: "nothing" })).toContain("ENOENT");
  });
});
