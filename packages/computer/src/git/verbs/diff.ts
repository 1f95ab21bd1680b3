/** `git diff`. */

import { compareNames } from "@cloudflare/dofs";
import type { Command, CommandContext } from "../cli/command.ts";
import { DIFF_FLAGS, diffOutput, diffText, shownChanges } from "../cli/diff-output.ts";
import { Args } from "../cli/flags.ts";
import { splitRevisions } from "../cli/revisions-and-paths.ts";
import { type Change, changeOf, type Side } from "../diff/change.ts";
import { DiffContents } from "../diff/diff-contents.ts";
import { fileStat } from "../diff/diff-stat.ts";
import { diffTreeIndex, diffTrees } from "../diff/tree-diff.ts";
import { fatal } from "../git-error.ts";
import { mergeBases } from "../history/ancestry.ts";
import { Pathspec, pathspecOf } from "../ignore/pathspec.ts";
import { modeOf } from "../index-file/index-entry.ts";
import { flattenTree } from "../objects/read-objects.ts";
import type { Repository } from "../repository/repository.ts";
import { commitOf, headTree, revision, treeOf } from "../repository/rev-parse.ts";
import { scanWorkTree } from "../worktree/scan.ts";

export interface GitDiffOptions {
  dir?: string | undefined;
  /** The revision that is compared with; the index where none is given. */
  ref?: string | undefined;
  /** The revision that is compared; the work tree where none is given. */
  to?: string | undefined;
  paths?: string[] | undefined;
}

export interface DiffSummaryEntry {
  path: string;
  status: "A" | "M" | "D";
  insertions: number;
  deletions: number;
}

/** A patch of what differs. */
export function diff(repository: Repository, options: GitDiffOptions & { cwd: string }): string {
  const args = new Args(new Map(), [], undefined);
  const output = diffOutput(repository, args, ["patch"]);
  return diffText(output, shownChanges(output, changesFor(repository, options)));
}

/** What differs, path by path, with the lines that came and went; renames as a deletion and an addition. */
export function diffSummary(repository: Repository, options: GitDiffOptions & { cwd: string }): DiffSummaryEntry[] {
  const contents = new DiffContents(repository);
  return changesFor(repository, options).map((change) => {
    const { added, deleted, binary } = fileStat(change, contents);
    const status = change.status === "A" || change.status === "D" ? change.status : "M";
    return { path: change.path, status, insertions: binary ? 0 : added, deletions: binary ? 0 : deleted };
  });
}

function changesFor(repository: Repository, { ref, to, paths = [], cwd }: GitDiffOptions & { cwd: string }): Change[] {
  const pathspec = repository.isBare ? new Pathspec([]) : pathspecOf(paths, cwd, repository.workTree);
  if (to !== undefined)
    return filtered(diffTrees(repository.objects, treeOf(repository, ref ?? "HEAD"), treeOf(repository, to)), pathspec);
  return ref === undefined
    ? workTreeChanges(repository, pathspec)
    : changesFromTree(repository, treeOf(repository, ref), pathspec);
}

/** What the work tree has that the index has not. */
export function workTreeChanges(repository: Repository, pathspec: Pathspec): Change[] {
  const { index } = repository;
  const scan = scanWorkTree(repository, { untracked: "no", pathspec });
  const changes = index.conflicts
    .filter((path) => pathspec.matches(path))
    .map((path) => conflictChange(repository, path));
  for (const [path, { status, mode, oid }] of scan.changes) {
    if (index.conflict(path).length > 0) continue;
    const entry = index.get(path)!;
    const next: Side | undefined = status === "D" ? undefined : { mode: mode ?? entry.mode, oid };
    const content =
      status === "M" && oid === undefined && next !== undefined && sameContent(repository, path, entry.oid)
        ? { ...next, oid: entry.oid }
        : next;
    changes.push(changeOf(path, entry.intentToAdd ? undefined : entry, content));
  }
  return changes.sort((a, b) => compareNames(a.path, b.path));
}

/** A path in conflict: where both sides have it, the file beside both of them. */
function conflictChange(repository: Repository, path: string): Change {
  const sides = repository.index.conflict(path).filter(({ stage }) => stage > 1);
  const attr = repository.statInWorkTree(path);
  if (sides.length < 2) return { status: "U", path };
  const next = attr === undefined || attr.kind === "dir" ? undefined : { mode: modeOf(attr), oid: undefined };
  return { status: "U", path, parents: sides, next };
}

function sameContent(repository: Repository, path: string, oid: string): boolean {
  return (
    new DiffContents(repository).oid({ status: "M", path, next: { mode: 0o100644, oid: undefined } }, "next") === oid
  );
}

