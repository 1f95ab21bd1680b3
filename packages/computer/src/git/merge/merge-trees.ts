/** Merges two trees that came of one: what each side changed, and what both did. */

import { Buffer } from "node:buffer";
import { compareNames } from "@cloudflare/dofs";
import { isBinary } from "../diff/binary.ts";
import type { Change, Side } from "../diff/change.ts";
import { linesOf, splitLines } from "../diff/line-diff.ts";
import { detectRenames } from "../diff/renames.ts";
import { diffTrees } from "../diff/tree-diff.ts";
import { UnsupportedError } from "../git-error.ts";
import { oidOf } from "../objects/object-id.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { flattenTree } from "../objects/read-objects.ts";
import { EXECUTABLE, GITLINK, REGULAR } from "../objects/tree.ts";
import { type MergeLabels, mergeLines } from "./merge-lines.ts";

/** A path after a merge. */
export interface MergedPath {
  readonly path: string;
  /** What the work tree is to have; undefined for nothing. */
  readonly result: Side | undefined;
  /** Base, ours and theirs where they could not be merged; undefined where they could. */
  readonly conflict: readonly [Side | undefined, Side | undefined, Side | undefined] | undefined;
}

export interface MergedTrees {
  /** What differs from ours. */
  readonly paths: readonly MergedPath[];
  readonly messages: readonly string[];
}

interface Three {
  base: Side | undefined;
  ours: Side | undefined;
  theirs: Side | undefined;
}

/** Merges trees. New contents are taken into the objects. `EUNSUPPORTED` for a conflict of names that is not handled here. */
export function mergeTrees(
  objects: ObjectStore,
  trees: { base: string | undefined; ours: string; theirs: string },
  labels: MergeLabels,
): MergedTrees {
  const ours = renamed(objects, diffTrees(objects, trees.base, trees.ours));
  const theirs = renamed(objects, diffTrees(objects, trees.base, trees.theirs));
  const paths: MergedPath[] = [];
  const messages: string[] = [];
  for (const [path, three] of byPath(ours, theirs, labels)) {
    const merged = mergePath(objects, path, three, labels, messages);
    if (merged !== undefined) paths.push(merged);
  }
  for (const change of [...theirs]) {
    // A file that moved over there has gone from where it was, here too.
    if (change.from === undefined) continue;
    const moved = ours.find(({ path, from }) => path === change.from || from === change.from);
    if (moved === undefined) paths.push({ path: change.from, result: undefined, conflict: undefined });
    else if (moved.from === undefined && moved.status !== "D")
      paths.push({ path: change.from, result: undefined, conflict: undefined });
  }
  refuseNameClashes(objects, trees.ours, paths);
  return { paths: paths.sort((a, b) => compareNames(a.path, b.path)), messages };
}

function renamed(objects: ObjectStore, changes: readonly Change[]): Change[] {
  return detectRenames(
    // An empty file says nothing about where it came from.
    changes,
    (change, side) => {
      const oid = change[side]?.oid;
      return oid === undefined ? undefined : objects.read(oid).data;
    },
    { hash: (data) => oidOf("blob", data) },
  );
}

/** The three sides of each path that either side changed, those that moved brought together. */
function byPath(ours: readonly Change[], theirs: readonly Change[], labels: MergeLabels): Map<string, Three> {
  const found = new Map<string, Three>();
  const mine = new Map(ours.map((change) => [change.path, change]));
  const other = new Map(theirs.map((change) => [change.path, change]));
  const movedMine = new Map(
    ours.flatMap((change) => (change.from === undefined ? [] : [[change.from, change] as const])),
  );
  const movedOther = new Map(
    theirs.flatMap((change) => (change.from === undefined ? [] : [[change.from, change] as const])),
  );
  for (const [from, change] of movedMine) {
    const theirMove = movedOther.get(from);
    if (theirMove !== undefined && theirMove.path !== change.path) {
      throw new UnsupportedError(
        `a merge in which ${from} was renamed to ${change.path} in ${labels.ours} and to ${theirMove.path} in ${labels.theirs}`,
      );
    }
    const theirChange = other.get(from);
    if (theirChange?.status === "D")
      throw new UnsupportedError(
        `a merge in which ${from} was renamed to ${change.path} in ${labels.ours} and deleted in ${labels.theirs}`,
      );
    if (theirMove === undefined && other.has(change.path)) continue;
    found.set(change.path, {
      base: change.old,
      ours: change.next,
      theirs: theirMove?.next ?? theirChange?.next ?? change.old,
    });
  }
  for (const [from, change] of movedOther) {
    if (found.has(change.path)) continue;
    const myChange = mine.get(from);
    if (myChange?.status === "D")
      throw new UnsupportedError(
        `a merge in which ${from} was renamed to ${change.path} in ${labels.theirs} and deleted in ${labels.ours}`,
      );
    if (mine.has(change.path)) continue;
    found.set(change.path, { base: change.old, ours: myChange?.next ?? change.old, theirs: change.next });
  }
  const handled = new Set([...movedMine.keys(), ...movedOther.keys()]);
  for (const path of new Set([...mine.keys(), ...other.keys()])) {
    if (found.has(path) || handled.has(path)) continue;
    const [a, b] = [mine.get(path), other.get(path)];
    const base = (a?.from === undefined ? a?.old : undefined) ?? (b?.from === undefined ? b?.old : undefined);
    found.set(path, { base, ours: a === undefined ? base : a.next, theirs: b === undefined ? base : b.next });
  }
  return new Map([...found].sort(([a], [b]) => compareNames(a, b)));
}

