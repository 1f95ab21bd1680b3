/** Has esbuild, tsc and node ready for the computers, out of the checkout's own packages. */

import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ROOT } from "./checkout.ts";

/** The folder to hand a host as `tools`. Made once for each set of versions; no link leads out of it, as a sandbox shows nothing else. */
export function projectTools(): string {
  const parts = programs();
  const versions = Object.values(parts).map(({ version }) => version);
  const folder = join(ROOT, ".setup", "project-tools", versions.join("-"));
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(`${folder}.`);
  chmodSync(fresh, 0o755);
  mkdirSync(join(fresh, "bin"));
  for (const [name, { program, beside }] of Object.entries(parts)) {
    const lib = join(fresh, "lib", name);
    if (beside) cpSync(dirname(program), lib, { recursive: true });
    else {
      mkdirSync(lib, { recursive: true });
      place(program, join(lib, name));
    }
    const launcher = join(fresh, "bin", name);
    writeFileSync(launcher, `#!/bin/sh\nexec "\${0%/*}/../lib/${name}/${name}" "$@"\n`);
    chmodSync(launcher, 0o755);
  }
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another process has made the same.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

interface Program {
  readonly program: string;
  readonly version: string;
  /** Whether it needs what lies beside it. */
  readonly beside: boolean;
}

/** The native programs, which packages for this kind of machine hold. */
function programs(): Record<"node" | "esbuild" | "tsc", Program> {
  const kind = `${process.platform}-${process.arch}`;
  const find = (owner: string, name: string, path: string, beside: boolean): Program => {
    const from = createRequire(createRequire(join(ROOT, "package.json")).resolve(`${owner}/package.json`));
    const manifest = name === owner ? from.resolve("./package.json") : from.resolve(`${name}/package.json`);
    const { version } = from(manifest) as { version: string };
    return { program: join(dirname(manifest), path), version, beside };
  };
  return {
    node: find("node", "node", "bin/node", false),
    esbuild: find("esbuild", `@esbuild/${kind}`, "bin/esbuild", false),
    tsc: find("typescript", `@typescript/typescript-${kind}`, "lib/tsc", true),
  };
}

/** Links where the file system allows it: a Node is a hundred megabytes. */
function place(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}
