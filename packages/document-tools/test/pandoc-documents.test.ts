/** Real documents of other projects, as installed with this workspace. */

import { copyFileSync, readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { pdfLinks, pdfText, run, squeezed, workFolder } from "./commands.ts";

/** The headings of a Markdown text as a reader sees them. */
function headings(markdown: string): string[] {
  const prose = markdown.replace(/^(```+|~~~+)[\s\S]*?^\1/gm, "").replace(/<!--[\s\S]*?-->/g, "");
  return [...prose.matchAll(/^#{1,6} +(.+?) *#*$/gm)].map(([, heading = ""]) =>
    heading
      .replace(/<[^>]*>/g, "")
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/\\(.)|[`*]/g, "$1"),
  );
}

const documents: readonly [name: string, file: string, bytesAtLeast: number, headings: number, linksTo: string][] = [
  ["isomorphic-git", "README.md", 60_000, 20, "https://github.com/isomorphic-git/isomorphic-git/commits"],
  ["re2js", "README.md", 35_000, 40, "https://github.com/google/re2"],
  ["@biomejs/biome", "README.ja.md", 10_000, 9, "https://biomejs.dev/"],
];

describe("documents that were written for other renderers", { timeout: 120_000 }, () => {
  test.each(documents)("%s %s: every heading is in the PDF", async (name, file, bytes, count, link) => {
    const folder = workFolder();
    const source = join(dirname(findPackageJSON(name, import.meta.url) ?? ""), file);
    copyFileSync(source, join(folder, "in.md"));
    const markdown = readFileSync(source, "utf8");
    expect(Buffer.byteLength(markdown)).toBeGreaterThanOrEqual(bytes);
    const result = await run("pandoc", ["in.md", "-o", "out.pdf", "--pdf-engine=typst"], folder);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const text = squeezed(pdfText(join(folder, "out.pdf")));
    const wanted = headings(markdown);
    expect(wanted.length).toBe(count);
    expect(wanted.filter((heading) => !text.includes(squeezed(heading)))).toEqual([]);
    expect(pdfLinks(join(folder, "out.pdf")).some((address) => address.startsWith(link))).toBe(true);
  });
});
