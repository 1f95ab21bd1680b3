/** What a PDF shows, and what Markdown has for headings, so that the two can be compared. */

import { execFileSync } from "node:child_process";

/** The text of all pages. */
export function pdfText(pdf: Uint8Array): string {
  return execFileSync("pdftotext", ["-", "-"], { input: pdf, encoding: "utf8" });
}

/** How many images there are on all pages. */
export function pdfImages(pdf: Uint8Array): number {
  const table = execFileSync("pdfimages", ["-list", "-"], { input: pdf, encoding: "utf8" });
  return table.split("\n").filter((line) => /^\s*\d+\s+\d+\s+image\b/.test(line)).length;
}

/** The letters and digits of a text: what line breaks, ligatures and quotation marks leave the same. */
export function letters(text: string): string {
  return text.normalize("NFKC").replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** The headings of a Markdown text, without their markup. */
export function headings(markdown: string): string[] {
  const text = markdown.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, "");
  return [...text.matchAll(/^#{1,6} +(.+?) *#*$/gm)].map((match) =>
    match[1]!.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/<[^>]+>/g, ""),
  );
}