/** What the work tree has that a tree has not. */
function changesFromTree(repository: Repository, tree: string, pathspec: Pathspec): Change[] {
  const { index } = repository;
  const scan = scanWorkTree(repository, { untracked: "no", pathspec });
  const old = flattenTree(repository.objects, tree);
  const changes: Change[] = [];
  for (const path of new Set([...old.keys(), ...index.paths])) {
    if (!pathspec.matches(path)) continue;
    const before = old.get(path);
    const next = workSide(repository, path, scan.changes.get(path));
    if (index.conflict(path).length > 0) {
      if (before !== undefined && next !== undefined) changes.push({ status: "U", path }, changeOf(path, before, next));
      else changes.push({ status: "U", path });
      continue;
    }
    if (before === undefined && next === undefined) continue;
    const known =
      next !== undefined && next.oid === undefined && before !== undefined && sameContent(repository, path, before.oid)
        ? { ...next, oid: before.oid }
        : next;
    if (before?.oid === known?.oid && before?.mode === known?.mode) continue;
    changes.push(changeOf(path, before, known));
  }
  return changes.sort((a, b) => compareNames(a.path, b.path));
}

function workSide(
  repository: Repository,
  path: string,
  change: ReturnType<typeof scanWorkTree>["changes"] extends Map<string, infer V> ? V | undefined : never,
): Side | undefined {
  const { index } = repository;
  const entry = index.get(path);
  if (entry === undefined) {
    const attr = index.conflict(path).length > 0 ? repository.statInWorkTree(path) : undefined;
    return attr === undefined || attr.kind === "dir" ? undefined : { mode: modeOf(attr), oid: undefined };
  }
  if (change === undefined) return entry;
  return change.status === "D" ? undefined : { mode: change.mode ?? entry.mode, oid: change.oid };
}

function filtered(changes: readonly Change[], pathspec: Pathspec): Change[] {
  return changes.filter(({ path }) => pathspec.matches(path));
}

export const diffCommand: Command = {
  usage:
    "[<options>] [<commit>] [--] [<path>...]\n[<options>] --cached [<commit>] [--] [<path>...]\n[<options>] <commit>..<commit> [--] [<path>...]",
  flags: [
    ...DIFF_FLAGS,
    "--cached",
    "--staged",
    "-q --quiet",
    "--merge-base",
    "--no-index",
    "-R",
    "--check",
    "-b --ignore-space-change",
    "-w --ignore-all-space",
    "--ignore-blank-lines",
  ],
  run(context, args) {
    const { repository } = context;
    for (const flag of ["no-index", "ignore-space-change", "ignore-all-space", "ignore-blank-lines", "check", "R"]) {
      if (args.has(flag)) throw fatal(`unsupported: git diff with the option '${flag}'`, "EUNSUPPORTED");
    }
    const { revisions, paths } = splitRevisions(context, args);
    const pathspec = paths.length === 0 ? new Pathspec([]) : context.pathspec(paths);
    const output = diffOutput(repository, args, args.has("quiet") ? [] : ["patch"]);
    const changes = shownChanges(
      output,
      changesOf(context, revisions, args.has("cached") || args.has("staged"), pathspec, args.has("merge-base")),
    );
    if (!args.has("quiet")) context.out(diffText(output, changes));
    return (args.has("exit-code") || args.has("quiet")) && changes.length > 0 ? 1 : 0;
  },
};

function changesOf(
  context: CommandContext,
  revisions: readonly string[],
  cached: boolean,
  pathspec: Pathspec,
  fromBase: boolean,
): Change[] {
  const { repository } = context;
  const { objects } = repository;
  const [first, second] = revisions;
  if (cached) {
    const tree = first === undefined ? headTree(repository) : treeOf(repository, first);
    return filtered(diffTreeIndex(objects, tree, repository.index), pathspec);
  }
  if (first === undefined) return workTreeChanges(repository, pathspec);
  const range = /^(.*?)(\.\.\.?)(.*)$/.exec(first);
  if (range !== null && second === undefined) {
    const [a, b] = [range[1] === "" ? "HEAD" : range[1]!, range[3] === "" ? "HEAD" : range[3]!];
    const from = range[2] === "..." ? baseOf(repository, a, b) : a;
    return filtered(diffTrees(objects, treeOf(repository, from), treeOf(repository, b)), pathspec);
  }
  if (second !== undefined) {
    if (revisions.length > 2) throw fatal("unsupported: git diff of more than two revisions", "EUNSUPPORTED");
    const blobs = revisions.map((text) => revision(repository, text, context.cwd));
    if (blobs.every((oid) => objects.read(oid).type === "blob")) {
      const name = (text: string): string => text.slice(text.indexOf(":") + 1);
      const [old, next] = blobs.map((oid) => ({ mode: 0o100644, oid }));
      return blobs[0] === blobs[1] ? [] : [{ status: "M", path: name(second), old, next }];
    }
    const from = fromBase ? baseOf(repository, first, second) : first;
    return filtered(diffTrees(objects, treeOf(repository, from), treeOf(repository, second)), pathspec);
  }
  return changesFromTree(
    repository,
    treeOf(repository, fromBase ? baseOf(repository, first, "HEAD") : first),
    pathspec,
  );
}

function baseOf(repository: Repository, a: string, b: string): string {
  const [base] = mergeBases(repository.objects, commitOf(repository, a), commitOf(repository, b));
  if (base === undefined) throw fatal(`${a}...${b}: no merge base`);
  return base;
}
