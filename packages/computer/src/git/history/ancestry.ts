/** How commits descend from one another. */

import type { Commit } from "../objects/commit.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { readCommit } from "../objects/read-objects.ts";
import { CommitQueue } from "./commit-queue.ts";

const LEFT = 1;
const RIGHT = 2;
const STALE = 4;

/** Paints the history of two commits; what both have, and what each has alone. */
function paint(
  objects: ObjectStore,
  left: readonly string[],
  right: readonly string[],
): { flags: Map<string, number>; commits: Map<string, Commit> } {
  const flags = new Map<string, number>();
  const commits = new Map<string, Commit>();
  const queue = new CommitQueue();
  const add = (oid: string, flag: number): void => {
    const known = flags.get(oid) ?? 0;
    if ((known | flag) === known) return;
    flags.set(oid, known | flag);
    const commit = commits.get(oid) ?? readCommit(objects, oid);
    commits.set(oid, commit);
    queue.push(commit);
  };
  for (const oid of left) add(oid, LEFT);
  for (const oid of right) add(oid, RIGHT);
  const live = (): boolean => {
    for (const { oid } of queue) if ((flags.get(oid)! & STALE) === 0) return true;
    return false;
  };
  while (queue.size > 0 && live()) {
    const commit = queue.pop()!;
    let flag = flags.get(commit.oid)!;
    if ((flag & (LEFT | RIGHT)) === (LEFT | RIGHT)) flag |= STALE;
    for (const parent of commit.parents) add(parent, flag);
  }
  return { flags, commits };
}

/** The best common ancestors of two commits, the newest first. */
export function mergeBases(objects: ObjectStore, a: string, b: string): string[] {
  if (a === b) return [a];
  const { flags, commits } = paint(objects, [a], [b]);
  const found = [...flags]
    .filter(([, flag]) => (flag & (LEFT | RIGHT)) === (LEFT | RIGHT) && (flag & STALE) === 0)
    .map(([oid]) => commits.get(oid)!)
    .sort((x, y) => y.committer.timestamp - x.committer.timestamp);
  if (found.length < 2) return found.map(({ oid }) => oid);
  // An older one that a newer one descends from is no best one.
  return found
    .filter(({ oid }) => !found.some((other) => other.oid !== oid && isAncestor(objects, oid, other.oid)))
    .map(({ oid }) => oid);
}

/** Whether a commit is another's ancestor, or the same. */
export function isAncestor(objects: ObjectStore, ancestor: string, of: string): boolean {
  if (ancestor === of) return true;
  const oldest = readCommit(objects, ancestor).committer.timestamp;
  const seen = new Set([of]);
  const open = [of];
  while (open.length > 0) {
    const commit = readCommit(objects, open.pop()!);
    for (const parent of commit.parents) {
      if (parent === ancestor) return true;
      if (seen.has(parent) || !objects.has(parent)) continue;
      seen.add(parent);
      // What is a day older than what is looked for cannot lead to it, unless clocks were very wrong.
      if (readCommit(objects, parent).committer.timestamp >= oldest - 86_400) open.push(parent);
    }
  }
  return false;
}

/** How many commits each of two has that the other has not. */
export function aheadBehind(objects: ObjectStore, a: string, b: string): { ahead: number; behind: number } {
  if (a === b) return { ahead: 0, behind: 0 };
  const { flags } = paint(objects, [a], [b]);
  let [ahead, behind] = [0, 0];
  for (const flag of flags.values()) {
    if ((flag & (LEFT | RIGHT)) === LEFT) ahead++;
    else if ((flag & (LEFT | RIGHT)) === RIGHT) behind++;
  }
  return { ahead, behind };
}
