/** References: loose files, the packed list, and the log of where they have been. */

import { Buffer } from "node:buffer";
import { compareNames } from "@cloudflare/dofs";
import type { GitFiles } from "../files/git-files.ts";
import { fatal } from "../git-error.ts";
import { isOid, NULL_OID } from "../objects/object-id.ts";

/** References of a worktree of its own, where there are several. */
const PER_WORKTREE = /^(?:[A-Z_]+$|refs\/(?:bisect|worktree|rewritten)\/)/;
const LINKS_MAX = 5;

export interface RefPlaces {
  readonly gitDir: string;
  readonly commonDir: string;
}

export interface Ref {
  readonly name: string;
  readonly oid: string;
}

export interface ReflogEntry {
  readonly from: string;
  readonly to: string;
  readonly who: string;
  readonly message: string;
}

/** Who is written into the log, and whether it is kept. */
export interface RefLogging {
  enabled(): boolean;
  who(): string;
}

export class Refs {
  readonly #files: GitFiles;
  readonly #places: RefPlaces;
  readonly #logging: RefLogging;
  #packed: { refs: Map<string, { oid: string; peeled?: string }>; header: boolean } | undefined;

  constructor(files: GitFiles, places: RefPlaces, logging: RefLogging) {
    this.#files = files;
    this.#places = places;
    this.#logging = logging;
  }

  /** Where HEAD and the like point to by name; undefined where they name an object, or are not there. */
  symbolic(name: string): string | undefined {
    const text = this.#files.text(this.path(name));
    return text?.startsWith("ref:") ? text.slice(4).trim() : undefined;
  }

  /** The object that a reference of this full name leads to; undefined where there is none. */
  resolve(name: string): string | undefined {
    let at = name;
    for (let links = 0; links <= LINKS_MAX; links++) {
      const text = this.#files.text(this.path(at))?.trim();
      if (text === undefined) return this.#packedRefs().get(at)?.oid;
      if (!text.startsWith("ref:")) return isOid(text.slice(0, 40)) ? text.slice(0, 40) : undefined;
      at = text.slice(4).trim();
    }
    return undefined;
  }

  /** The branch that HEAD is on, in full, whether or not it is born; undefined where HEAD is detached. */
  get branch(): string | undefined {
    return this.symbolic("HEAD");
  }

  get head(): string | undefined {
    return this.resolve("HEAD");
  }

  /** All references under a prefix such as `refs/heads/`, in order. */
  list(prefix = "refs/"): Ref[] {
    const found = new Map<string, string>();
    for (const [name, { oid }] of this.#packedRefs()) if (name.startsWith(prefix)) found.set(name, oid);
    const visit = (directory: string, name: string): void => {
      for (const entry of this.#files.list(directory)) {
        const ref = `${name}/${entry.name}`;
        if (entry.attr.kind === "dir") {
          if (prefix.startsWith(`${ref}/`) || `${ref}/`.startsWith(prefix)) visit(`${directory}/${entry.name}`, ref);
        } else if (ref.startsWith(prefix) && !ref.endsWith(".lock")) {
          const oid = this.resolve(ref);
          if (oid !== undefined) found.set(ref, oid);
        }
      }
    };
    visit(`${this.#places.commonDir}/refs`, "refs");
    return [...found].map(([name, oid]) => ({ name, oid })).sort((a, b) => compareNames(a.name, b.name));
  }

  /**
   * Makes a reference lead to an object, through HEAD to its branch unless `noDeref`. Writes the log. `EREF` where the name, or one that it
   * would stand in the way of, cannot be.
   */
  update(name: string, oid: string, message: string, { noDeref = false }: { noDeref?: boolean } = {}): void {
    const target = noDeref ? name : this.#end(name);
    const before = this.resolve(name) ?? NULL_OID;
    this.#checkFree(target);
    this.#clearEmptyDirectory(target);
    this.#files.write(this.path(target), `${oid}\n`);
    this.#log(target, before, oid, message);
    if (name !== target) this.#log(name, before, oid, message);
    else if (target !== "HEAD" && this.symbolic("HEAD") === target) this.#log("HEAD", before, oid, message);
  }

  /** Points HEAD or the like at another reference. */
  setSymbolic(name: string, target: string, message?: string): void {
    const before = this.resolve(name) ?? NULL_OID;
    this.#files.write(this.path(name), `ref: ${target}\n`);
    if (message !== undefined) this.#log(name, before, this.resolve(target) ?? NULL_OID, message);
  }

  /** Points HEAD at an object. */
  detach(oid: string, message: string): void {
    const before = this.head ?? NULL_OID;
    this.#files.write(this.path("HEAD"), `${oid}\n`);
    this.#log("HEAD", before, oid, message);
  }

  /** Removes a reference and its log; whether it was there. */
  delete(name: string): boolean {
    const path = this.path(name);
    const top = this.#base(name);
    const loose = this.#files.stat(path)?.kind === "file" && this.#files.remove(path);
    if (loose) this.#files.removeEmptyDirectories(parentOf(path), `${top}/${name.split("/").slice(0, 2).join("/")}`);
    const packed = this.#packedRefs().delete(name);
    if (packed) this.#writePacked();
    const log = `${top}/logs/${name}`;
    if (this.#files.stat(log)?.kind === "file") {
      this.#files.remove(log);
      this.#files.removeEmptyDirectories(parentOf(log), `${top}/logs/${name.split("/").slice(0, 2).join("/")}`);
    }
    return loose || packed;
  }

  /** Gives a reference with its log another name. */
  rename(from: string, to: string, message: string): void {
    const oid = this.resolve(from);
    if (oid === undefined) throw fatal(`No such ref: ${from}`, "EREF");
    const log = this.#files.text(`${this.#base(from)}/logs/${from}`);
    const onHead = this.branch === from;
    this.delete(from);
    this.#checkFree(to);
    this.#clearEmptyDirectory(to);
    this.#files.write(this.path(to), `${oid}\n`);
    if (log !== undefined) this.#files.write(`${this.#base(to)}/logs/${to}`, log);
    this.#log(to, oid, oid, message);
    if (onHead) {
      this.setSymbolic("HEAD", to);
      this.#log("HEAD", oid, NULL_OID, message);
      this.#log("HEAD", NULL_OID, oid, message);
    }
  }

  /** The log of a reference, the newest last. */
  log(name: string): ReflogEntry[] {
    const text = this.#files.text(`${this.#base(name)}/logs/${name}`) ?? "";
    return text.split("\n").flatMap((line) => {
      const match = /^([0-9a-f]{40}) ([0-9a-f]{40}) ([^\t]*)(?:\t(.*))?$/.exec(line);
      return match === null ? [] : [{ from: match[1]!, to: match[2]!, who: match[3]!, message: match[4] ?? "" }];
    });
  }

  /** Writes a log anew, or removes it where nothing is left. */
  rewriteLog(name: string, entries: readonly ReflogEntry[]): void {
    const path = `${this.#base(name)}/logs/${name}`;
    if (entries.length === 0) this.#files.remove(path);
    else {
      const lines = entries.map(({ from, to, who, message }) => `${from} ${to} ${who}\t${message}\n`);
      this.#files.write(path, lines.join(""));
    }
  }

  /** The file that a reference is in when it is loose. */
  path(name: string): string {
    return `${this.#base(name)}/${name}`;
  }

  /** What an annotated tag in the packed list leads to. */
  packedPeeled(name: string): string | undefined {
    return this.#packedRefs().get(name)?.peeled;
  }

  #base(name: string): string {
    return PER_WORKTREE.test(name) ? this.#places.gitDir : this.#places.commonDir;
  }

