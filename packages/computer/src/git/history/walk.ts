/** The history of commits, the newest first, as `git log` goes through it. */

import { diffTrees } from "../diff/tree-diff.ts";
import type { Pathspec } from "../ignore/pathspec.ts";
import type { Commit } from "../objects/commit.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { readCommit } from "../objects/read-objects.ts";
import { CommitQueue } from "./commit-queue.ts";

export interface WalkOptions {
  readonly from: readonly string[];
  /** Neither these nor what leads to them. */
  readonly without?: readonly string[] | undefined;
  readonly firstParent?: boolean | undefined;
  /** Only commits that changed one of these paths. */
  readonly pathspec?: Pathspec | undefined;
  /** Children before their parents, whatever their dates. */
  readonly topological?: boolean | undefined;
}

export function* walkHistory(objects: ObjectStore, options: WalkOptions): Generator<Commit> {
  const { from, without = [], firstParent = false, pathspec, topological = false } = options;
  const excluded = without.length === 0 ? new Set<string>() : ancestors(objects, without);
  const walked = dateOrder(objects, from, excluded, { firstParent, pathspec });
  yield* topological ? topologicalOrder([...walked]) : walked;
}

interface Limits {
  readonly firstParent: boolean;
  readonly pathspec: Pathspec | undefined;
}

function* dateOrder(
  objects: ObjectStore,
  from: readonly string[],
  excluded: ReadonlySet<string>,
  limits: Limits,
): Generator<Commit> {
  const queue = new CommitQueue();
  const seen = new Set<string>();
  const add = (oid: string): void => {
    if (seen.has(oid) || excluded.has(oid)) return;
    seen.add(oid);
    queue.push(readCommit(objects, oid));
  };
  for (const oid of from) add(oid);
  for (let commit = queue.pop(); commit !== undefined; commit = queue.pop()) {
    let parents = limits.firstParent ? commit.parents.slice(0, 1) : commit.parents;
    let shown = true;
    if (limits.pathspec !== undefined && !limits.pathspec.isEmpty) {
      const same = parents.find((parent) => !touches(objects, parent, commit!, limits.pathspec!));
      if (same !== undefined) {
        // What a parent had already came from it: the other parents say nothing of these paths.
        parents = [same];
        shown = false;
      } else if (parents.length === 0) shown = touches(objects, undefined, commit, limits.pathspec);
    }
    for (const parent of parents) add(parent);
    if (shown) yield commit;
  }
}

function touches(objects: ObjectStore, parent: string | undefined, commit: Commit, pathspec: Pathspec): boolean {
  const before = parent === undefined ? undefined : readCommit(objects, parent).tree;
  const mayMatch = (directory: string): boolean => pathspec.mayMatchUnder(directory);
  return diffTrees(objects, before, commit.tree, mayMatch).some(({ path }) => pathspec.matches(path));
}

/** A commit only after all that have it as a parent. */
function topologicalOrder(commits: readonly Commit[]): Commit[] {
  const known = new Map(commits.map((commit) => [commit.oid, commit]));
  const children = new Map<string, number>();
  for (const { parents } of commits)
    for (const parent of parents) children.set(parent, (children.get(parent) ?? 0) + 1);
  const stack = commits.filter(({ oid }) => (children.get(oid) ?? 0) === 0).toReversed();
  const ordered: Commit[] = [];
  for (let commit = stack.pop(); commit !== undefined; commit = stack.pop()) {
    ordered.push(commit);
    for (const parent of commit.parents.toReversed()) {
      const left = (children.get(parent) ?? 0) - 1;
      children.set(parent, left);
      const next = known.get(parent);
      if (left === 0 && next !== undefined) stack.push(next);
    }
  }
  return ordered;
}

/** These commits and all that lead to them. */
export function ancestors(objects: ObjectStore, from: readonly string[]): Set<string> {
  const seen = new Set(from);
  const open = [...from];
  while (open.length > 0) {
    for (const parent of readCommit(objects, open.pop()!).parents) {
      if (seen.has(parent) || !objects.has(parent)) continue;
      seen.add(parent);
      open.push(parent);
    }
  }
  return seen;
}
