/** `docs/compatibility.md` names exactly what the packages lack of the 0.8.0 API: `compatibility/surface.ts` is all of it. */

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const PACKAGE = "@cloudflare/computer";

test("what docs/compatibility.md says is missing is what is missing", () => {
  const page = readFileSync(join(ROOT, "docs", "compatibility.md"), "utf8");
  const section = page.slice(page.indexOf("## Not there yet")).split(/^## /m)[1]!;
  const told = [...section.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);
  expect(told.length).toBe(new Set(told).size);
  expect(told.sort()).toEqual(missing());
}, 60_000);

/** Entry points such as `./git`, and where those are there, names such as `R2Bucket` and members such as `Workspace.mounts`. */
function missing(): string[] {
  const folder = join(ROOT, ".setup", "compatibility");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const surface = readFileSync(join(ROOT, "test", "compatibility", "surface.ts"), "utf8");
  // A Pick of many members complains of one; each on its own complains of each.
  const single = surface.replaceAll(
    /^export type (\w+)(<.*?>)? = Pick<(.+), ((?:"[^"]+"(?: \| )?)+)>;$/gm,
    (_, name, parameters = "", type, members: string) =>
      [...members.matchAll(/"[^"]+"/g)]
        .map(([member], index) => `export type ${name}_${index}${parameters} = ${type}[${member}];`)
        .join("\n"),
  );
  writeFileSync(join(folder, "surface.ts"), single);
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: "../../tsconfig.base.json",
      compilerOptions: {
        lib: ["ESNext"],
        types: ["@cloudflare/workers-types", "node"],
        declaration: false,
        isolatedDeclarations: false,
      },
      include: ["*.ts"],
    }),
  );
  const found = new Set<string>();
  for (const complaint of complaints(folder)) {
    const [, module] = complaint.match(/Cannot find module '([^']+)'/) ?? [];
    const [, exported] = complaint.match(/has no exported member (?:named )?'([^']+)'/) ?? [];
    const [, member, type] = complaint.match(/Property '([^']+)' does not exist on type '(\w+)[^']*'/) ?? [];
    if (module?.startsWith(PACKAGE)) found.add(`.${module.slice(PACKAGE.length)}`);
    else if (exported) found.add(exported);
    else if (member) found.add(`${type}.${member}`);
    else throw new Error(`not understood: ${complaint}`);
  }
  return [...found].sort();
}

function complaints(folder: string): string[] {
  try {
    execFileSync(join(ROOT, "node_modules", ".bin", "tsc"), ["-p", folder], { cwd: ROOT, encoding: "utf8" });
    return [];
  } catch (error) {
    const said = (error as { stdout: string }).stdout.trim().split("\n");
    return said.filter((line) => line.includes("error TS"));
  }
}
