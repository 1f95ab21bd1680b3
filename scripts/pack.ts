/** `npm run pack`: the package `@cloudflare/computer` as a tarball under `out`, to install in a project of your own. */

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./checkout.ts";

const OUT = join(ROOT, "out");
const PACKAGE = join(ROOT, "packages", "computer");

const { packageManager } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { packageManager: string };
const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as { version: string };
const tarball = `cloudflare-computer-${version}.tgz`;

mkdirSync(OUT, { recursive: true });
rmSync(join(OUT, tarball), { force: true });
execFileSync("npx", ["-y", packageManager, "pack", "--pack-destination", OUT], {
  cwd: PACKAGE,
  stdio: ["ignore", "ignore", "inherit"],
});
console.log(`out/${tarball}`);
