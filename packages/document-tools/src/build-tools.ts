/** Makes the folder of the commands: bundled code, WebAssembly, native addon, fonts and the Node that runs them. */

import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { basename, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const packageFolder = dirname(dirname(fileURLToPath(import.meta.url)));

/** The folder that a sandbox shows read-only at the same path, with its `bin` first in PATH. */
export const documentToolsFolder: string = join(packageFolder, "dist");

/** The commands, each a script in `bin` and a bundle in `lib`. */
const COMMANDS = ["pandoc", "typst"] as const;

/** The fonts: packages and the files in them, for what the compiler's own fonts lack. */
const FONTS = {
  "@embedpdf/fonts-sc": ["fonts/NotoSansHans-Regular.otf", "fonts/NotoSansHans-Bold.otf"],
  "@embedpdf/fonts-kr": ["fonts/NotoSansKR-Regular.otf", "fonts/NotoSansKR-Bold.otf"],
  "@expo-google-fonts/noto-emoji": ["400Regular/NotoEmoji_400Regular.ttf", "700Bold/NotoEmoji_700Bold.ttf"],
} as const;

/**
 * Makes the folder, or leaves it when it is up to date, and returns its path. `log` is told what is done.
 * Throws when a package is missing or this kind of machine has no typst addon.
 */
export async function buildDocumentTools(log: (line: string) => void = () => {}): Promise<string> {
  const files = vendoredFiles();
  const stamp = fingerprint(files);
  if (isMade(stamp)) {
    log(`document tools: up to date in ${documentToolsFolder}`);
    return documentToolsFolder;
  }
  log("document tools: bundling pandoc and typst");
  const fresh = `${documentToolsFolder}.${randomBytes(4).toString("hex")}`;
  try {
    await bundle(join(fresh, "lib"));
    for (const [name, source] of Object.entries(files)) place(source, join(fresh, "lib", name));
    mkdirSync(join(fresh, "bin"));
    for (const command of COMMANDS) writeLauncher(join(fresh, "bin", command), command);
    writeFileSync(join(fresh, "stamp"), stamp);
    putInPlace(fresh, stamp);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  log(`document tools: made in ${documentToolsFolder}`);
  return documentToolsFolder;
}

/** Files that are taken as they are, by their names under `lib`. */
function vendoredFiles(): Record<string, string> {
  const share = join(packageFolder, "share");
  const files: Record<string, string> = {
    node: join(folderOf("node"), "bin/node"),
    "pandoc.wasm": join(folderOf("pandoc-wasm"), "src/pandoc.wasm"),
    "typst.node": typstAddon(),
  };
  for (const name of readdirSync(share)) files[name] = join(share, name);
  for (const [name, paths] of Object.entries(FONTS)) {
    for (const path of paths) files[`fonts/${basename(path)}`] = join(folderOf(name), path);
  }
  return files;
}

function folderOf(name: string): string {
  const found = findPackageJSON(name, import.meta.url);
  if (found === undefined) throw new Error(`the package ${name} is missing: install the workspace's packages again`);
  return dirname(realpathSync(found));
}

/** The native addon for this machine, a package of its own that only the compiler's package can resolve. */
function typstAddon(): string {
  const name = "@myriaddreamin/typst-ts-node-compiler";
  const fromCompiler = createRequire(join(folderOf(name), "package.json"));
  const base = `${process.platform}-${process.arch}`;
  for (const platform of [`${base}-gnu`, `${base}-musl`, base]) {
    try {
      return fromCompiler.resolve(`${name}-${platform}`);
    } catch {}
  }
  throw new Error(`${name} has no build for ${base}: install native pandoc and typst instead`);
}

/** What the folder is made of: our sources by content, packages by version, Node by version. */
function fingerprint(files: Readonly<Record<string, string>>): string {
  const hash = createHash("sha256");
  const sources = readdirSync(join(packageFolder, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const path of [...sources, join(packageFolder, "package.json")]) hash.update(path).update(readFileSync(path));
  for (const [name, path] of Object.entries(files)) {
    hash.update(`${name}\0${path}\0`);
    if (path.startsWith(join(packageFolder, "share"))) hash.update(readFileSync(path));
  }
  return hash.digest("hex");
}

async function bundle(outdir: string): Promise<void> {
  await build({
    entryPoints: COMMANDS.map((command) => ({ in: join(packageFolder, "src", command, "main.ts"), out: command })),
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    logLevel: "warning",
  });
}

/** Links `source` to `target`, or copies it: our own files, since an editor may write into them, and across file systems. */
function place(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  try {
    if (source.startsWith(packageFolder + sep) && !source.includes("node_modules")) copyFileSync(source, target);
    else linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}

/** A script that starts the bundle with the folder's own Node, wherever the folder is seen. */
function writeLauncher(path: string, command: string): void {
  // Validating all of pandoc's 58 MB before its first run would cost as much processor time as the run.
  const flags = "--disable-warning=ExperimentalWarning --wasm-lazy-validation";
  const script = `#!/bin/sh\nlib="\${0%/*}/../lib"\nexec "$lib/node" ${flags} "$lib/${command}.mjs" "$@"\n`;
  writeFileSync(path, script);
  chmodSync(path, 0o755);
}

function isMade(stamp: string): boolean {
  try {
    return readFileSync(join(documentToolsFolder, "stamp"), "utf8") === stamp;
  } catch {
    return false;
  }
}

/** Puts `fresh` where the folder belongs, unless a build that ran at the same time has put the same there. */
function putInPlace(fresh: string, stamp: string): void {
  if (isMade(stamp)) return;
  const old = `${documentToolsFolder}.${randomBytes(4).toString("hex")}`;
  try {
    if (existsSync(documentToolsFolder)) renameSync(documentToolsFolder, old);
    renameSync(fresh, documentToolsFolder);
  } catch (error) {
    if (!isMade(stamp)) throw error;
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}
