/** Bundles the shell's Worker: its core and each group of commands as modules for a Dynamic Worker. Does nothing where all is as it was; with `--check` it only
 * says, by its exit code, whether that is so. */

import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";
import { justBash } from "./just-bash-plugin.ts";
import { groups } from "./patches.ts";

const PACKAGE = join(import.meta.dirname, "../..");
const OUT = join(PACKAGE, "out/shell");
const STAMP = join(OUT, "stamp");
/** The files of the workspace's packages that the last bundle was made of. */
const INPUTS = join(OUT, "inputs.json");
const DIST = dirname(fileURLToPath(import.meta.resolve("just-bash")));

const current = existsSync(STAMP) && readFileSync(STAMP, "utf8") === stampOf();
if (process.argv.includes("--check")) process.exitCode = current ? 0 : 1;
else if (!current) await bundle();

/** A digest of everything that the bundle is made of. */
function stampOf(): string {
  const hash = createHash("sha256").update(DIST);
  const inputs = new Set(globSync(["scripts/shell-bundle/*.ts", "src/shell/**/*.ts"], { cwd: PACKAGE }));
  // They say which of their modules may be left out.
  for (const name of ["dofs", "rpc"]) inputs.add(`../${name}/package.json`);
  if (existsSync(INPUTS)) for (const input of JSON.parse(readFileSync(INPUTS, "utf8"))) inputs.add(input);
  for (const input of [...inputs].sort()) {
    const path = join(PACKAGE, input);
    hash.update(`${input}\0`).update(existsSync(path) ? readFileSync(path) : "");
  }
  return hash.digest("hex");
}

async function bundle(): Promise<void> {
  const entries = Object.fromEntries(Object.entries(groups).map(([name, file]) => [name, join(DIST, file)]));
  const { outputFiles, metafile } = await build({
    entryPoints: { main: join(PACKAGE, "src/shell/main.ts"), ...entries },
    absWorkingDir: PACKAGE,
    outdir: "out/shell/worker",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    target: "es2024",
    mainFields: ["module", "main"],
    conditions: ["worker", "browser", "import"],
    external: ["node:*", "cloudflare:*"],
    minify: true,
    keepNames: false,
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "error",
    plugins: [justBash(DIST)],
  });
  const text = new Map(outputFiles.map((file) => [basename(file.path), file.text]));
  const core = reachable(metafile, "main", Object.keys(groups));
  const fresh = `${OUT}.${process.pid}`;
  mkdirSync(join(fresh, "worker"), { recursive: true });
  for (const [name, code] of text) writeFileSync(join(fresh, "worker", name), code);
  writeFileSync(join(fresh, "worker/main.d.ts"), 'export * from "../../../src/shell/main.ts";\n');
  writeModules(fresh, "core", core, text);
  for (const name of Object.keys(groups)) {
    const own = [...reachable(metafile, name, [])].filter((file) => !core.has(file));
    writeModules(fresh, name, own, text);
  }
  const inputs = Object.keys(metafile.inputs).filter((input) => !/node_modules|^absent:/.test(input));
  writeFileSync(join(fresh, "inputs.json"), JSON.stringify(inputs));
  rmSync(OUT, { recursive: true, force: true });
  renameSync(fresh, OUT);
  writeFileSync(STAMP, stampOf());
}

/** The outputs that an entry needs, dynamic imports too, but not what only the entries in `except` need. */
function reachable(metafile: Metafile, entry: string, except: readonly string[]): Set<string> {
  const stop = new Set(except.map((name) => `${name}.js`));
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name) || stop.has(name)) return;
    found.add(name);
    for (const { path, external } of metafile.outputs[`out/shell/worker/${name}`]?.imports ?? []) {
      if (external !== true) visit(basename(path));
    }
  };
  visit(`${entry}.js`);
  return found;
}

function writeModules(folder: string, name: string, files: Iterable<string>, text: ReadonlyMap<string, string>): void {
  const modules = Object.fromEntries([...files].sort().map((file) => [file, { js: text.get(file) }]));
  writeFileSync(join(folder, `${name}.js`), `export default ${JSON.stringify(modules)};\n`);
  writeFileSync(
    join(folder, `${name}.d.ts`),
    "declare const modules: Readonly<Record<string, { js: string }>>;\nexport default modules;\n",
  );
}
