/** Objects as what they are: commits, trees, tags, and what a tag leads to. */

import { fatal } from "../git-error.ts";
import { type Commit, parseCommit, parseTag } from "./commit.ts";
import type { ObjectType } from "./object-id.ts";
import type { ObjectStore } from "./object-store.ts";
import { DIRECTORY, parseTree, type TreeEntry } from "./tree.ts";

export function readCommit(objects: ObjectStore, oid: string): Commit {
  const commit = parseCommit(oid, objects.read(oid, "commit").data);
  return objects.isShallow(oid) ? { ...commit, parents: [] } : commit;
}

export function readTree(objects: ObjectStore, oid: string): TreeEntry[] {
  return parseTree(objects.read(oid, "tree").data);
}

/** The object of a type that another leads to: a tag to what it tags, a commit to its tree. `EFATAL` where it does not. */
export function peel(objects: ObjectStore, oid: string, type: ObjectType): string {
  for (let at = oid; ; ) {
    const object = objects.read(at);
    if (object.type === type) return at;
    if (object.type === "tag") at = parseTag(object.data).object;
    else if (object.type === "commit" && type === "tree") return parseCommit(at, object.data).tree;
    else throw fatal(`${oid}: expected ${type} type, but the object dereferences to ${object.type} type`);
  }
}

/** What no tag stands before. */
export function peelTags(objects: ObjectStore, oid: string): string {
  for (let at = oid; ; ) {
    const object = objects.read(at);
    if (object.type !== "tag") return at;
    at = parseTag(object.data).object;
  }
}

/** The entry at a path of a tree; undefined where there is none. */
export function entryAt(objects: ObjectStore, tree: string, path: string): TreeEntry | undefined {
  let at: TreeEntry = { mode: DIRECTORY, name: "", oid: tree };
  for (const name of path.split("/").filter((part) => part !== "")) {
    if (at.mode !== DIRECTORY) return undefined;
    const next = readTree(objects, at.oid).find((entry) => entry.name === name);
    if (next === undefined) return undefined;
    at = next;
  }
  return at;
}

/** Everything in a tree that is no directory, by its path. */
export function flattenTree(objects: ObjectStore, tree: string | undefined, prefix = ""): Map<string, TreeEntry> {
  const found = new Map<string, TreeEntry>();
  const visit = (oid: string, path: string): void => {
    for (const entry of readTree(objects, oid)) {
      const at = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.mode === DIRECTORY) visit(entry.oid, at);
      else found.set(at, entry);
    }
  };
  if (tree !== undefined) visit(tree, prefix);
  return found;
}