  #end(name: string): string {
    let at = name;
    for (let links = 0; links <= LINKS_MAX; links++) {
      const next = this.symbolic(at);
      if (next === undefined) return at;
      at = next;
    }
    return at;
  }

  /** A name cannot be both a reference and a directory of references. */
  #checkFree(name: string): void {
    if (!name.startsWith("refs/")) return;
    for (let at = parentOf(name); at.split("/").length > 2; at = parentOf(at)) {
      if (this.resolve(at) !== undefined)
        throw fatal(`cannot lock ref '${name}': '${at}' exists; cannot create '${name}'`, "EREF");
    }
    const below = this.list(`${name}/`)[0];
    if (below !== undefined) {
      throw fatal(`cannot lock ref '${name}': '${below.name}' exists; cannot create '${name}'`, "EREF");
    }
  }

  #clearEmptyDirectory(name: string): void {
    const path = this.path(name);
    if (this.#files.isDirectory(path)) this.#files.remove(path);
  }

  #log(name: string, from: string, to: string, message: string): void {
    const path = `${this.#base(name)}/logs/${name}`;
    const kept = name === "HEAD" || name === "refs/stash" || /^refs\/(?:heads|remotes|notes)\//.test(name);
    if (!this.#files.stat(path) && !(kept && this.#logging.enabled())) return;
    const tail = message === "" ? "" : `\t${message.replaceAll(/\s+/g, " ").trim()}`;
    this.#files.append(path, `${from} ${to} ${this.#logging.who()}${tail}\n`);
  }

  #packedRefs(): Map<string, { oid: string; peeled?: string }> {
    if (this.#packed !== undefined) return this.#packed.refs;
    const refs = new Map<string, { oid: string; peeled?: string }>();
    const text = this.#files.text(`${this.#places.commonDir}/packed-refs`) ?? "";
    let last: { oid: string; peeled?: string } | undefined;
    for (const line of text.split("\n")) {
      if (line.startsWith("#") || line === "") continue;
      if (line.startsWith("^")) {
        if (last !== undefined) last.peeled = line.slice(1);
        continue;
      }
      last = { oid: line.slice(0, 40) };
      refs.set(line.slice(41), last);
    }
    this.#packed = { refs, header: text.startsWith("#") };
    return refs;
  }

  #writePacked(): void {
    const lines = [...this.#packedRefs()]
      .sort(([a], [b]) => compareNames(a, b))
      .map(([name, { oid, peeled }]) => `${oid} ${name}\n${peeled === undefined ? "" : `^${peeled}\n`}`);
    const text = `# pack-refs with: peeled fully-peeled sorted \n${lines.join("")}`;
    this.#files.write(`${this.#places.commonDir}/packed-refs`, Buffer.from(text));
  }

  /** Writes many references as the packed list, which is one file; for a new repository. */
  writePackedList(refs: readonly (Ref & { peeled?: string | undefined })[]): void {
    const packed = this.#packedRefs();
    for (const { name, oid, peeled } of refs) packed.set(name, peeled === undefined ? { oid } : { oid, peeled });
    this.#writePacked();
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}
