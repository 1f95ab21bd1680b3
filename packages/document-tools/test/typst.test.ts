/** The command typst, as it is run on a computer. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pdfText, run, workFolder } from "./commands.ts";

describe("typst compile", { timeout: 120_000 }, () => {
  test("makes a PDF beside the input, with values from the command line and files under the root", async () => {
    const folder = workFolder({ "shared.typ": "#let name = [Shared part]" });
    mkdirSync(join(folder, "doc"));
    writeFileSync(join(folder, "doc/in.typ"), '#import "/shared.typ": name\n#name, #sys.inputs.who');
    const result = await run("typst", ["compile", "--root", ".", "--input", "who=Ada = L", "doc/in.typ"], folder);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(pdfText(join(folder, "doc/in.pdf"))).toContain("Shared part, Ada = L");
  });

  test("reads standard input, writes standard output and SVG", async () => {
    const folder = workFolder();
    const pdf = await run("typst", ["compile", "-", "-"], folder, "Hello");
    expect(pdf.stdout.toString("latin1", 0, 5)).toBe("%PDF-");
    expect(await run("typst", ["c", "-", "out.svg"], folder, "Hello")).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(join(folder, "out.svg"), "utf8")).toMatch(/^<svg /);
  });

  test("says where a mistake is, exits with 1 and leaves the output as it was", async () => {
    const folder = workFolder({ "in.typ": "Fine.\n\n  #nope(1)\n", "in.pdf": "old" });
    const long = await run("typst", ["compile", "in.typ"], folder);
    expect(long.code).toBe(1);
    expect(long.stderr).toContain("error: unknown variable: nope\n  ┌─ in.typ:3:4\n");
    const short = await run("typst", ["compile", "--diagnostic-format=short", "in.typ"], folder);
    expect(short).toMatchObject({ code: 1, stderr: "in.typ:3:4: error: unknown variable: nope\n" });
    expect(readFileSync(join(folder, "in.pdf"), "utf8")).toBe("old");
    expect(readdirSync(folder).sort()).toEqual(["in.pdf", "in.typ"]);
  });

  test.each([
    ["compile nope.typ", 1, "error: input file not found (searched at nope.typ)"],
    ["compile in.typ out.png", 1, "error: could not infer output format for path out.png"],
    ["compile two.typ out.svg", 1, "error: the document has 2 pages"],
    ["compile", 2, "<INPUT>"],
    ["compile in.typ --pages 1", 2, "error: the option '--pages' is not supported by this build of typst"],
    ["compile in.typ --bogus", 2, "error: unexpected argument '--bogus' found"],
    ["compile in.typ --input novalue", 2, "error: invalid value 'novalue' for '--input'"],
    ["watch in.typ", 2, "error: the command 'watch' is not supported by this build of typst"],
    ["bogus", 2, "error: unrecognized subcommand 'bogus'"],
  ])("refuses: typst %s", async (args, code, stderr) => {
    const folder = workFolder({ "in.typ": "Text", "two.typ": "One#pagebreak()Two" });
    const result = await run("typst", args.split(" "), folder);
    expect(result.stderr).toContain(stderr);
    expect(result.code).toBe(code);
    expect(readdirSync(folder).sort()).toEqual(["in.typ", "two.typ"]);
  });

  test("names its version and the fonts it comes with", async () => {
    const folder = workFolder();
    expect((await run("typst", ["--version"], folder)).stdout.toString()).toMatch(/^typst \d+\.\d+\.\d+\n$/);
    const fonts = (await run("typst", ["fonts"], folder)).stdout.toString().split("\n");
    for (const name of [
      "Libertinus Serif",
      "DejaVu Sans Mono",
      "Noto Sans S Chinese",
      "Noto Sans Korean",
      "Noto Emoji",
    ]) {
      expect(fonts).toContain(name);
    }
  });
});
