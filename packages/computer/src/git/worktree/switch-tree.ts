/** Takes the index and the work tree from one tree to another, and keeps what was changed locally, or refuses. */

import type { Change, Side } from "../diff/change.ts";
import { diffTrees } from "../diff/tree-diff.ts";
import { CommandFailure } from "../git-error.ts";
import { type IndexEntry, indexEntry } from "../index-file/index-entry.ts";
import { rememberTrees } from "../index-file/write-tree.ts";
import { flattenTree } from "../objects/read-objects.ts";
import { GITLINK } from "../objects/tree.ts";
import type { Repository } from "../repository/repository.ts";
import { ignoreRules, workStatus } from "./scan.ts";
import { fileOid, removeWorkFile, writeWorkFile } from "./work-file.ts";

/** How refusals are worded. */
export interface SwitchWords {
  /** `checkout` or `merge`. */
  readonly what: "checkout" | "merge" | "reset";
  /** `switch branches` or `merge`. */
  readonly before: string;
}

const SWITCH: SwitchWords = { what: "checkout", before: "switch branches" };

/**
 * Goes from one tree to another. Files that are the same in both stay as they are, changed or not. `EOVERWRITE` where a change or an
 * untracked file would be lost; then nothing is changed.
 */
export function switchTree(
  repository: Repository,
  from: string | undefined,
  to: string,
  words: SwitchWords = SWITCH,
): void {
  const { index, objects } = repository;
  if (index.hasConflicts) {
    const lines = index.conflicts.map((path) => `${path}: needs merge\n`);
    throw new CommandFailure("EUNMERGED", "error: you need to resolve your current index first", 1, lines.join(""));
  }
  const changes = diffTrees(objects, from, to);
  applyChanges(repository, changes, words);
  if (index.entries.length > 0 || to !== undefined) rememberIfSame(repository, to);
}

/** Applies changes that are known to lead from what is committed to what is wanted. */
export function applyChanges(repository: Repository, changes: readonly Change[], words: SwitchWords): void {
  const { index } = repository;
  const wanted: Change[] = [];
  const staged: string[] = [];
  const changed: string[] = [];
  const untracked: string[] = [];
  const removed: string[] = [];
  const rules = ignoreRules(repository);
  const going = new Set(changes.filter(({ next }) => next === undefined).map(({ path }) => path));
  for (const change of changes) {
    const { path, old, next } = change;
    const entry = index.get(path);
    if (same(entry, next) && (next !== undefined || !index.has(path))) {
      if (next !== undefined || repository.statInWorkTree(path) === undefined) continue;
      // It is neither staged nor wanted: what lies there is not git's.
      continue;
    }
    if (!same(entry, old)) {
      staged.push(path);
      continue;
    }
    const attr = repository.statInWorkTree(path);
    if (entry === undefined) {
      const inTheWay = blocking(repository, path, going);
      if (inTheWay !== undefined) {
        if (!rules.isIgnored(inTheWay, false)) untracked.push(inTheWay);
      } else if (attr?.kind === "dir" ? holdsUntracked(repository, path, going) : attr !== undefined) {
        const equal = attr!.kind !== "dir" && next !== undefined && fileOid(repository, path, attr!) === next.oid;
        if (!equal && !rules.isIgnored(path, attr!.kind === "dir")) untracked.push(path);
      }
    } else if (attr !== undefined && attr.kind !== "dir" && entry.mode !== GITLINK) {
      if (workStatus(repository, entry, attr) !== undefined) changed.push(path);
    } else if (
      attr?.kind === "dir" &&
      next !== undefined &&
      entry.mode !== GITLINK &&
      holdsUntracked(repository, path, going)
    ) {
      removed.push(path);
    }
    wanted.push(change);
  }
  refuse({ staged, changed, untracked, removed }, words);
  for (const { path, next } of wanted) {
    if (next !== undefined) continue;
    removeWorkFile(repository, path);
    index.remove(path);
  }
  for (const { path, next } of wanted) {
    if (next !== undefined) index.set(writeWorkFile(repository, path, next.mode, next.oid!));
  }
}

/** Makes the index what a tree is, and with `files` the work tree too, whatever either was. */
export function resetToTree(repository: Repository, tree: string | undefined, { files }: { files: boolean }): void {
  const { index, objects } = repository;
  const target = flattenTree(objects, tree);
  const entries = new Map(index.entries.filter(({ stage }) => stage === 0).map((entry) => [entry.path, entry]));
  for (const path of index.paths) {
    if (target.has(path)) continue;
    if (files) removeWorkFile(repository, path);
    index.remove(path);
  }
  for (const [path, side] of target) {
    const entry = entries.get(path);
    const isSame = same(entry, side);
    const attr = files ? repository.statInWorkTree(path) : undefined;
    const clean =
      isSame &&
      (!files || (attr !== undefined && attr.kind !== "dir" && workStatus(repository, entry!, attr) === undefined));
    if (clean || (isSame && side.mode === GITLINK)) continue;
    if (files) index.set(writeWorkFile(repository, path, side.mode, side.oid));
    else index.set(indexEntry(path, side.mode, side.oid));
  }
  if (tree !== undefined) rememberTrees(objects, index, tree);
  index.changed = true;
}

/** Remembers the tree where nothing is staged beside it. */
function rememberIfSame(repository: Repository, tree: string): void {
  const { index, objects } = repository;
  const target = flattenTree(objects, tree);
  if (target.size !== index.size || index.hasConflicts) return;
  for (const { path, mode, oid } of index.entries) {
    const side = target.get(path);
    if (side?.oid !== oid || side.mode !== mode) return;
  }
  rememberTrees(objects, index, tree);
}

function same(entry: IndexEntry | undefined, side: Side | undefined): boolean {
  return entry?.oid === side?.oid && entry?.mode === side?.mode;
}

/** A file that stands where a directory is needed, and is not about to go. */
function blocking(repository: Repository, path: string, going: ReadonlySet<string>): string | undefined {
  for (let slash = path.indexOf("/"); slash > 0; slash = path.indexOf("/", slash + 1)) {
    const above = path.slice(0, slash);
    const attr = repository.statInWorkTree(above);
    if (attr === undefined) return undefined;
    if (attr.kind !== "dir") return going.has(above) || repository.index.has(above) ? undefined : above;
  }
  return undefined;
}

function holdsUntracked(repository: Repository, path: string, going: ReadonlySet<string>): boolean {
  return repository.files.list(repository.inWorkTree(path)).some(({ name, attr }) => {
    const child = `${path}/${name}`;
    return attr.kind === "dir"
      ? holdsUntracked(repository, child, going)
      : !going.has(child) && !repository.index.has(child);
  });
}

function refuse(
  { staged, changed, untracked, removed }: Record<"staged" | "changed" | "untracked" | "removed", string[]>,
  { what, before }: SwitchWords,
): void {
  const list = (paths: readonly string[]): string => paths.map((path) => `\t${path}\n`).join("");
  let text = "";
  for (const paths of [staged, changed]) {
    if (paths.length === 0) continue;
    text += `error: Your local changes to the following files would be overwritten by ${what}:\n${list(paths)}Please commit your changes or stash them before you ${before}.\n`;
  }
  if (untracked.length > 0) {
    text += `error: The following untracked working tree files would be overwritten by ${what}:\n${list(untracked)}Please move or remove them before you ${before}.\n`;
  }
  if (removed.length > 0) {
    text += `error: Updating the following directories would lose untracked files in them:\n${list(removed)}\n`;
  }
  if (text !== "") throw new CommandFailure("EOVERWRITE", `${text}Aborting`, 1);
}