function same(a: Side | undefined, b: Side | undefined): boolean {
  return a?.oid === b?.oid && a?.mode === b?.mode;
}

function mergePath(
  objects: ObjectStore,
  path: string,
  { base, ours, theirs }: Three,
  labels: MergeLabels,
  messages: string[],
): MergedPath | undefined {
  if (same(ours, theirs) || same(base, theirs)) return undefined;
  if (same(base, ours)) return { path, result: theirs, conflict: undefined };
  if (ours === undefined || theirs === undefined) {
    const [gone, left] = ours === undefined ? [labels.ours, labels.theirs] : [labels.theirs, labels.ours];
    messages.push(
      `CONFLICT (modify/delete): ${path} deleted in ${gone} and modified in ${left}.  Version ${left} of ${path} left in tree.`,
    );
    return { path, result: ours ?? theirs, conflict: [base, ours, theirs] };
  }
  const mode = mergedMode(base, ours, theirs);
  if (ours.oid === theirs.oid && mode !== undefined)
    return { path, result: { mode, oid: ours.oid }, conflict: undefined };
  const areFiles = [ours, theirs, ...(base === undefined ? [] : [base])].every(
    (side) => side.mode === REGULAR || side.mode === EXECUTABLE,
  );
  if (!areFiles) {
    if (ours.mode === GITLINK || theirs.mode === GITLINK)
      messages.push(`CONFLICT (submodule): Merge conflict in ${path}`);
    else messages.push(`CONFLICT (${base === undefined ? "add/add" : "content"}): Merge conflict in ${path}`);
    return { path, result: ours, conflict: [base, ours, theirs] };
  }
  if (base !== undefined && base.oid === ours.oid)
    return { path, result: { mode: mode ?? ours.mode, oid: theirs.oid }, conflict: undefined };
  if (base !== undefined && base.oid === theirs.oid)
    return { path, result: { mode: mode ?? ours.mode, oid: ours.oid }, conflict: undefined };
  messages.push(`Auto-merging ${path}`);
  const content = mergeContents(objects, base, ours, theirs, labels);
  if (content === undefined)
    messages.splice(-1, 0, `warning: Cannot merge binary files: ${path} (${labels.ours} vs. ${labels.theirs})`);
  const oid = content === undefined ? ours.oid : objects.write("blob", Buffer.from(content.text, "latin1"));
  const result = { mode: mode ?? ours.mode, oid };
  const clean = content !== undefined && content.conflicts === 0;
  if (clean) return { path, result, conflict: undefined };
  messages.push(`CONFLICT (${base === undefined ? "add/add" : "content"}): Merge conflict in ${path}`);
  return { path, result, conflict: [base, ours, theirs] };
}

function mergedMode(base: Side | undefined, ours: Side, theirs: Side): number | undefined {
  if (ours.mode === theirs.mode || base?.mode === theirs.mode) return ours.mode;
  return base?.mode === ours.mode ? theirs.mode : undefined;
}

function mergeContents(
  objects: ObjectStore,
  base: Side | undefined,
  ours: Side,
  theirs: Side,
  labels: MergeLabels,
): { text: string; conflicts: number } | undefined {
  const data = [base, ours, theirs].map((side) =>
    side?.oid === undefined ? new Uint8Array() : objects.read(side.oid, "blob").data,
  );
  if (data.some(isBinary)) return undefined;
  const [a, b, c] = data.map(linesOf);
  return mergeLines(a ?? splitLines(""), b!, c!, labels);
}

/** A file and a directory of one name cannot both be there. */
function refuseNameClashes(objects: ObjectStore, ours: string, paths: readonly MergedPath[]): void {
  const come = paths.filter(({ result }) => result !== undefined);
  if (come.length === 0) return;
  const going = new Set(paths.filter(({ result }) => result === undefined).map(({ path }) => path));
  const all = new Set([...flattenTree(objects, ours).keys()].filter((path) => !going.has(path)));
  for (const { path } of come) all.add(path);
  for (const path of all) {
    for (let slash = path.indexOf("/"); slash > 0; slash = path.indexOf("/", slash + 1)) {
      const above = path.slice(0, slash);
      if (all.has(above))
        throw new UnsupportedError(`a merge in which ${above} is a file on one side and a directory on the other`);
    }
  }
}
