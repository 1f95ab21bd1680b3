/** Directories as modules: one that lists the files, and one for each file's contents. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Begins the names of our modules; Vite leaves names with a NUL to who made them. */
const TREE = "\0computer-bundle:";
const FILE = "\0computer-bundle-file:";

/** The name of the module of a directory, an absolute path. */
export function treeModule(directory: string): string {
  return TREE + directory;
}

/** What a name of ours stands for: an absolute path. */
export function readModuleName(name: string): { kind: "tree" | "file"; path: string } | undefined {
  if (name.startsWith(TREE)) return { kind: "tree", path: name.slice(TREE.length) };
  if (name.startsWith(FILE)) return { kind: "file", path: name.slice(FILE.length) };
  return undefined;
}

/** The files of a directory, by relative paths with slashes, sorted. Links and what is no file are left out. */
export function filesOf(directory: string, below = ""): string[] {
  return readdirSync(join(directory, below), { withFileTypes: true })
    .flatMap((entry) => {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) return filesOf(directory, path);
      return entry.isFile() ? [path] : [];
    })
    .sort();
}

/** A module whose default export is a `WorkerBundleSource`; each file is loaded when it is first needed. */
export function treeCode(directory: string): string {
  const hash = createHash("sha256");
  const lines = filesOf(directory).map((path) => {
    const bytes = readFileSync(join(directory, path));
    hash.update(JSON.stringify([path, bytes.length])).update(bytes);
    const name = JSON.stringify(FILE + join(directory, path));
    return `  ${JSON.stringify(path)}: () => import(${name}).then((module) => module.default),`;
  });
  const version = JSON.stringify(hash.digest("hex"));
  return `export default {\n files: {\n${lines.join("\n")}\n },\n version: ${version},\n};\n`;
}

/** A module whose default export is the contents of a file: its text where it is UTF-8, else its bytes. */
export function fileCode(path: string): string {
  const bytes = readFileSync(path);
  const text = bytes.toString("utf8");
  if (Buffer.from(text).equals(bytes)) return `export default ${JSON.stringify(text)};\n`;
  return `export default Uint8Array.from(atob(${JSON.stringify(bytes.toString("base64"))}), (char) => char.charCodeAt(0));\n`;
}
