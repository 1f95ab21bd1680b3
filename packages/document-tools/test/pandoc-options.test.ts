/** Options of the command pandoc, as it is run on a computer. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  FLAG_OPTIONS,
  OPTIONAL_VALUE_OPTIONS,
  parsePandocArguments,
  UNREADABLE,
  VALUE_OPTIONS,
} from "../src/pandoc/options.ts";
import { pdfText, run, workFolder } from "./commands.ts";

describe("the command line", () => {
  test("options are read as pandoc reads them", () => {
    const words = [
      "a.md",
      "-so",
      "x.pdf",
      "-o",
      "y.pdf",
      "--out=z.pdf",
      "-Vfontsize=12pt",
      "-Cr",
      "gfm",
      "--",
      "-b.md",
    ];
    expect(parsePandocArguments(words).map(({ option, value }) => [option, value])).toEqual([
      [undefined, "a.md"],
      ["standalone", "o"],
      [undefined, "x.pdf"],
      ["output", "y.pdf"],
      ["output", "z.pdf"],
      ["variable", "fontsize=12pt"],
      ["citeproc", undefined],
      ["from", "gfm"],
      [undefined, "-b.md"],
    ]);
  });

  test("an unknown, an ambiguous and an unfinished option are left to pandoc", () => {
    expect(parsePandocArguments(["--bogus", "--e", "-o"]).map(({ option }) => option)).toEqual(
      Array(3).fill(UNREADABLE),
    );
  });

  test("the options known are those that pandoc lists", { timeout: 120_000 }, async () => {
    const { stdout } = await run("pandoc", ["--help"], workFolder());
    const listed = [...stdout.toString().matchAll(/--([a-z-]+)(\[?=)?/g)];
    const named = (suffix: string | undefined): string[] =>
      listed.filter((match) => match[2] === suffix).map((match) => match[1] ?? "");
    expect([...VALUE_OPTIONS].sort()).toEqual(named("=").sort());
    expect([...OPTIONAL_VALUE_OPTIONS].sort()).toEqual(named("[=").sort());
    expect([...FLAG_OPTIONS].sort()).toEqual(named(undefined).sort());
  });
});

describe("a PDF", { timeout: 120_000 }, () => {
  test("holds several inputs in their order, metadata, contents and section numbers", async () => {
    const folder = workFolder({
      "one.md": "# Alpha\n\nFirst text.\n",
      "two.md": "## Beta\n\nSecond text, $placeholder$.\n",
      "meta.yaml": "author: Ada Lovelace\nlang: en\n",
    });
    const options =
      "--toc --toc-depth=2 -N -M date=2026-11-29 --metadata-file meta.yaml -V fontsize=12pt -V papersize=a4";
    const args = [
      ...options.split(" "),
      "-M",
      "title=A Title",
      "--pdf-engine=typst",
      "-o",
      "out.pdf",
      "one.md",
      "two.md",
    ];
    const result = await run("pandoc", args, folder);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const text = pdfText(join(folder, "out.pdf"));
    for (const part of ["A Title", "Ada Lovelace", "2026-11-29", "Contents"]) expect(text).toContain(part);
    expect(text).toMatch(/1 Alpha[\s\S]*1\.1 Beta[\s\S]*1 Alpha\s+First text\.[\s\S]*1\.1 Beta\s+Second text/);
    expect(readdirSync(folder).sort()).toEqual(["meta.yaml", "one.md", "out.pdf", "two.md"]);
  });

  test("comes from standard input, goes to standard output, and into a folder that is not there yet", async () => {
    const folder = workFolder();
    const piped = await run("pandoc", ["-f", "html", "-t", "pdf", "-o", "-"], folder, "<h1>Piped</h1>");
    expect(piped).toMatchObject({ code: 0, stderr: "" });
    expect(piped.stdout.toString("latin1", 0, 5)).toBe("%PDF-");
    const result = await run("pandoc", ["-o", "deep/er/out.pdf"], folder, "# Piped\n");
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(pdfText(join(folder, "deep/er/out.pdf"))).toContain("Piped");
  });

  test("follows a defaults file, a template and the document's own header", async () => {
    const folder = workFolder({
      "set.yaml": "output-file: from-defaults.pdf\npdf-engine: typst\nmetadata:\n  title: Set\n",
      "a.md": '---\nheader-includes: |\n  `#let greeting = "Good day"`{=typst}\n---\n\n`#greeting`{=typst}\n',
      "plain.typ": "TEMPLATE $body$",
    });
    expect(await run("pandoc", ["-d", "set", "a.md"], folder)).toMatchObject({ code: 0, stderr: "" });
    expect(pdfText(join(folder, "from-defaults.pdf"))).toMatch(/Set\s+Good day/);
    const args = ["--template", "plain.typ", "-o", "t.pdf"];
    expect(await run("pandoc", args, folder, "text")).toMatchObject({ code: 0, stderr: "" });
    expect(pdfText(join(folder, "t.pdf"))).toContain("TEMPLATE text");
  });

  test("links to anchors that are spelled otherwise or missing, and names with @, do no harm", async () => {
    const folder = workFolder({
      "a.md": "# One & Two!\n\n[found](#one--two) [lost](#nowhere) [empty]() asked @someone and [@else]\n",
    });
    expect(await run("pandoc", ["a.md", "-o", "a.pdf"], folder)).toMatchObject({ code: 0, stderr: "" });
    expect(pdfText(join(folder, "a.pdf"))).toContain("found lost empty asked @someone and [@else]");
  });

  test("text in many scripts comes out as it went in", async () => {
    const words = ["Zoë", "Ελληνικά", "Русский", "中文", "日本語", "한국어", "😀", "🚀", "✅"];
    const folder = workFolder({ "a.md": `# ${words.join(" ")}\n\n\`${words.join(" ")}\`\n` });
    expect(await run("pandoc", ["a.md", "-o", "a.pdf"], folder)).toMatchObject({ code: 0, stderr: "" });
    const found = pdfText(join(folder, "a.pdf")).split(/\s+/);
    for (const word of words)
      expect(
        found.filter((other) => other === word),
        word,
      ).toHaveLength(2);
  });
});

describe("other output", { timeout: 120_000 }, () => {
  test("is pandoc's own: formats, wrapping, highlighting, versions and lists", async () => {
    const folder = workFolder({ "a.md": "# T\n\none two three four\n" });
    const plain = await run("pandoc", ["a.md", "-t", "plain", "--wrap=auto", "--columns=10"], folder);
    expect(plain.stdout.toString()).toBe("T\n\none two\nthree four\n");
    expect(await run("pandoc", ["a.md", "-s", "-M", "title=é", "-o", "a.html"], folder)).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, "a.html"), "utf8")).toContain("<title>é</title>");
    expect((await run("pandoc", ["--version"], folder)).stdout.toString()).toMatch(/^pandoc 3\.\d+/);
    const formats = (await run("pandoc", ["--list-input-formats"], folder)).stdout.toString().split("\n");
    expect(formats).toContain("commonmark_x");
    expect(readdirSync(folder).sort()).toEqual(["a.html", "a.md"]);
  });
});
