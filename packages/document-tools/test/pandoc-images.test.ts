/** Pictures on their way into a PDF. */

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pdfImageCount, pdfLinks, pdfText, run, workFolder } from "./commands.ts";
import { gif, png, svg, webp } from "./pictures.ts";

describe("pictures in a PDF", { timeout: 120_000 }, () => {
  test("PNG, JPEG, GIF, WebP, SVG, data URIs and HTML's img are shown", async () => {
    const folder = workFolder({ "a.png": png(10), "b c.png": png(90), "d.gif": gif, "e.webp": webp, "f.svg": svg });
    await run("pandoc", ["-o", "page.pdf"], folder, "page");
    execFileSync("pdftoppm", ["-jpeg", "-r", "4", "-singlefile", "page.pdf", "g"], { cwd: folder });
    const data = `data:image/png;base64,${png(200).toString("base64")}`;
    const markdown = [
      "![A caption](a.png){width=50%}",
      '<p align="center"><img src="b%20c.png" width="20" alt="b"></p>',
      "text ![](d.gif) ![](e.webp) ![](f.svg) ![](g.jpg) and",
      `![](${data}) [![linked](a.png)](https://example.com/)`,
    ].join("\n\n");
    const result = await run("pandoc", ["-o", "out.pdf"], folder, markdown);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    // A PDF holds each picture once, however often it is shown; pdfimages lists each showing, vector pictures never.
    expect(pdfImageCount(join(folder, "out.pdf"))).toBe(7);
    expect(pdfText(join(folder, "out.pdf"))).toContain("A caption");
    expect(pdfLinks(join(folder, "out.pdf"))).toEqual(["https://example.com/"]);
    expect(readdirSync(folder).sort()).toEqual(
      ["a.png", "b c.png", "d.gif", "e.webp", "f.svg", "g.jpg", "out.pdf", "page.pdf"].sort(),
    );
  });

  test("remote ones become their description and link, without a warning", async () => {
    const folder = workFolder();
    const markdown = [
      "[![build badge](https://ci.example/badge.svg)](https://ci.example/) ![](https://img.example/down-loads.png?x=1)",
      "![A remote figure](https://img.example/figure.png)",
      '<a href="https://site.example/"><img src="//img.example/logo.png" alt="the logo"></a>',
    ].join("\n\n");
    expect(await run("pandoc", ["-o", "out.pdf"], folder, markdown)).toMatchObject({ code: 0, stderr: "" });
    expect(
      pdfText(join(folder, "out.pdf"))
        .trim()
        .split(/\s*\n\s*/),
    ).toEqual(["build badge down loads", "A remote figure", "the logo", "1"]);
    expect(pdfLinks(join(folder, "out.pdf"))).toEqual([
      "https://ci.example/",
      "https://img.example/down-loads.png?x=1",
      "https://img.example/figure.png",
      "https://site.example/",
    ]);
  });

  test("missing and unreadable ones become their description, with a warning that names them", async () => {
    const folder = workFolder({ "good.png": png(1), "broken.png": png(2).subarray(0, 40), "photo.bmp": "BM none" });
    const markdown = "![gone](gone.png) x ![torn (a \\) b)](broken.png) ![ok](good.png) ![](photo.bmp)\n";
    const result = await run("pandoc", ["-o", "out.pdf"], folder, markdown);
    expect(result.code).toBe(0);
    expect(result.stderr.trim().split("\n").sort()).toEqual([
      "[WARNING] Could not fetch resource gone.png: replacing image with description",
      "[WARNING] Could not show image broken.png: replacing image with description",
      "[WARNING] Could not show image photo.bmp: replacing image with description",
    ]);
    expect(pdfText(join(folder, "out.pdf"))).toMatch(/gone x torn \(a \) b\)\s+photo\.bmp/);
    expect(pdfImageCount(join(folder, "out.pdf"))).toBe(1);
  });

  test("they are looked for in the current folder, or along --resource-path, as pandoc does", async () => {
    const folder = workFolder({ "a.png": png(5), "doc.md": "![one](a.png) and text\n" });
    mkdirSync(join(folder, "docs"));
    renameSync(join(folder, "doc.md"), join(folder, "docs/doc.md"));
    expect(await run("pandoc", ["docs/doc.md", "-o", "out.pdf"], folder)).toMatchObject({ code: 0, stderr: "" });
    expect(pdfImageCount(join(folder, "out.pdf"))).toBe(1);
    renameSync(join(folder, "a.png"), join(folder, "docs/a.png"));
    expect((await run("pandoc", ["docs/doc.md", "-o", "out.pdf"], folder)).stderr).toContain("a.png");
    const args = ["--resource-path=.:docs", "docs/doc.md", "-o", "out.pdf"];
    expect(await run("pandoc", args, folder)).toMatchObject({ code: 0, stderr: "" });
    expect(pdfImageCount(join(folder, "out.pdf"))).toBe(1);
  });
});
