/** Which file of a package an import of it means, as Node reads `package.json`. */

/** What `exports` is read for, in the order of the package. */
const CONDITIONS = new Set(["workerd", "worker", "import", "node", "default"]);

type Target = string | null | undefined | readonly Target[] | { readonly [key: string]: Target };

/** What is read of a `package.json`. */
export interface PackageManifest {
  readonly type?: unknown;
  readonly exports?: unknown;
  readonly imports?: unknown;
  readonly module?: unknown;
  readonly main?: unknown;
}

/** A specifier's package and the part of it: `@a/b/c` is `@a/b` and `./c`. Undefined for what can be no package. */
export function packageOf(specifier: string): { readonly name: string; readonly subpath: string } | undefined {
  const match = /^((?:@[^/\\%]+\/)?[^/\\%@.][^/\\%]*)(\/.*)?$/.exec(specifier);
  return match?.[1] === undefined ? undefined : { name: match[1], subpath: `.${match[2] ?? ""}` };
}

/** The file, relative to the package, that `exports` gives for a part of it; without `exports` undefined. Null where it gives none. */
export function exportedFile(manifest: PackageManifest, subpath: string): string | null | undefined {
  const exported = manifest.exports as Target;
  if (exported === undefined || exported === null) return undefined;
  const paths =
    typeof exported === "object" && !Array.isArray(exported) && keysOf(exported).some((key) => key.startsWith("."));
  return matched(paths ? (exported as Record<string, Target>) : { ".": exported }, subpath) ?? null;
}

/** What `imports` gives for a name that begins with `#`: a file relative to the package, or another package. */
export function importedTarget(manifest: PackageManifest, name: string): string | undefined {
  const { imports } = manifest;
  return typeof imports === "object" && imports !== null ? matched(imports as Record<string, Target>, name) : undefined;
}

/** The file of a package without `exports`. */
export function mainFile({ module, main }: PackageManifest): string {
  if (typeof module === "string") return module;
  return typeof main === "string" ? main : "index.js";
}

function matched(table: Readonly<Record<string, Target>>, name: string): string | undefined {
  if (Object.hasOwn(table, name) && !name.includes("*")) return fileOf(table[name], "");
  let best: { readonly key: string; readonly star: string } | undefined;
  for (const key of Object.keys(table)) {
    const [before = "", after] = key.split("*");
    if (after === undefined || !name.startsWith(before) || !name.endsWith(after)) continue;
    if (name.length < before.length + after.length || (best !== undefined && before.length <= best.key.indexOf("*")))
      continue;
    best = { key, star: name.slice(before.length, name.length - after.length) };
  }
  return best === undefined ? undefined : fileOf(table[best.key], best.star);
}

function fileOf(target: Target, star: string): string | undefined {
  if (typeof target === "string") return target.replaceAll("*", () => star);
  if (Array.isArray(target)) {
    for (const each of target as readonly Target[]) {
      const file = fileOf(each, star);
      if (file !== undefined) return file;
    }
    return undefined;
  }
  if (typeof target !== "object" || target === null) return undefined;
  for (const [condition, inner] of Object.entries(target as Record<string, Target>)) {
    if (!CONDITIONS.has(condition)) continue;
    const file = fileOf(inner, star);
    if (file !== undefined) return file;
  }
  return undefined;
}

function keysOf(value: object): string[] {
  return Object.keys(value);
}
