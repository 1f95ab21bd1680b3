/** What a failing pandoc says and returns, and that it leaves the files as they were. */

import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { run, workFolder } from "./commands.ts";

const failures: readonly [name: string, args: string, code: number, stderr: string][] = [
  ["an unknown option", "a.md --bogus -o out.pdf", 6, "Unknown option --bogus."],
  ["a filter program", "a.md --filter prog -o out.pdf", 6, "Option --filter is not supported here"],
  ["an option without its value", "a.md -o out.pdf --from", 6, "--from"],
  [
    "a missing file",
    "nope.md -o out.pdf",
    1,
    "pandoc: nope.md: withBinaryFile: does not exist (No such file or directory)",
  ],
  ["an unknown input format", "a.md -f nope -o out.pdf", 21, "Unknown input format 'nope'"],
  ["an unknown output format", "a.md -t nope -o out.html", 22, "Unknown output format 'nope'"],
  ["a format that typst cannot take", "a.md -t html -o out.pdf", 4, "not compatible with output format html"],
  ["another engine", "a.md --pdf-engine=xelatex -o out.pdf", 47, "xelatex not found."],
  ["a document that typst refuses", "bad.md -o out.pdf", 43, "Error producing PDF.\nerror: unknown variable: nope"],
  ["a missing template", "a.md --template=nope -o out.pdf", 97, "Could not find data file"],
  ["a Lua filter that fails", "a.md -L bad.lua -o out.html", 83, "Error running filter 'bad.lua':\nbad.lua:1: no"],
];

describe("failures", { timeout: 120_000 }, () => {
  test.each(failures)("%s", async (_, args, code, stderr) => {
    const files = {
      "a.md": "# A\n",
      "bad.md": "# B\n\n`#nope`{=typst}\n",
      "bad.lua": "error('no')",
      "out.pdf": "old pdf",
      "out.html": "old html",
    };
    const folder = workFolder(files);
    const result = await run("pandoc", args.split(" "), folder);
    expect(result.stderr).toContain(stderr);
    expect(result.code).toBe(code);
    expect(result.stdout.toString()).toBe("");
    expect(readdirSync(folder).sort()).toEqual(Object.keys(files).sort());
    for (const [name, content] of Object.entries(files)) expect(readFileSync(join(folder, name), "utf8")).toBe(content);
  });

  test("an output that is a link changes the file it leads to", async () => {
    const folder = workFolder({ "real.html": "old" });
    symlinkSync("real.html", join(folder, "link.html"));
    expect(await run("pandoc", ["-o", "link.html"], folder, "new")).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(join(folder, "real.html"), "utf8")).toBe("<p>new</p>\n");
    expect(readdirSync(folder).sort()).toEqual(["link.html", "real.html"]);
  });
});
