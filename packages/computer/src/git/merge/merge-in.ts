/** Merges a commit into HEAD, its index and its work tree; and gives a merge up. */

import { tidyMessage } from "../cli/message.ts";
import { type Change, changeOf } from "../diff/change.ts";
import { diffTreeIndex } from "../diff/tree-diff.ts";
import { CommandFailure, fatal } from "../git-error.ts";
import { isAncestor, mergeBases } from "../history/ancestry.ts";
import { indexEntry } from "../index-file/index-entry.ts";
import { writeTree } from "../index-file/write-tree.ts";
import { commitBytes } from "../objects/commit.ts";
import { entryAt, flattenTree, readCommit } from "../objects/read-objects.ts";
import { DIRECTORY, type TreeEntry, treeBytes } from "../objects/tree.ts";
import type { GitIdentity } from "../repository/identity.ts";
import { shortName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";
import { fullRef, headTree } from "../repository/rev-parse.ts";
import { workStatus } from "../worktree/scan.ts";
import { applyChanges, switchTree } from "../worktree/switch-tree.ts";
import { removeWorkFile, writeWorkFile } from "../worktree/work-file.ts";
import type { MergeLabels } from "./merge-lines.ts";
import { mergeHeads, unmerged } from "./merge-state.ts";
import { type MergedTrees, mergeTrees } from "./merge-trees.ts";

const WORDS = { what: "merge", before: "merge" } as const;

export interface MergeRequest {
  /** How the other side is called in conflicts. */
  readonly name: string;
  readonly message: string;
  readonly fastForward: "yes" | "no" | "only";
  readonly author?: GitIdentity | undefined;
  readonly committer?: GitIdentity | undefined;
  /** What the log of references says. */
  readonly log: string;
  readonly commit?: boolean | undefined;
  readonly squash?: boolean | undefined;
  readonly unrelated?: boolean | undefined;
  readonly favour?: MergeLabels["favour"];
  readonly oursOnly?: boolean | undefined;
  /** Told before the files of a branch that just moves are changed. */
  forwarding?(from: string, to: string): void;
}

export type MergeOutcome =
  | { readonly kind: "up-to-date"; readonly oid: string }
  | { readonly kind: "fast-forward"; readonly oid: string; readonly from: string | undefined }
  | { readonly kind: "made"; readonly oid: string; readonly from: string; readonly messages: readonly string[] }
  | { readonly kind: "squashed-forward"; readonly oid: string; readonly from: string }
  | { readonly kind: "stopped"; readonly messages: readonly string[] }
  | { readonly kind: "conflict"; readonly messages: readonly string[] };

/** Merges a commit into HEAD, its index and its work tree. */
export function mergeIn(repository: Repository, theirs: string, request: MergeRequest): MergeOutcome {
  const { refs, objects, index } = repository;
  const { head } = refs;
  if (index.hasConflicts) throw unmerged(index.conflicts, "Merging");
  if (mergeHeads(repository).length > 0) {
    throw fatal(
      "You have not concluded your merge (MERGE_HEAD exists).\nPlease, commit your changes before you merge.",
      "EMERGING",
    );
  }
  const other = readCommit(objects, theirs);
  if (head === undefined) {
    switchTree(repository, undefined, other.tree, WORDS);
    refs.update("HEAD", theirs, `${request.log}: Fast-forward`);
    return { kind: "fast-forward", oid: theirs, from: undefined };
  }
  const bases = mergeBases(objects, head, theirs);
  if (bases[0] === theirs) return { kind: "up-to-date", oid: head };
  const isForward = bases[0] === head;
  if (request.fastForward === "only" && !isForward) {
    throw fatal("Not possible to fast-forward, aborting.", "ENOTFORWARD");
  }
  if (isForward && (request.squash || request.fastForward !== "no")) request.forwarding?.(head, theirs);
  if (isForward && request.fastForward !== "no" && !request.squash) {
    switchTree(repository, headTree(repository), other.tree, WORDS);
    repository.setState("ORIG_HEAD", `${head}\n`);
    refs.update("HEAD", theirs, `${request.log}: Fast-forward`);
    return { kind: "fast-forward", oid: theirs, from: head };
  }
  if (bases.length === 0 && !request.unrelated) throw fatal("refusing to merge unrelated histories", "EUNRELATED");
  if (isForward && request.squash) {
    switchTree(repository, headTree(repository), other.tree, WORDS);
    writeSquash(repository, head, theirs);
    return { kind: "squashed-forward", oid: theirs, from: head };
  }
  refuseStaged(repository);
  const ours = readCommit(objects, head).tree;
  const merged = request.oursOnly
    ? { paths: [], messages: [] }
    : mergeTrees(
        objects,
        { base: virtualBase(objects, bases), ours, theirs: other.tree },
        { ours: "HEAD", theirs: request.name, favour: request.favour },
      );
  const conflicts = putMerged(repository, merged, ours);
  repository.setState("ORIG_HEAD", `${head}\n`);
  if (request.squash) {
    writeSquash(repository, head, theirs);
    return conflicts.length > 0
      ? { kind: "conflict", messages: merged.messages }
      : { kind: "stopped", messages: merged.messages };
  }
  if (conflicts.length > 0 || request.commit === false) {
    repository.setState("MERGE_HEAD", `${theirs}\n`);
    repository.setState("MERGE_MODE", request.fastForward === "no" ? "no-ff" : "");
    const comment = conflicts.length === 0 ? "" : `\n# Conflicts:\n${conflicts.map((path) => `#\t${path}\n`).join("")}`;
    repository.setState("MERGE_MSG", `${tidyMessage(request.message)}${comment}`);
    return { kind: conflicts.length > 0 ? "conflict" : "stopped", messages: merged.messages };
  }
  const author = repository.person("author", request.author);
  const committer = repository.person("committer", request.committer ?? request.author);
  const tree = writeTree(objects, repository.index);
  const oid = objects.write(
    "commit",
    commitBytes({ tree, parents: [head, theirs], author, committer, message: tidyMessage(request.message) }),
  );
  objects.flush();
  refs.update("HEAD", oid, `${request.log}: Merge made by the '${request.oursOnly ? "ours" : "ort"}' strategy.`);
  return { kind: "made", oid, from: head, messages: merged.messages };
}

/** The base of a merge: where several are as good, they are merged first. */
function virtualBase(objects: Repository["objects"], bases: readonly string[]): string | undefined {
  let tree = bases[0] === undefined ? undefined : readCommit(objects, bases[0]).tree;
  for (const next of bases.slice(1)) {
    const [first] = mergeBases(objects, bases[0]!, next);
    const base = first === undefined ? undefined : readCommit(objects, first).tree;
    const labels = { ours: "Temporary merge branch 1", theirs: "Temporary merge branch 2" };
    const { paths } = mergeTrees(objects, { base, ours: tree!, theirs: readCommit(objects, next).tree }, labels);
    const files = flattenTree(objects, tree);
    for (const { path, result } of paths) {
      if (result?.oid === undefined) files.delete(path);
      else files.set(path, { mode: result.mode, oid: result.oid, name: path });
    }
    tree = nestedTree(objects, files);
  }
  return tree;
}

function nestedTree(objects: Repository["objects"], files: ReadonlyMap<string, TreeEntry>): string {
  const groups = Map.groupBy(files, ([path]) => (path.includes("/") ? path.slice(0, path.indexOf("/")) : ""));
  const entries: TreeEntry[] = [];
  for (const [directory, members] of groups) {
    if (directory === "") for (const [path, { mode, oid }] of members) entries.push({ mode, oid, name: path });
    else {
      const below = new Map(members.map(([path, entry]) => [path.slice(directory.length + 1), entry]));
      entries.push({ mode: DIRECTORY, name: directory, oid: nestedTree(objects, below) });
    }
  }
  return objects.write("tree", treeBytes(entries));
}

function refuseStaged(repository: Repository): void {
  const staged = diffTreeIndex(repository.objects, headTree(repository), repository.index);
  if (staged.length === 0) return;
  const list = `  ${staged.map(({ path }) => path).join(" ")}\n`;
  throw new CommandFailure(
    "EOVERWRITE",
    `error: Your local changes to the following files would be overwritten by merge:\n${list}Merge with strategy ort failed.`,
    2,
  );
}

/** Puts a merged tree into the index and the work tree; the paths in conflict. */
export function putMerged(repository: Repository, { paths }: MergedTrees, ours: string): string[] {
  const { index, objects } = repository;
  const changes = paths.map(({ path, result }): Change => {
    const entry = entryAt(objects, ours, path);
    return changeOf(path, entry === undefined || entry.mode === DIRECTORY ? undefined : entry, result);
  });
  const moving = changes.filter(({ old, next }) => old?.oid !== next?.oid || old?.mode !== next?.mode);
  try {
    applyChanges(
      repository,
      moving.filter(({ old, next }) => old !== undefined || next !== undefined),
      WORDS,
    );
  } catch (error) {
    if (!(error instanceof CommandFailure) || error.code !== "EOVERWRITE") throw error;
    throw new CommandFailure(error.code, `${error.stderr}Merge with strategy ort failed.`, 2);
  }
  for (const { path, conflict } of paths) {
    if (conflict === undefined) continue;
    const sides = conflict.flatMap((side, i) =>
      side?.oid === undefined ? [] : [indexEntry(path, side.mode, side.oid, i + 1)],
    );
    index.setConflict(path, sides);
  }
  return index.conflicts;
}

function writeSquash(repository: Repository, head: string, theirs: string): void {
  const { objects } = repository;
  const lines: string[] = ["Squashed commit of the following:\n"];
  for (
    let at: string | undefined = theirs;
    at !== undefined && !isAncestor(objects, at, head);
    at = readCommit(objects, at).parents[0]
  ) {
    const { message, author } = readCommit(objects, at);
    lines.push(
      `\ncommit ${at}\nAuthor: ${author.name} <${author.email}>\n\n${message
        .trimEnd()
        .split("\n")
        .map((line) => `    ${line}\n`)
        .join("")}`,
    );
  }
  repository.setState("SQUASH_MSG", lines.join(""));
}

/** The message of a merge that nobody gave one for. */
export function mergeMessage(repository: Repository, name: string): string {
  const full = fullRef(repository, name);
  const kind = full?.startsWith("refs/heads/")
    ? "branch"
    : full?.startsWith("refs/remotes/")
      ? "remote-tracking branch"
      : full?.startsWith("refs/tags/")
        ? "tag"
        : "commit";
  return `Merge ${kind} '${full === undefined || full === "HEAD" ? name : shortName(full)}'${intoText(repository)}\n`;
}

/** ` into x`, unless it is the main branch. */
export function intoText({ refs }: Repository): string {
  const branch = refs.branch === undefined ? "HEAD" : shortName(refs.branch);
  return branch === "main" || branch === "master" ? "" : ` into ${branch}`;
}

/** Gives a merge up: what it changed is as it was in HEAD. */
export function abortMerge(repository: Repository): void {
  const { index, objects } = repository;
  if (mergeHeads(repository).length === 0) throw fatal("There is no merge to abort (MERGE_HEAD missing).", "ENOMERGE");
  const tree = headTree(repository);
  const head = flattenTree(objects, tree);
  const touched = new Set(index.conflicts);
  for (const { path } of diffTreeIndex(objects, tree, index)) touched.add(path);
  for (const path of touched) {
    const side = head.get(path);
    if (side === undefined) {
      removeWorkFile(repository, path);
      index.remove(path);
    } else {
      const entry = index.get(path);
      const attr = repository.statInWorkTree(path);
      const clean =
        entry?.oid === side.oid &&
        attr !== undefined &&
        attr.kind !== "dir" &&
        workStatus(repository, entry, attr) === undefined;
      if (!clean) index.set(writeWorkFile(repository, path, side.mode, side.oid));
    }
  }
  endMerge(repository);
}

export function endMerge(repository: Repository): void {
  for (const name of ["MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "SQUASH_MSG", "AUTO_MERGE"])
    repository.setState(name, undefined);
}
