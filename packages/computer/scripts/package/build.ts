/**
 * Builds the package as it is published, into `dist`: the entry points with our packages below them bundled in, their declarations, and
 * the manifest that goes with them.
 */

import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsdown";
import { publishedManifest, type SourceManifest } from "./published-manifest.ts";

const PACKAGE = join(import.meta.dirname, "../..");
const DIST = join(PACKAGE, "dist");
/** Made of what is below it, and what a source of ours imports from outside of `src`. */
const SHELL_BUNDLE = join(PACKAGE, "scripts/shell-bundle/build.ts");

if (existsSync(SHELL_BUNDLE)) await import(SHELL_BUNDLE);

const source = manifestOf(PACKAGE);
const below = ["rpc", "dofs"].map((name) => manifestOf(join(PACKAGE, "..", name)));
const { manifest, entries } = publishedManifest(source, below);

rmSync(DIST, { recursive: true, force: true });
await build({
  cwd: PACKAGE,
  config: false,
  entry: Object.fromEntries(entries.map(({ name, file }) => [name, join(PACKAGE, file)])),
  outDir: DIST,
  format: "esm",
  platform: "neutral",
  target: "es2024",
  dts: { sourcemap: false },
  deps: {
    alwaysBundle: below.map(({ name }) => new RegExp(`^${name}(/|$)`)),
    neverBundle: [
      ...Object.keys(manifest.dependencies),
      ...Object.keys(manifest.peerDependencies),
      /^(node|cloudflare):/,
    ],
    onlyBundle: [],
  },
  outputOptions: { chunkFileNames: "chunks/[name]-[hash].js" },
  logLevel: "warn",
});
const dependencies = Object.fromEntries(Object.entries(manifest.dependencies).filter(([name]) => imported(name)));
writeFileSync(join(DIST, "package.json"), `${JSON.stringify({ ...manifest, dependencies }, null, 2)}\n`);
for (const file of ["README.md", "LICENSE"]) {
  writeFileSync(join(DIST, file), readFileSync(join(PACKAGE, "../..", file)));
}

/** Whether anything that was built imports it; what has been bundled in whole is not to be installed once more. */
function imported(dependency: string): boolean {
  const pattern = new RegExp(`\\b(?:from|import)\\s*\\(?\\s*["']${dependency}(?:/[^"']*)?["']`);
  return globSync("**/*.{js,d.ts}", { cwd: DIST }).some((file) => pattern.test(readFileSync(join(DIST, file), "utf8")));
}

function manifestOf(folder: string): SourceManifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as SourceManifest;
}
