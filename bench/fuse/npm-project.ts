/** A project that wants many packages, from archives of this machine: npm needs no network for it. */

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const PACKAGES = 300;

/** Makes the archives and a `package.json` that names them all, in a directory. */
export function makeNpmProject(directory: string): void {
  const names = Array.from({ length: PACKAGES }, (_, number) => `part-${number}`);
  for (const name of names) {
    const root = join(directory, name, "package");
    mkdirSync(join(root, "lib"), { recursive: true });
    writeFileSync(join(root, "package.json"), JSON.stringify({ name, version: "1.0.0", main: "index.js" }));
    writeFileSync(join(root, "index.js"), `module.exports = require("./lib/one.js");\n`);
    for (const file of ["one", "two", "three"]) writeFileSync(join(root, `lib/${file}.js`), "module.exports = 1;\n");
    writeFileSync(join(root, "README.md"), `# ${name}\n`.repeat(500));
  }
  execFileSync("sh", ["-c", "for name in part-*; do tar -cf $name.tgz -C $name package; done"], { cwd: directory });
  const dependencies = Object.fromEntries(names.map((name) => [name, `file:${join(directory, name)}.tgz`]));
  writeFileSync(join(directory, "package.json"), JSON.stringify({ name: "project", version: "1.0.0", dependencies }));
  // Who comes first must not be the one who fills the cache.
  const install = ["install", "--offline", "--no-audit", "--no-fund", "--no-save", "--cache", join(directory, "cache")];
  execFileSync("npm", install, { cwd: directory, stdio: "ignore" });
  rmSync(join(directory, "node_modules"), { recursive: true });
}
