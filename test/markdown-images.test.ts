/** Which images beside a Markdown file are sent along with it. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { collectMarkdown } from "../scripts/markdown-images.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "markdown-images-"));
  for (const path of [
    "docs/img/a.png",
    "docs/b c.svg",
    "docs/paren(1).png",
    "shared/logo.png",
    "shared/l (2).png",
    "other/logo.png",
  ]) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), path);
  }
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function collect(markdown: string): { markdown: string; images: Record<string, string>; missing: readonly string[] } {
  writeFileSync(join(folder, "docs", "page.md"), markdown);
  const { images, ...rest } = collectMarkdown(join(folder, "docs", "page.md"));
  return {
    ...rest,
    images: Object.fromEntries(images.map(({ path, base64 }) => [path, Buffer.from(base64, "base64").toString()])),
  };
}

test("images beside the file keep their place, however the text names them", () => {
  const markdown =
    '![one](img/a.png "title") ![two](./img/a.png) ![three](b%20c.svg)\n\n<img width=20 src="img/a.png">\n\n![four][x]\n\n[x]: img/a.png\n';
  const { images, missing, markdown: text } = collect(markdown);
  expect(images).toEqual({ "img/a.png": "docs/img/a.png", "b c.svg": "docs/b c.svg" });
  expect(missing).toEqual([]);
  expect(text.replaceAll("./img", "img")).toBe(markdown.replaceAll("./img", "img"));
});

test("images above the file get a place of their own, and the text follows them", () => {
  const { images, markdown } = collect(
    "![s](../shared/logo.png) and ![o](../other/logo.png) and ![s](../shared/logo.png)",
  );
  expect(images).toEqual({
    "images-from-above/logo.png": "shared/logo.png",
    "images-from-above/1-logo.png": "other/logo.png",
  });
  expect(markdown).toBe(
    "![s](images-from-above/logo.png) and ![o](images-from-above/1-logo.png) and ![s](images-from-above/logo.png)",
  );
});

test("paths with spaces and parentheses, alternative texts with brackets, and images in links are found", () => {
  const markdown =
    "![a](<b c.svg>)\n\n> ![[x] y](img/a.png)\n\n| p |\n|---|\n| ![p](paren(1).png) |\n\n<!-- <img src='img/none.png'> -->\n";
  expect(collect(markdown)).toEqual({
    markdown,
    images: { "b c.svg": "docs/b c.svg", "img/a.png": "docs/img/a.png", "paren(1).png": "docs/paren(1).png" },
    missing: [],
  });
  expect(collect('<p><img src="b c.svg"></p>\n').images).toEqual({ "b c.svg": "docs/b c.svg" });
  expect(collect("[![x](img/a.png)](paren(1).png)").images).toEqual({ "img/a.png": "docs/img/a.png" });
});

test("a path that is changed fits where it stood", () => {
  const { markdown, images } = collect("\ufeff- ![é](../shared/l%20(2).png) <img alt=x src='../shared/l (2).png'>\n");
  expect(images).toEqual({ "images-from-above/l (2).png": "shared/l (2).png" });
  const path = "images-from-above/l%20%282%29.png";
  expect(markdown).toBe(`- ![é](${path}) <img alt=x src='${path}'>\n`);
});

test("a directory with the name of an image, and a name that no file can have, are named as missing", () => {
  mkdirSync(join(folder, "docs", "folder.png"));
  const { images, missing } = collect(`![d](folder.png) ![n](a%00.png) ![u](img/a.png/b.png)`);
  expect(images).toEqual({});
  expect(missing).toEqual(["folder.png", "a\0.png", "img/a.png/b.png"]);
});

test("remote images, other files and what stands in code are left alone; what is not there is named", () => {
  const markdown =
    "![r](https://example.com/a.png) [l](page.md) `![c](img/a.png)`\n\n```md\n![c](img/a.png)\n```\n\n![m](img/none.png)\n";
  expect(collect(markdown)).toEqual({ markdown, images: {}, missing: ["img/none.png"] });
});
