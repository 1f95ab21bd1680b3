/** What an import of a script means: a file of the workspace, a module of the runtime, or one that was configured. */

import { FsError } from "@cloudflare/dofs";
import { absolutePath } from "../../files/absolute-path.ts";
import { builtinOf } from "./builtins.ts";
import { exportedFile, importedTarget, mainFile, type PackageManifest, packageOf } from "./package-exports.ts";
import type { SourceFiles } from "./source-files.ts";

/** Who imports: a file, the script itself, or a configured module, which has no directory. */
export interface Importer {
  /** What it is called in messages. */
  readonly name: string;
  readonly directory: string | undefined;
}

export type ImportTarget =
  | { readonly kind: "file"; readonly path: string; readonly inPackage: boolean }
  | { readonly kind: "configured"; readonly name: string }
  | { readonly kind: "own"; readonly file: string }
  | { readonly kind: "runtime"; readonly url: string };

/** An import that leads nowhere; nothing of the script has run. */
export class ImportError extends Error {
  override readonly name: string = "ImportError";
  /** @internal */
  static of(specifier: string, importer: Importer, why: string): ImportError {
    return new ImportError(`Cannot import ${JSON.stringify(specifier)} from ${importer.name}: ${why}`);
  }
}

export interface ResolverOptions {
  readonly files: SourceFiles;
  readonly root: string;
  /** The names of configured modules. */
  readonly configured: ReadonlySet<string>;
}

export class ImportResolver {
  readonly #files: SourceFiles;
  readonly #root: string;
  readonly #configured: ReadonlySet<string>;

  constructor({ files, root, configured }: ResolverOptions) {
    this.#files = files;
    this.#root = root;
    this.#configured = configured;
  }

  /** Throws an {@link ImportError} that names the importer where the import leads nowhere. */
  resolve(specifier: string, importer: Importer): ImportTarget {
    const refuse = (why: string): ImportError => ImportError.of(specifier, importer, why);
    try {
      return this.#resolve(specifier, importer, refuse);
    } catch (error) {
      if (error instanceof FsError) throw refuse(error.message);
      throw error;
    }
  }

  #resolve(specifier: string, importer: Importer, refuse: (why: string) => ImportError): ImportTarget {
    if (this.#configured.has(specifier)) return { kind: "configured", name: specifier };
    const builtin = builtinOf(specifier);
    if (builtin?.kind === "own") return { kind: "own", file: builtin.file };
    if (builtin?.kind === "pure") return { kind: "runtime", url: builtin.url };
    if (builtin !== undefined) throw refuse("this module of Node is not available in an isolate.");
    const path = pathOf(specifier, importer, refuse);
    if (path !== undefined) {
      const found = this.#files.find(path);
      if (found === undefined) throw refuse(`there is no file ${path}.`);
      return { kind: "file", path: found, inPackage: found.includes("/node_modules/") };
    }
    if (/^[a-z][a-z0-9+.-]*:/i.test(specifier)) throw refuse(this.#unknown(specifier));
    return this.#package(specifier, importer, refuse);
  }

  #package(specifier: string, importer: Importer, refuse: (why: string) => ImportError): ImportTarget {
    if (importer.directory === undefined)
      throw refuse("a configured module imports other configured modules and Node's only.");
    if (specifier.startsWith("#")) return this.#packageImport(specifier, importer, importer.directory, refuse);
    const parts = packageOf(specifier);
    if (parts === undefined) throw refuse("it is no path and no package: paths begin with ./, ../ or /.");
    for (const directory of upward(importer.directory, this.#root)) {
      const folder = `${directory === "/" ? "" : directory}/node_modules/${parts.name}`;
      if (!this.#files.isDirectory(folder)) continue;
      return { kind: "file", path: this.#inPackage(folder, parts.subpath, refuse), inPackage: true };
    }
    throw refuse(
      `there is no package ${parts.name} in a node_modules of ${importer.directory} or above it. ${this.#known()}`,
    );
  }

  #inPackage(folder: string, subpath: string, refuse: (why: string) => ImportError): string {
    const manifest = (this.#files.json(`${folder}/package.json`) ?? {}) as PackageManifest;
    const file = exportedFile(manifest, subpath);
    if (file === null) throw refuse(`its package.json exports no ${subpath}.`);
    if (file !== undefined && !file.startsWith("./"))
      throw refuse(`its package.json exports ${file}, which is no path in it.`);
    const path = `${folder}/${file ?? (subpath === "." ? mainFile(manifest) : subpath)}`;
    const found =
      file === undefined ? this.#files.find(absolutePath("/", path)) : this.#exactly(absolutePath("/", path));
    if (found === undefined) throw refuse(`its package.json leads to ${absolutePath("/", path)}, which is not there.`);
    return found;
  }

  #packageImport(
    specifier: string,
    importer: Importer,
    from: string,
    refuse: (why: string) => ImportError,
  ): ImportTarget {
    for (const directory of upward(from, this.#root)) {
      const manifest = this.#files.json(`${directory === "/" ? "" : directory}/package.json`);
      if (typeof manifest !== "object" || manifest === null) continue;
      const target = importedTarget(manifest as PackageManifest, specifier);
      if (target === undefined) break;
      if (target.startsWith("#")) break;
      return this.#resolve(target, { name: importer.name, directory }, refuse);
    }
    throw refuse("no package.json above it has it among its imports.");
  }

  #exactly(path: string): string | undefined {
    return this.#files.isFile(path) ? this.#files.find(path) : undefined;
  }

  #unknown(specifier: string): string {
    if (specifier.startsWith("ws:")) return `there is no such host module. ${this.#known()}`;
    return "modules come from files, from node_modules, from Node and from what was configured; nothing is fetched.";
  }

  #known(): string {
    const names = [...this.#configured];
    return names.length === 0 ? "No modules are configured." : `Configured are ${names.join(", ")}.`;
  }
}

function pathOf(specifier: string, importer: Importer, refuse: (why: string) => ImportError): string | undefined {
  if (specifier.startsWith("file://")) return decoded(specifier.slice("file://".length), refuse);
  if (specifier.startsWith("/")) return absolutePath("/", decoded(specifier, refuse));
  if (!/^\.\.?(\/|$)/.test(specifier)) return undefined;
  if (importer.directory === undefined) throw refuse("a configured module has no directory to start from.");
  return absolutePath("/", `${importer.directory}/${decoded(specifier, refuse)}`);
}

function decoded(path: string, refuse: (why: string) => ImportError): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw refuse("it has a % that stands for nothing: write %25.");
  }
}

/** A directory and those above it, no higher than the root. */
function* upward(directory: string, root: string): Generator<string> {
  const below = root === "/" ? "/" : `${root}/`;
  for (let at = directory; at === root || at.startsWith(below); at = at.slice(0, at.lastIndexOf("/")) || "/") {
    if (!at.endsWith("/node_modules")) yield at;
    if (at === root || at === "/") return;
  }
}
