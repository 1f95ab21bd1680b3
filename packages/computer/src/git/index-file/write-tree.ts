/** Between trees and the index: the tree that the index comes to, and the index that a tree comes to. */

import { directoryOf, joined, nameOf } from "../files/repository-path.ts";
import { CommandFailure } from "../git-error.ts";
import { EMPTY_TREE } from "../objects/object-id.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { readTree } from "../objects/read-objects.ts";
import { DIRECTORY, type TreeEntry, treeBytes } from "../objects/tree.ts";
import type { GitIndex } from "./git-index.ts";

/** Takes the trees that the index comes to into the objects; the top one. `EUNMERGED` where a path is in conflict. */
export function writeTree(objects: ObjectStore, index: GitIndex): string {
  const unmerged = index.entries.filter(({ stage }) => stage !== 0);
  if (unmerged.length > 0) {
    const lines = unmerged.map(({ path, oid }) => `${path}: unmerged (${oid})\n`);
    throw new CommandFailure("EUNMERGED", `${lines.join("")}fatal: git-write-tree: error building trees`);
  }
  const known = index.trees.get("");
  if (known !== undefined) return known.oid;
  const children = new Map<string, TreeEntry[]>([["", []]]);
  const counts = new Map<string, number>([["", 0]]);
  const settled = (path: string): boolean => index.trees.has(path);
  for (const { path, mode, oid, intentToAdd } of index.entries) {
    if (intentToAdd) continue;
    const directory = directoryOf(path);
    open(children, counts, directory);
    children.get(directory)!.push({ mode, name: nameOf(path), oid });
    for (let at = directory; ; at = directoryOf(at)) {
      counts.set(at, (counts.get(at) ?? 0) + 1);
      if (at === "") break;
    }
  }
  const deepestFirst = [...children.keys()].sort((a, b) => depth(b) - depth(a));
  for (const directory of deepestFirst) {
    const entries = children.get(directory)!;
    if (directory !== "" && entries.length === 0) continue;
    const oid = settled(directory) ? index.trees.get(directory)!.oid : objects.write("tree", treeBytes(entries));
    if (!settled(directory)) {
      index.trees.set(directory, { oid, entries: counts.get(directory) ?? 0 });
      index.changed = true;
    }
    if (directory !== "") children.get(directoryOf(directory))!.push({ mode: DIRECTORY, name: nameOf(directory), oid });
  }
  if (index.entries.some(({ intentToAdd }) => intentToAdd)) {
    const { oid } = index.trees.get("")!;
    // What is only intended is counted by git as an entry, so nothing above it can be kept.
    index.trees.clear();
    return oid;
  }
  return index.trees.get("")?.oid ?? EMPTY_TREE;
}

function open(children: Map<string, TreeEntry[]>, counts: Map<string, number>, directory: string): void {
  for (let at = directory; !children.has(at); at = directoryOf(at)) {
    children.set(at, []);
    counts.set(at, 0);
  }
}

function depth(path: string): number {
  return path === "" ? 0 : path.split("/").length;
}

/** Remembers in the index which trees its directories come to, where it comes to the given one as a whole. */
export function rememberTrees(objects: ObjectStore, index: GitIndex, tree: string): void {
  if (index.hasConflicts) return;
  const counts = new Map<string, number>();
  for (const path of index.paths) {
    for (let at = directoryOf(path); ; at = directoryOf(at)) {
      counts.set(at, (counts.get(at) ?? 0) + 1);
      if (at === "") break;
    }
  }
  const visit = (oid: string, directory: string): void => {
    if (index.trees.get(directory)?.oid === oid) return;
    index.trees.set(directory, { oid, entries: counts.get(directory) ?? 0 });
    for (const entry of readTree(objects, oid)) {
      if (entry.mode === DIRECTORY) visit(entry.oid, joined(directory, entry.name));
    }
  };
  visit(tree, "");
  index.changed = true;
}
