/** What README and docs say is so: their code compiles, their links lead somewhere, their commands exist. */

import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");

const pages = globSync("{.,docs,docs/**,packages/*,examples/*,container}/*.md", { cwd: ROOT })
  .sort()
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

test("there are pages, a README among them", () => {
  expect(pages.map(({ path }) => path)).toContain("README.md");
});

test("every block of TypeScript in them type-checks", () => {
  // Inside the checkout, so that the packages are found by their names.
  const folder = join(ROOT, ".setup", "docs");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const blocks = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match) => ({
      name: `${path.replaceAll(/[^a-z0-9]+/gi, "-")}-line-${text.slice(0, match.index).split("\n").length}.ts`,
      code: match[1]!,
    })),
  );
  expect(blocks.length).toBeGreaterThan(0);
  for (const { name, code } of blocks) writeFileSync(join(folder, name), code);
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: "../../tsconfig.base.json",
      compilerOptions: {
        types: ["@cloudflare/workers-types", "node"],
        isolatedDeclarations: false,
        declaration: false,
      },
      include: ["*.ts"],
    }),
  );
  let complaints = "";
  try {
    execFileSync(join(ROOT, "node_modules", ".bin", "tsc"), ["-p", folder], { cwd: ROOT, encoding: "utf8" });
  } catch (error) {
    complaints = (error as { stdout: string }).stdout;
  }
  expect(complaints).toBe("");
}, 60_000);

test("every link between them leads to a file, and to a heading of it", () => {
  const broken = pages.flatMap(({ path, text }) =>
    [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) => {
      if (/^[a-z]+:/.test(target)) return [];
      const [file = "", heading] = target.split("#");
      const to = file === "" ? join(ROOT, path) : resolve(ROOT, dirname(path), file);
      if (!existsSync(to)) return [`${path}: ${target}`];
      if (heading === undefined || statSync(to).isDirectory()) return [];
      return headings(readFileSync(to, "utf8")).includes(heading) ? [] : [`${path}: ${target}`];
    }),
  );
  expect(broken).toEqual([]);
});

test("every npm script they name exists", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const named = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\bnpm (?:run ([a-z:]+)|(test)\b)/g)].map((match) => ({ path, script: match[1] ?? match[2]! })),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter(({ script }) => !(script in scripts))).toEqual([]);
});

test("docs/compatibility.md lists what is missing of the 0.8.0 API, and nothing that is there", () => {
  const page = pages.find(({ path }) => path === "docs/compatibility.md")!.text;
  const section = page.slice(page.indexOf("## Not there yet")).split(/^## /m)[1]!;
  const listed = [...section.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);
  const types = readFileSync(join(ROOT, "packages/computer/test/types/missing-0.8.0.ts"), "utf8");
  const members = [...types.matchAll(/Pick<\w+\.(\w+), "(\w+)">/g)].map(([, type, member]) => `${type}.${member}`);
  const names = [...types.matchAll(/(?:void|=) \w+\.(\w+);/g)].map((match) => match[1]!);
  expect(listed.filter((name) => !name.startsWith("./")).sort()).toEqual([...members, ...names].sort());
  const { exports } = JSON.parse(readFileSync(join(ROOT, "packages/computer/package.json"), "utf8"));
  expect(listed.filter((name) => name in exports)).toEqual([]);
});

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```|`[^`\n]*`/gm, "");
}

/** The anchors of a page's headings, as GitHub makes them. */
function headings(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
}
