/** The index in memory: what is staged, by path, and which directories are known to come to which trees. */

import { compareNames } from "@cloudflare/dofs";
import { directoryOf } from "../files/repository-path.ts";
import type { CacheTree } from "./cache-tree.ts";
import type { IndexEntry } from "./index-entry.ts";

/** When the index was written, as its file says. */
export interface IndexTime {
  readonly mtime: number;
  readonly mtimeNs: number;
}

export class GitIndex {
  readonly #entries: Map<string, IndexEntry>;
  readonly #stages: Map<string, IndexEntry[]>;
  readonly trees: CacheTree;
  readonly time: IndexTime;
  #sorted: IndexEntry[] | undefined;
  #paths: string[] | undefined;
  /** Whether it differs from what was read. */
  changed = false;
  /** Whether files were looked at anew, which spares a later command the same. */
  restamped = false;

  constructor(
    entries: readonly IndexEntry[] = [],
    trees: CacheTree = new Map(),
    time: IndexTime = { mtime: 0, mtimeNs: 0 },
  ) {
    this.#entries = new Map();
    this.#stages = new Map();
    for (const entry of entries) {
      if (entry.stage === 0) this.#entries.set(entry.path, entry);
      else this.#stages.set(entry.path, [...(this.#stages.get(entry.path) ?? []), entry]);
    }
    this.trees = trees;
    this.time = time;
  }

  /** What is staged at a path, unless it is in conflict. */
  get(path: string): IndexEntry | undefined {
    return this.#entries.get(path);
  }

  /** The sides of a conflict at a path; empty where there is none. */
  conflict(path: string): readonly IndexEntry[] {
    return this.#stages.get(path) ?? [];
  }

  /** Whether the path itself is tracked, in conflict or not. */
  has(path: string): boolean {
    return this.#entries.has(path) || this.#stages.has(path);
  }

  /** Paths in conflict, in order. */
  get conflicts(): string[] {
    return [...this.#stages.keys()].sort(compareNames);
  }

  get hasConflicts(): boolean {
    return this.#stages.size > 0;
  }

  /** All entries in git's order; a path in conflict has up to three. */
  get entries(): readonly IndexEntry[] {
    this.#sorted ??= [...this.#entries.values(), ...[...this.#stages.values()].flat()].sort(
      (a, b) => compareNames(a.path, b.path) || a.stage - b.stage,
    );
    return this.#sorted;
  }

  /** All tracked paths, in order, each once. */
  get paths(): readonly string[] {
    this.#paths ??= [...this.#entries.keys(), ...this.#stages.keys()].sort(compareNames);
    return this.#paths;
  }

  get size(): number {
    return this.#entries.size + this.#stages.size;
  }

  /** Stages an entry of stage 0, which ends a conflict and takes the place of what it cannot stand beside. */
  set(entry: IndexEntry): void {
    const old = this.#entries.get(entry.path);
    this.#stages.delete(entry.path);
    this.#entries.set(entry.path, entry);
    this.#touch();
    if (old !== undefined && old.oid === entry.oid && old.mode === entry.mode && !old.intentToAdd) return;
    this.#invalidate(entry.path);
    if (old !== undefined) return;
    for (let at = directoryOf(entry.path); at !== ""; at = directoryOf(at)) this.remove(at);
  }

  /** A new look at the file of an entry, nothing else of it. */
  restamp(entry: IndexEntry): void {
    this.#entries.set(entry.path, entry);
    this.#sorted = undefined;
    this.#paths = undefined;
    this.restamped = true;
  }

  /** Puts a path into conflict. */
  setConflict(path: string, sides: readonly IndexEntry[]): void {
    this.#entries.delete(path);
    this.#stages.set(path, [...sides]);
    this.#touch();
    this.#invalidate(path);
  }

  /** Unstages a path; whether it was tracked. */
  remove(path: string): boolean {
    const had = this.#entries.delete(path);
    const conflicted = this.#stages.delete(path);
    if (!had && !conflicted) return false;
    this.#touch();
    this.#invalidate(path);
    return true;
  }

  /** Unstages all that lies under a directory. */
  removeUnder(directory: string): void {
    for (const path of this.paths) if (path.startsWith(`${directory}/`)) this.remove(path);
  }

  /** Every directory that has something tracked under it. */
  directories(): Set<string> {
    const found = new Set<string>([""]);
    for (const path of [...this.#entries.keys(), ...this.#stages.keys()]) {
      for (let at = directoryOf(path); at !== "" && !found.has(at); at = directoryOf(at)) found.add(at);
    }
    return found;
  }

  #touch(): void {
    this.#sorted = undefined;
    this.#paths = undefined;
    this.changed = true;
  }

  #invalidate(path: string): void {
    for (let at = directoryOf(path); ; at = directoryOf(at)) {
      this.trees.delete(at);
      if (at === "") return;
    }
  }
}
