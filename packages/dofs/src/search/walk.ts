/** The depth-first walk over a store that every search shares. */

import { isFsError } from "../fs-error.ts";
import type { Attr, Dirent, Ino, InodeStore } from "../inode-store.ts";
import { compareNames } from "../store/names.ts";
import type { Glob } from "./glob.ts";

/** The first page of a directory, in entries: small, since a search may stop early. */
const FIRST_PAGE = 64;
/** The largest. */
const LAST_PAGE = 1_024;

/** Something under the directory where a walk began. */
export interface Visit {
  /** The path relative to that directory. */
  readonly path: string;
  readonly attr: Attr;
  /** It matches what is looked for. */
  readonly wanted: boolean;
}

export interface WalkOptions {
  /** What is looked for; a directory under which nothing can match is not entered. Default: everything. */
  readonly wanted?: Glob | undefined;
  /** What is left out, with everything under it. */
  readonly excluded?: readonly Glob[];
}

interface Level {
  readonly ino: Ino;
  /** The directory's relative path with a slash after it; empty for the first. */
  readonly prefix: string;
  readonly wanted: Glob | undefined;
  readonly excluded: readonly Glob[];
  page: readonly Dirent[];
  next: number;
  /** Where the next page begins; null after the last. */
  after: string | undefined | null;
  size: number;
}

/**
 * Everything under a directory, each entry before what is in it, in byte order of name. Links are not followed.
 *
 * Each directory entry is read once, in pages; where only certain names can match, these are looked up and nothing else is read.
 */
export function* walk(store: InodeStore, directory: Ino, options: WalkOptions = {}): Generator<Visit, void> {
  const levels = [level(directory, "", options.wanted, options.excluded ?? [])];
  for (let top = levels.at(-1); top !== undefined; top = levels.at(-1)) {
    const entry = nextEntry(store, top);
    if (entry === undefined) {
      levels.pop();
      continue;
    }
    const isDirectory = entry.attr.kind === "dir";
    const excluded = top.excluded.map((glob) => glob.enter(entry.name));
    if (excluded.some((glob) => glob.file || (isDirectory && glob.directory))) continue;
    const wanted = top.wanted?.enter(entry.name);
    const path = top.prefix + entry.name;
    yield { path, attr: entry.attr, wanted: wanted === undefined || (isDirectory ? wanted.directory : wanted.file) };
    if (!isDirectory || wanted?.names?.size === 0 || excluded.some((glob) => glob.below)) continue;
    levels.push(level(entry.attr.ino, `${path}/`, wanted, excluded));
  }
}

function level(ino: Ino, prefix: string, wanted: Glob | undefined, excluded: readonly Glob[]): Level {
  return { ino, prefix, wanted, excluded, page: [], next: 0, after: undefined, size: FIRST_PAGE };
}

function nextEntry(store: InodeStore, level: Level): Dirent | undefined {
  if (level.next === level.page.length) {
    if (level.after === null) return undefined;
    level.page = readPage(store, level);
    level.next = 0;
  }
  return level.page[level.next++];
}

function readPage(store: InodeStore, level: Level): readonly Dirent[] {
  const names = level.wanted?.names;
  try {
    if (names !== undefined) {
      level.after = null;
      return lookUp(store, level.ino, names);
    }
    const page = store.readdir(level.ino, level.after ?? undefined, level.size);
    level.after = page.length < level.size ? null : page.at(-1)!.name;
    level.size = Math.min(level.size * 4, LAST_PAGE);
    return page;
  } catch (error) {
    // Between two steps of the walk a directory may go; then there is nothing in it.
    if (!isFsError(error, "ENOENT")) throw error;
    level.after = null;
    return [];
  }
}

function lookUp(store: InodeStore, directory: Ino, names: ReadonlySet<string>): Dirent[] {
  const found: Dirent[] = [];
  for (const name of [...names].sort(compareNames)) {
    const attr = isName(name) ? store.lookup(directory, name) : undefined;
    if (attr !== undefined) found.push({ name, attr });
  }
  return found;
}

/** Whether a literal of a pattern can be a name at all; the store refuses to look up what cannot. */
function isName(name: string): boolean {
  return name !== ".." && name.length <= 255 && !name.includes("\0") && name.isWellFormed();
}
