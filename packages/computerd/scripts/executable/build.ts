/**
 * Builds `computerd` as one executable, `dist/computerd`: Node with the daemon inside. A container needs nothing else of this project.
 *
 * It mounts through the kernel's own protocol, and has no `computerd host`, which runs computers from the sources.
 */

import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { inject } from "postject";

const PACKAGE = join(import.meta.dirname, "../..");
const SOURCE = join(PACKAGE, "src");
const DIST = join(PACKAGE, "dist");
const WORK = join(DIST, "executable");
/** Node looks for its program under this name, where this mark in its binary says that there is one. */
const BLOB = "NODE_SEA_BLOB";
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** What a thread of the daemon's runs is a file beside its sources, and a part of the executable. */
const threadsFromAssets: Plugin = {
  name: "threads from assets",
  setup(plugins) {
    plugins.onResolve({ filter: /^node:worker_threads$/ }, ({ importer }) =>
      importer.startsWith(SOURCE) && threadPrograms(readFileSync(importer, "utf8")).length > 0
        ? { path: join(import.meta.dirname, "asset-worker.ts") }
        : undefined,
    );
  },
};

const common: BuildOptions = {
  bundle: true,
  platform: "node",
  target: "node24",
  format: "cjs",
  minify: true,
  keepNames: true,
  legalComments: "none",
  external: ["cloudflare:workers", "fuse-native"],
  define: { "import.meta.dirname": '"/"', "import.meta.url": '"file:///computerd"' },
  logLevel: "error",
};

const programs = globSync("**/*.ts", { cwd: SOURCE }).flatMap((file) =>
  threadPrograms(readFileSync(join(SOURCE, file), "utf8")).map((program) => join(SOURCE, dirname(file), program)),
);

rmSync(WORK, { recursive: true, force: true });
mkdirSync(WORK, { recursive: true });
await build({
  ...common,
  entryPoints: [join(SOURCE, "main.ts")],
  outfile: join(WORK, "main.cjs"),
  plugins: [threadsFromAssets],
});
for (const program of programs) {
  await build({ ...common, entryPoints: [program], outfile: join(WORK, basename(program)) });
}
const config = {
  main: join(WORK, "main.cjs"),
  output: join(WORK, "blob"),
  disableExperimentalSEAWarning: true,
  useCodeCache: true,
  assets: Object.fromEntries(programs.map((program) => [basename(program), join(WORK, basename(program))])),
};
writeFileSync(join(WORK, "sea.json"), JSON.stringify(config));
execFileSync(process.execPath, ["--experimental-sea-config", join(WORK, "sea.json")], {
  stdio: ["ignore", "ignore", "inherit"],
});
const made = join(WORK, "computerd");
copyFileSync(process.execPath, made);
chmodSync(made, 0o755);
await inject(made, BLOB, readFileSync(config.output), { sentinelFuse: FUSE });
copyFileSync(made, join(DIST, "computerd"));
rmSync(WORK, { recursive: true });

/** The files that a source starts threads with. */
function threadPrograms(source: string): string[] {
  if (!/\bnew Worker\(/.test(source)) return [];
  return [...source.matchAll(/join\(import\.meta\.dirname, "([^"]+\.ts)"\)/g)].map((match) => match[1]!);
}
