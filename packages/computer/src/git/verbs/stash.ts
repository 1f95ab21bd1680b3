/** `git stash`. */

import type { Command, CommandContext } from "../cli/command.ts";
import { DIFF_FLAGS, diffOutput, diffText, shownChanges } from "../cli/diff-output.ts";
import { type Args, parseFlags } from "../cli/flags.ts";
import { diffTreeIndex, diffTrees } from "../diff/tree-diff.ts";
import { CommandFailure, failed, fatal, GitError } from "../git-error.ts";
import { Pathspec } from "../ignore/pathspec.ts";
import { GitIndex } from "../index-file/git-index.ts";
import { indexEntry } from "../index-file/index-entry.ts";
import { writeTree } from "../index-file/write-tree.ts";
import { putMerged } from "../merge/merge-in.ts";
import { mergeTrees } from "../merge/merge-trees.ts";
import { commitBytes, subjectOf } from "../objects/commit.ts";
import { NULL_OID } from "../objects/object-id.ts";
import { flattenTree, readCommit } from "../objects/read-objects.ts";
import { shortName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";
import { abbreviate, headTree, resolveRevision } from "../repository/rev-parse.ts";
import { longStatus } from "../worktree/long-status.ts";
import { scanWorkTree } from "../worktree/scan.ts";
import { statusOf } from "../worktree/status.ts";
import { resetToTree } from "../worktree/switch-tree.ts";
import { fileContents, stagedMode, writeWorkFile } from "../worktree/work-file.ts";
import { resetPaths } from "./reset.ts";
import { createBranch, goTo } from "./switch.ts";

export interface StashPushOptions {
  message?: string | undefined;
  dir?: string | undefined;
}

export interface StashPopOptions {
  /** Which one, 0 the newest. Default 0. */
  index?: number | undefined;
  dir?: string | undefined;
}

const REF = "refs/stash";

/** Puts local changes aside; where there are none nothing happens. */
export function stashPush(repository: Repository, { message }: StashPushOptions = {}): void {
  push(repository, { message });
}

/** What is put aside, the newest first. */
export function stashList(repository: Repository): string[] {
  return repository.refs
    .log(REF)
    .toReversed()
    .map(({ message }) => message);
}

/** Brings changes back that were put aside, and forgets them. On a conflict, `ECONFLICT`, they are kept. */
export function stashPop(repository: Repository, { index = 0 }: StashPopOptions = {}): GitError | undefined {
  const messages = apply(repository, stashAt(repository, index).to, false);
  if (messages !== undefined) return new GitError("ECONFLICT", messages.join("\n"));
  drop(repository, index);
  return undefined;
}

interface PushPlan {
  readonly message?: string | undefined;
  readonly untracked?: boolean | undefined;
  readonly ignored?: boolean | undefined;
  readonly keepIndex?: boolean | undefined;
  readonly stagedOnly?: boolean | undefined;
  readonly pathspec?: Pathspec | undefined;
}

/** What is said of the changes put aside; undefined where there are none. */
function push(repository: Repository, plan: PushPlan): string | undefined {
  const { refs, objects, index } = repository;
  const { head } = refs;
  const { pathspec = new Pathspec([]) } = plan;
  if (head === undefined) throw failed("You do not have the initial commit yet", 1, "EUNBORN");
  if (index.hasConflicts)
    throw new CommandFailure(
      "EUNMERGED",
      "error: could not write index",
      1,
      index.conflicts.map((path) => `${path}: needs merge\n`).join(""),
    );
  const scan = scanWorkTree(repository, {
    untracked: plan.untracked ? "all" : "no",
    ignored: plan.ignored === true,
    pathspec,
  });
  const staged = diffTreeIndex(objects, headTree(repository), index).filter(({ path }) => pathspec.matches(path));
  const others = plan.untracked
    ? [...scan.untracked, ...(plan.ignored ? scan.ignored : [])].filter((path) => !path.endsWith("/"))
    : [];
  if (staged.length === 0 && (plan.stagedOnly || (scan.changes.size === 0 && others.length === 0))) return undefined;
  const commit = readCommit(objects, head);
  const branch = refs.branch === undefined ? "(no branch)" : shortName(refs.branch);
  const base = `${branch}: ${abbreviate(repository, head)} ${subjectOf(commit.message)}`;
  const message = plan.message === undefined ? `WIP on ${base}` : `On ${branch}: ${plan.message}`;
  const person = repository.person("author");
  const committer = repository.person("committer");
  const make = (tree: string, parents: readonly string[], text: string): string =>
    objects.write("commit", commitBytes({ tree, parents, author: person, committer, message: text }));
  const indexTree = writeTree(objects, index);
  const ofIndex = make(indexTree, [head], `index on ${base}\n`);
  const work = new GitIndex(index.entries);
  if (!plan.stagedOnly) {
    for (const [path, { status, attr, oid }] of scan.changes) {
      if (status === "D") work.remove(path);
      else if (oid !== undefined) work.set(indexEntry(path, 0o160000, oid));
      else if (attr !== undefined)
        work.set(
          indexEntry(
            path,
            stagedMode(repository, path, attr),
            objects.write("blob", fileContents(repository, path, attr)),
          ),
        );
    }
  }
  const parents = [head, ofIndex];
  if (others.length > 0) {
    const entries = others.map((path) => {
      const attr = repository.statInWorkTree(path)!;
      return indexEntry(
        path,
        stagedMode(repository, path, attr),
        objects.write("blob", fileContents(repository, path, attr)),
      );
    });
    parents.push(make(writeTree(objects, new GitIndex(entries)), [], `untracked files on ${base}\n`));
  }
  const oid = make(writeTree(objects, work), parents, message);
  objects.flush();
  refs.update(REF, oid, message);
  for (const path of others) repository.files.remove(repository.inWorkTree(path));
  for (const path of others)
    repository.files.removeEmptyDirectories(directoryOf(repository.inWorkTree(path)), repository.workTree);
  const goal = plan.keepIndex ? indexTree : commit.tree;
  if (pathspec.isEmpty && !plan.stagedOnly) resetToTree(repository, goal, { files: true });
  else
    restorePaths(
      repository,
      goal,
      new Set([...staged.map(({ path }) => path), ...(plan.stagedOnly ? [] : scan.changes.keys())]),
    );
  return message;
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function restorePaths(repository: Repository, tree: string, paths: ReadonlySet<string>): void {
  const files = flattenTree(repository.objects, tree);
  const pathspec = new Pathspec(
    [...paths].map((path) => ({
      given: path,
      path,
      pattern: false,
      excluded: false,
      ignoreCase: false,
      glob: false,
      directory: false,
    })),
  );
  resetPaths(repository, tree, pathspec);
  for (const path of paths) {
    const side = files.get(path);
    if (side === undefined) repository.files.remove(repository.inWorkTree(path));
    else repository.index.set(writeWorkFile(repository, path, side.mode, side.oid));
  }
}

/** Merges what was put aside into what is there; what was said of a conflict, undefined where there was none. */
function apply(repository: Repository, oid: string, withIndex: boolean): string[] | undefined {
  const { objects, index } = repository;
  const stash = readCommit(objects, oid);
  const [base, staged, untracked] = stash.parents;
  if (base === undefined || staged === undefined) throw failed(`'${oid}' is not a stash-like commit`, 1, "ESTASH");
  if (index.hasConflicts)
    throw new CommandFailure(
      "EUNMERGED",
      "error: could not write index",
      1,
      index.conflicts.map((path) => `${path}: needs merge\n`).join(""),
    );
  const before = readCommit(objects, base).tree;
  const ours = writeTree(objects, index);
  if (untracked !== undefined) {
    const files = flattenTree(objects, readCommit(objects, untracked).tree);
    const there = [...files.keys()].filter((path) => repository.statInWorkTree(path) !== undefined);
    if (there.length > 0) {
      throw new CommandFailure(
        "EOVERWRITE",
        `${there.map((path) => `${path} already exists, no checkout\n`).join("")}error: could not restore untracked files from stash`,
        1,
      );
    }
    for (const [path, { mode, oid: blob }] of files) writeWorkFile(repository, path, mode, blob);
  }
  const labels = { ours: "Updated upstream", theirs: "Stashed changes" };
  const merged = mergeTrees(objects, { base: before, ours, theirs: stash.tree }, labels);
  const old = new GitIndex(index.entries, new Map(index.trees), index.time);
  const conflicts = putMergedStash(repository, merged, ours);
  if (conflicts.length > 0) {
    return [...merged.messages];
  }
  if (withIndex) {
    const indexTree = readCommit(objects, staged).tree;
    if (ours !== before) throw failed("conflicts in index. Try without --index.", 1, "ECONFLICT");
    const work = new Map(index.entries.map((entry) => [entry.path, entry]));
    resetToTree(repository, indexTree, { files: false });
    for (const entry of index.entries) {
      const same = work.get(entry.path);
      if (same?.oid === entry.oid) index.restamp({ ...entry, stamp: same.stamp });
    }
    return undefined;
  }
  // What is new stays staged; everything else is as it was before.
  const kept = new GitIndex([], new Map(), index.time);
  for (const entry of old.entries) {
    const now = index.get(entry.path);
    kept.set(now?.oid === entry.oid && now.mode === entry.mode ? now : entry);
  }
  for (const entry of index.entries) if (old.get(entry.path) === undefined) kept.set(entry);
  repository.replaceIndex(kept);
  return undefined;
}

function putMergedStash(repository: Repository, merged: Parameters<typeof putMerged>[1], ours: string): string[] {
  try {
    return putMerged(repository, merged, ours);
  } catch (error) {
    if (!(error instanceof CommandFailure) || error.code !== "EOVERWRITE") throw error;
    throw new CommandFailure(error.code, error.stderr.replace("Merge with strategy ort failed.\n", ""), 1);
  }
}

function stashAt(repository: Repository, index: number): { to: string; message: string } {
  const entries = repository.refs.log(REF).toReversed();
  const entry = entries[index];
  if (entry !== undefined) return entry;
  throw entries.length === 0
    ? new CommandFailure("ESTASH", "No stash entries found.", 1)
    : failed(`stash@{${index}} is not a valid reference`, 1, "ESTASH");
}

function drop(repository: Repository, index: number): void {
  const entries = repository.refs.log(REF);
  entries.splice(entries.length - 1 - index, 1);
  const chained = entries.map((entry, i) => ({ ...entry, from: i === 0 ? NULL_OID : entries[i - 1]!.to }));
  const last = chained.at(-1);
  if (last === undefined) repository.refs.delete(REF);
  else {
    repository.files.write(repository.refs.path(REF), `${last.to}\n`);
    repository.refs.rewriteLog(REF, chained);
  }
}

const PUSH_FLAGS = [
  "-m --message <message>",
  "-u --include-untracked",
  "-a --all",
  "-k --keep-index",
  "-q --quiet",
  "-p --patch",
  "-S --staged",
  "--pathspec-from-file <file>",
];

export const stashCommand: Command = {
  usage:
    "list [<options>]\nshow [<options>] [<stash>]\n(pop | apply) [--index] [-q] [<stash>]\nbranch <branchname> [<stash>]\ndrop [-q] [<stash>]\nclear\n[push [-m <message>] [-u] [-k] [-q] [--] [<pathspec>...]]",
  flags: [],
};

export function runStash(context: CommandContext, argv: readonly string[]): number {
  const { repository } = context;
  const verb = argv[0] === undefined || argv[0].startsWith("-") ? "push" : argv[0];
  const rest = verb === "push" && argv[0] !== "push" ? argv : argv.slice(1);
  const parsed = (...flags: string[]): Args => parseFlags("stash", stashCommand.usage, flags, rest);
  switch (verb) {
    case "push":
      return pushCommand(context, parsed(...PUSH_FLAGS), false);
    case "save":
      return pushCommand(context, parsed(...PUSH_FLAGS), true);
    case "list": {
      const limit =
        parsed("-n <n>", "--oneline", "-<number>", "--format <format>").number("number") ?? Number.POSITIVE_INFINITY;
      for (const [i, message] of stashList(repository).entries())
        if (i < limit) context.line(`stash@{${i}}: ${message}`);
      return 0;
    }
    case "apply":
    case "pop": {
      const args = parsed("--index", "-q --quiet");
      const index = indexOf(args.everything[0]);
      const { to } = stashAt(repository, index ?? 0);
      const oid = index === undefined ? resolveRevision(repository, args.everything[0]!) : to;
      if (oid === undefined) throw failed(`${args.everything[0]} is not a valid reference`, 1, "ESTASH");
      const messages = apply(repository, oid, args.has("index"));
      for (const message of messages ?? []) context.line(message);
      if (!args.has("quiet")) context.out(longStatus(context, statusOf(repository), { untracked: true }));
      if (messages !== undefined) {
        if (verb === "pop") context.line("The stash entry is kept in case you need it again.");
        return 1;
      }
      if (verb === "pop") {
        drop(repository, index ?? 0);
        if (!args.has("quiet")) context.line(`Dropped ${shownStash(args.everything[0], index ?? 0)} (${oid})`);
      }
      return 0;
    }
    case "drop": {
      const args = parsed("-q --quiet");
      const index = indexOf(args.everything[0]) ?? 0;
      const { to } = stashAt(repository, index);
      drop(repository, index);
      if (!args.has("quiet")) context.line(`Dropped ${shownStash(args.everything[0], index)} (${to})`);
      return 0;
    }
    case "clear":
      repository.refs.delete(REF);
      return 0;
    case "show": {
      const args = parsed(...DIFF_FLAGS, "-u --include-untracked");
      const { to } = stashAt(repository, indexOf(args.everything[0]) ?? 0);
      const stash = readCommit(repository.objects, to);
      const output = diffOutput(repository, args, ["stat"]);
      const changes = diffTrees(repository.objects, readCommit(repository.objects, stash.parents[0]!).tree, stash.tree);
      context.out(diffText(output, shownChanges(output, changes)));
      return 0;
    }
    case "branch": {
      const [name, which] = parsed().everything;
      if (name === undefined) throw fatal("No branch name specified", "EUSAGE");
      const { to } = stashAt(repository, indexOf(which) ?? 0);
      createBranch(repository, name, { start: readCommit(repository.objects, to).parents[0] });
      goTo(repository, name, { say: context });
      const messages = apply(repository, to, true);
      context.out(longStatus(context, statusOf(repository), { untracked: true }));
      if (messages !== undefined) return 1;
      drop(repository, indexOf(which) ?? 0);
      context.line(`Dropped ${shownStash(which, indexOf(which) ?? 0)} (${to})`);
      return 0;
    }
  }
  throw new CommandFailure(
    "EUSAGE",
    `fatal: subcommand wasn't specified; 'push' can't be assumed due to unexpected token '${verb}'`,
    128,
  );
}

function shownStash(given: string | undefined, index: number): string {
  return given === undefined || /^\d+$/.test(given) ? `refs/stash@{${index}}` : given;
}

function indexOf(text: string | undefined): number | undefined {
  if (text === undefined) return 0;
  const match = /^(?:(?:refs\/)?stash@\{)?(\d+)\}?$/.exec(text);
  if (match !== null) return Number(match[1]);
  return text === "stash" || text === REF ? 0 : undefined;
}

function pushCommand(context: CommandContext, args: Args, save: boolean): number {
  const { repository } = context;
  if (args.has("patch")) throw fatal("unsupported: git stash --patch", "EUNSUPPORTED");
  const paths = save ? [] : args.everything;
  const message = save && args.everything.length > 0 ? args.everything.join(" ") : args.value("message");
  const said = push(repository, {
    message,
    untracked: args.has("include-untracked") || args.has("all"),
    ignored: args.has("all"),
    keepIndex: args.has("keep-index"),
    stagedOnly: args.has("staged"),
    pathspec: paths.length === 0 ? undefined : context.pathspec(paths),
  });
  if (args.has("quiet")) return 0;
  context.line(said === undefined ? "No local changes to save" : `Saved working directory and index state ${said}`);
  return 0;
}
