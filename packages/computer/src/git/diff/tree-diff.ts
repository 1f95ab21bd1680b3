/** What differs between two trees, and between a tree and the index; what is known to be equal is not read. */

import { compareNames } from "@cloudflare/dofs";
import { joined } from "../files/repository-path.ts";
import type { GitIndex } from "../index-file/git-index.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { readTree } from "../objects/read-objects.ts";
import { DIRECTORY, type TreeEntry } from "../objects/tree.ts";
import { type Change, changeOf, type Side } from "./change.ts";

/** Whether a directory is worth a look. */
export type MayMatch = (directory: string) => boolean;

const ALL: MayMatch = () => true;

/** The changes from one tree to another, in order of their paths. */
export function diffTrees(
  objects: ObjectStore,
  a: string | undefined,
  b: string | undefined,
  mayMatch: MayMatch = ALL,
): Change[] {
  const changes: Change[] = [];
  const visit = (x: string | undefined, y: string | undefined, directory: string): void => {
    if (x === y || !mayMatch(directory)) return;
    const old = new Map((x === undefined ? [] : readTree(objects, x)).map((entry) => [entry.name, entry]));
    const next = new Map((y === undefined ? [] : readTree(objects, y)).map((entry) => [entry.name, entry]));
    for (const name of new Set([...old.keys(), ...next.keys()])) {
      const [from, to] = [old.get(name), next.get(name)];
      if (from?.oid === to?.oid && from?.mode === to?.mode) continue;
      const path = joined(directory, name);
      const [fromTree, toTree] = [treeOf(from), treeOf(to)];
      if (fromTree !== undefined || toTree !== undefined) visit(fromTree, toTree, path);
      const [fromFile, toFile] = [fileOf(from), fileOf(to)];
      if (fromFile !== undefined || toFile !== undefined) changes.push(changeOf(path, fromFile, toFile));
    }
  };
  visit(a, b, "");
  return changes.sort((one, other) => compareNames(one.path, other.path));
}

function treeOf(entry: TreeEntry | undefined): string | undefined {
  return entry?.mode === DIRECTORY ? entry.oid : undefined;
}

function fileOf(entry: TreeEntry | undefined): Side | undefined {
  return entry === undefined || entry.mode === DIRECTORY ? undefined : entry;
}

/** The changes from a tree to the index; a path in conflict is `U`. */
export function diffTreeIndex(objects: ObjectStore, tree: string | undefined, index: GitIndex): Change[] {
  const known = (directory: string): string | undefined => index.trees.get(directory)?.oid;
  const conflicts = index.conflicts.map((path): Change => ({ status: "U", path }));
  if (tree !== undefined && known("") === tree) return conflicts;
  const old = new Map<string, TreeEntry>();
  const same = new Set<string>();
  const visit = (oid: string, directory: string): void => {
    if (known(directory) === oid) {
      same.add(directory);
      return;
    }
    for (const entry of readTree(objects, oid)) {
      const path = joined(directory, entry.name);
      if (entry.mode === DIRECTORY) visit(entry.oid, path);
      else old.set(path, entry);
    }
  };
  if (tree !== undefined) visit(tree, "");
  const changes: Change[] = conflicts;
  for (const entry of index.entries) {
    if (entry.stage !== 0 || entry.intentToAdd) {
      old.delete(entry.path);
      continue;
    }
    if (same.size > 0 && isUnder(entry.path, same)) continue;
    const before = old.get(entry.path);
    old.delete(entry.path);
    if (before?.oid === entry.oid && before.mode === entry.mode) continue;
    changes.push(changeOf(entry.path, before, entry));
  }
  for (const [path, entry] of old) changes.push(changeOf(path, entry, undefined));
  return changes.sort((a, b) => compareNames(a.path, b.path));
}

function isUnder(path: string, directories: ReadonlySet<string>): boolean {
  for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
    if (directories.has(path.slice(0, slash))) return true;
  }
  return false;
}
