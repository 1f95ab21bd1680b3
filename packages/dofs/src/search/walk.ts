/** The depth-first walk over a store that every search shares. */

import { isFsError } from "../fs-error.ts";
import type { Attr, Ino, InodeStore, NodeKind } from "../inode-store.ts";
import { compareNames } from "../store/names.ts";
import type { Glob } from "./glob.ts";

/** The first page of a directory, in entries: small, since a search may stop early. */
const FIRST_PAGE = 128;
/** The largest. */
const LAST_PAGE = 1_024;
const NO_GLOBS: readonly Glob[] = [];

/** What a walk must know of an inode. */
interface Node {
  readonly ino: Ino;
  readonly kind: NodeKind;
}

interface Entry<N extends Node> {
  readonly name: string;
  readonly node: N;
}

/** How a walk reads directories: with as much of each inode as the search needs. */
export interface Reader<N extends Node> {
  page(directory: Ino, after: string | undefined, limit: number): Entry<N>[];
  lookup(directory: Ino, name: string): N | undefined;
}

/** Reads names and kinds only. */
export function readNames(store: InodeStore): Reader<Node> {
  return {
    page: (directory, after, limit) =>
      store.list(directory, after, limit).map((entry) => ({ name: entry.name, node: entry })),
    lookup: (directory, name) => store.lookup(directory, name),
  };
}

/** Reads attributes too. */
export function readAttributes(store: InodeStore): Reader<Attr> {
  return {
    page: (directory, after, limit) =>
      store.readdir(directory, after, limit).map(({ name, attr }) => ({ name, node: attr })),
    lookup: (directory, name) => store.lookup(directory, name),
  };
}

/** Something under the directory where a walk began. */
export interface Visit<N extends Node> {
  /** The path relative to that directory. */
  readonly path: string;
  readonly node: N;
  /** It matches what is looked for. */
  readonly wanted: boolean;
}

export interface WalkOptions {
  /** What is looked for; a directory under which nothing can match is not entered. Default: everything. */
  readonly wanted?: Glob | undefined;
  /** What is left out, with everything under it. */
  readonly excluded?: readonly Glob[];
}

interface Level<N extends Node> {
  readonly ino: Ino;
  /** The directory's relative path with a slash after it; empty for the first. */
  readonly prefix: string;
  readonly wanted: Glob | undefined;
  readonly excluded: readonly Glob[];
  page: readonly Entry<N>[];
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
export function* walk<N extends Node>(
  reader: Reader<N>,
  directory: Ino,
  options: WalkOptions = {},
): Generator<Visit<N>, void> {
  const levels = [level<N>(directory, "", options.wanted, options.excluded ?? [])];
  for (let top = levels.at(-1); top !== undefined; top = levels.at(-1)) {
    const entry = nextEntry(reader, top);
    if (entry === undefined) {
      levels.pop();
      continue;
    }
    const isDirectory = entry.node.kind === "dir";
    const excluded = top.excluded.length === 0 ? NO_GLOBS : top.excluded.map((glob) => glob.enter(entry.name));
    if (excluded.some((glob) => glob.file || (isDirectory && glob.directory))) continue;
    const wanted = top.wanted?.enter(entry.name);
    const path = top.prefix + entry.name;
    yield { path, node: entry.node, wanted: wanted === undefined || (isDirectory ? wanted.directory : wanted.file) };
    if (!isDirectory || wanted?.names?.size === 0 || excluded.some((glob) => glob.below)) continue;
    levels.push(level(entry.node.ino, `${path}/`, wanted, excluded));
  }
}

function level<N extends Node>(
  ino: Ino,
  prefix: string,
  wanted: Glob | undefined,
  excluded: readonly Glob[],
): Level<N> {
  return { ino, prefix, wanted, excluded, page: [], next: 0, after: undefined, size: FIRST_PAGE };
}

function nextEntry<N extends Node>(reader: Reader<N>, level: Level<N>): Entry<N> | undefined {
  if (level.next === level.page.length) {
    if (level.after === null) return undefined;
    level.page = readPage(reader, level);
    level.next = 0;
  }
  return level.page[level.next++];
}

function readPage<N extends Node>(reader: Reader<N>, level: Level<N>): readonly Entry<N>[] {
  const names = level.wanted?.names;
  try {
    if (names !== undefined) {
      level.after = null;
      return lookUp(reader, level.ino, names);
    }
    const page = reader.page(level.ino, level.after ?? undefined, level.size);
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

function lookUp<N extends Node>(reader: Reader<N>, directory: Ino, names: ReadonlySet<string>): Entry<N>[] {
  const found: Entry<N>[] = [];
  for (const name of [...names].sort(compareNames)) {
    const node = isName(name) ? reader.lookup(directory, name) : undefined;
    if (node !== undefined) found.push({ name, node });
  }
  return found;
}

/** Whether a literal of a pattern can be a name at all; the store refuses to look up what cannot. */
function isName(name: string): boolean {
  return name !== ".." && name.length <= 255 && !name.includes("\0") && name.isWellFormed();
}
