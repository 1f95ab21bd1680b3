/** The objects that one side has and the other lacks. */

import { ancestors } from "../history/walk.ts";
import { parseTag } from "../objects/commit.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { readCommit, readTree } from "../objects/read-objects.ts";
import { DIRECTORY, GITLINK } from "../objects/tree.ts";

/** All that is reachable from `wants` and not from `haves`, commits before their trees. What of `haves` is not here is left out. */
export function newObjects(objects: ObjectStore, wants: readonly string[], haves: readonly string[]): string[] {
  const found = new Set<string>();
  const known = ancestors(
    objects,
    commitsOf(
      objects,
      haves.filter((oid) => objects.has(oid)),
    ),
  );
  const open: string[] = [];
  for (const want of wants) {
    let oid = want;
    for (let object = objects.read(oid); object.type === "tag"; object = objects.read(oid)) {
      if (!haves.includes(oid)) found.add(oid);
      oid = parseTag(object.data).object;
    }
    const { type } = objects.read(oid);
    if (type === "commit") open.push(oid);
    else if (type === "tree") addTree(objects, oid, undefined, found);
    else found.add(oid);
  }
  while (open.length > 0) {
    const oid = open.pop()!;
    if (known.has(oid) || found.has(oid)) continue;
    found.add(oid);
    const { tree, parents } = readCommit(objects, oid);
    const parent = parents[0];
    addTree(objects, tree, parent === undefined ? undefined : readCommit(objects, parent).tree, found);
    open.push(...parents);
  }
  return [...found];
}

function commitsOf(objects: ObjectStore, oids: readonly string[]): string[] {
  return oids.flatMap((oid) => {
    let at = oid;
    for (let object = objects.read(at); object.type === "tag"; object = objects.read(at))
      at = parseTag(object.data).object;
    return objects.read(at).type === "commit" ? [at] : [];
  });
}

/** Adds a tree with all in it that another does not have under the same name. */
function addTree(objects: ObjectStore, tree: string, beside: string | undefined, found: Set<string>): void {
  if (tree === beside || found.has(tree)) return;
  found.add(tree);
  const there = new Map((beside === undefined ? [] : readTree(objects, beside)).map((entry) => [entry.name, entry]));
  for (const { mode, name, oid } of readTree(objects, tree)) {
    const same = there.get(name);
    if (same?.oid === oid || mode === GITLINK) continue;
    if (mode === DIRECTORY) addTree(objects, oid, same?.mode === DIRECTORY ? same.oid : undefined, found);
    else found.add(oid);
  }
}
