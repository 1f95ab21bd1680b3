/** The files that modules are read from, each read once a version. */

import { type ConfinedStore, FsError, StoreProvider } from "@cloudflare/dofs";
import { type ModuleKind, type ModuleText, readModule } from "./module-text.ts";

const KINDS: Readonly<Record<string, ModuleKind>> = {
  js: "javascript",
  mjs: "javascript",
  ts: "typescript",
  mts: "typescript",
  json: "json",
};

/** Extensions that may be left out, in this order. */
const LEFT_OUT = [".ts", ".js", ".mts", ".mjs", ".json", "/index.ts", "/index.js", "/index.mjs"];

/** What a file that was compiled is called before. */
const UNCOMPILED: Readonly<Record<string, string>> = { ".js": ".ts", ".mjs": ".mts" };

/** Characters of module texts that are remembered. */
const KEPT_CHARACTERS = 8 * 1024 * 1024;

/** Texts of files by what version of them was read: a run that changes nothing reads nothing again. */
export class ReadModules {
  readonly #texts = new Map<string, ModuleText>();
  #characters = 0;

  get(key: string, read: () => ModuleText): ModuleText {
    const found = this.#texts.get(key);
    if (found !== undefined) return found;
    const made = read();
    if (this.#characters + made.text.length > KEPT_CHARACTERS) this.#clear();
    this.#texts.set(key, made);
    this.#characters += made.text.length;
    return made;
  }

  #clear(): void {
    this.#texts.clear();
    this.#characters = 0;
  }
}

export class SourceFiles {
  readonly #store: ConfinedStore;
  readonly #node: StoreProvider;
  readonly #read: ReadModules;

  constructor(store: ConfinedStore, read: ReadModules) {
    this.#store = store;
    this.#node = new StoreProvider(store);
    this.#read = read;
  }

  /** The path, without links, of the file that a path means; undefined where there is none. `EACCES` where it leads out. */
  find(path: string): string | undefined {
    const plain = this.#file(path);
    if (plain !== undefined) return plain;
    for (const end of LEFT_OUT) {
      const found = this.#file(path + end);
      if (found !== undefined) return found;
    }
    const dot = path.lastIndexOf(".");
    const before = UNCOMPILED[path.slice(dot)];
    return before === undefined ? undefined : this.#file(path.slice(0, dot) + before);
  }

  /** Whether there is a file of exactly this path. */
  isFile(path: string): boolean {
    return this.#file(path) !== undefined;
  }

  isDirectory(path: string): boolean {
    return this.#node.internalModuleStat(path) === 1;
  }

  /** The module in a file; undefined where its name says that it is none. */
  module(path: string): ModuleText | undefined {
    const kind = KINDS[path.slice(path.lastIndexOf(".") + 1)];
    if (kind === undefined) return undefined;
    const { ino, rev } = this.#store.getattr(this.#node.statSync(path).ino);
    return this.#read.get(`${ino} ${rev} ${kind}`, () => readModule(this.#node.readFileSync(path, "utf8"), kind));
  }

  /** Bytes of a file. */
  size(path: string): number {
    return this.#node.statSync(path).size;
  }

  /** A file of JSON; undefined where there is none, and where it is not. */
  json(path: string): unknown {
    if (!this.isFile(path)) return undefined;
    try {
      return JSON.parse(this.#node.readFileSync(path, "utf8"));
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  #file(path: string): string | undefined {
    try {
      return this.#node.statSync(path).isFile() ? this.#node.realpathSync(path) : undefined;
    } catch (error) {
      if (error instanceof FsError && ["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(error.code)) return undefined;
      throw error;
    }
  }
}
