/** `git merge`. */

import type { Command, CommandContext } from "../cli/command.ts";
import type { Args } from "../cli/flags.ts";
import { tidyMessage } from "../cli/message.ts";
import { type Change, changeOf } from "../diff/change.ts";
import { DiffContents } from "../diff/diff-contents.ts";
import { fileStat, statText, summaryText } from "../diff/diff-stat.ts";
import { diffTreeIndex, diffTrees } from "../diff/tree-diff.ts";
import { CommandFailure, fatal, GitError } from "../git-error.ts";
import { isAncestor, mergeBases } from "../history/ancestry.ts";
import { indexEntry } from "../index-file/index-entry.ts";
import { writeTree } from "../index-file/write-tree.ts";
import type { MergeLabels } from "../merge/merge-lines.ts";
import { type MergedTrees, mergeTrees } from "../merge/merge-trees.ts";
import { commitBytes } from "../objects/commit.ts";
import { entryAt, flattenTree, readCommit } from "../objects/read-objects.ts";
import { DIRECTORY, type TreeEntry, treeBytes } from "../objects/tree.ts";
import type { GitIdentity } from "../repository/identity.ts";
import { shortName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";
import { abbreviate, commitOf, fullRef, headTree } from "../repository/rev-parse.ts";
import { workStatus } from "../worktree/scan.ts";
import { withRenames } from "../worktree/status.ts";
import { applyChanges, switchTree } from "../worktree/switch-tree.ts";
import { removeWorkFile, writeWorkFile } from "../worktree/work-file.ts";
import { mergeHeads, unmerged } from "./commit.ts";

export interface GitMergeOptions {
  dir?: string | undefined;
  /** What is merged in. */
  theirs: string;
  /** The branch that it is merged into; the current one. */
  ours?: string | undefined;
  /** Default true: a branch that has nothing of its own just moves. */
  fastForward?: boolean | undefined;
  fastForwardOnly?: boolean | undefined;
  message?: string | undefined;
  author?: { name: string; email: string } | undefined;
  committer?: { name: string; email: string } | undefined;
  env?: Record<string, string> | undefined;
}

export interface MergeResult {
  oid?: string | undefined;
  alreadyMerged?: boolean | undefined;
  fastForward?: boolean | undefined;
}

const WORDS = { what: "merge", before: "merge" } as const;

/** Merges into the current branch. A conflict is `ECONFLICT`: its files are left with markers, to be resolved and committed. */
export function merge(repository: Repository, options: GitMergeOptions): MergeResult | GitError {
  const { theirs, ours } = options;
  if (ours !== undefined && fullRef(repository, ours) !== repository.refs.branch) {
    throw fatal(`unsupported: merging into '${ours}', which is not checked out`, "EUNSUPPORTED");
  }
  const outcome = mergeIn(repository, commitOf(repository, theirs), {
    name: theirs,
    message: options.message ?? mergeMessage(repository, theirs),
    fastForward: options.fastForwardOnly ? "only" : options.fastForward === false ? "no" : "yes",
    author: options.author,
    committer: options.committer,
    log: `merge ${theirs}`,
  });
  if (outcome.kind === "up-to-date") return { oid: outcome.oid, alreadyMerged: true };
  if (outcome.kind === "fast-forward") return { oid: outcome.oid, fastForward: true };
  if (outcome.kind === "made" || outcome.kind === "squashed-forward") return { oid: outcome.oid };
  return new GitError(
    "ECONFLICT",
    `Automatic merge failed; fix conflicts and then commit the result.\n${outcome.messages.join("\n")}`,
  );
}

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

export const mergeCommand: Command = {
  usage: "[<options>] [<commit>...]\n--abort\n--continue",
  flags: [
    "-n --no-stat",
    "--stat",
    "--summary",
    "--log[=<n>]",
    "--squash",
    "--commit",
    "-e --edit",
    "--ff",
    "--ff-only",
    "-s --strategy <strategy>",
    "-X --strategy-option <option>...",
    "-m --message <message>...",
    "-F --file <path>",
    "-v --verbose",
    "-q --quiet",
    "--abort",
    "--quit",
    "--continue",
    "--allow-unrelated-histories",
    "--progress",
    "--no-verify",
    "-S --gpg-sign[=<key>]",
    "--into-name <branch>",
    "--autostash",
    "--signoff",
    "--rerere-autoupdate",
  ],
  run(context, args) {
    const { repository } = context;
    if (args.has("abort")) return abortMerge(repository);
    if (args.has("quit")) return endMerge(repository);
    if (args.has("continue")) return continueMerge(context);
    const strategy = args.value("strategy");
    if (strategy !== undefined && !["ort", "recursive", "resolve", "ours"].includes(strategy))
      throw fatal(`unsupported: the merge strategy '${strategy}'`, "EUNSUPPORTED");
    const names = args.everything;
    if (names.length > 1) throw fatal("unsupported: merging more than one branch at once", "EUNSUPPORTED");
    const [name] = names;
    if (name === undefined) throw fatal("No remote for the current branch.");
    const other = mergeable(repository, name);
    const outcome = mergeIn(repository, other, {
      ...requestOf(repository, args, name),
      forwarding: tellForwarding(context, args),
    });
    return tellMerge(context, args, outcome);
  },
};

function mergeable(repository: Repository, name: string): string {
  try {
    return commitOf(repository, name);
  } catch (error) {
    if (!(error instanceof CommandFailure) || error.code !== "EREVISION") throw error;
    throw new CommandFailure("EREVISION", `merge: ${name} - not something we can merge`, 1);
  }
}

function requestOf(repository: Repository, args: Args, name: string): MergeRequest {
  const options = args.all("strategy-option");
  for (const option of options)
    if (!["ours", "theirs", "patience", "histogram", "no-renames"].includes(option))
      throw fatal(`unsupported: the merge option -X ${option}`, "EUNSUPPORTED");
  const favour = options.find((option) => option === "ours" || option === "theirs") as "ours" | "theirs" | undefined;
  const setting = repository.config.get("merge.ff");
  const forward = args.has("ff-only")
    ? "only"
    : args.flag("ff") === false
      ? "no"
      : args.flag("ff") === true
        ? "yes"
        : setting === "only"
          ? "only"
          : setting === "false"
            ? "no"
            : "yes";
  const messages = args.all("message");
  return {
    name,
    message: messages.length > 0 ? messages.join("\n\n") : mergeMessage(repository, name),
    fastForward: forward,
    log: `merge ${name}`,
    commit: args.flag("commit"),
    squash: args.has("squash"),
    unrelated: args.has("allow-unrelated-histories"),
    favour,
    oursOnly: args.value("strategy") === "ours",
  };
}

/** Says of a branch that just moves from where to where. */
export function tellForwarding(context: CommandContext, args: Args): (from: string, to: string) => void {
  return (from, to) => {
    if (args.has("quiet")) return;
    context.out(`Updating ${abbreviate(context.repository, from)}..${abbreviate(context.repository, to)}\n`);
  };
}

/** Says what came of a merge, as `merge` and `pull` do; the exit code. */
export function tellMerge(context: CommandContext, args: Args, outcome: MergeOutcome): number {
  const { repository } = context;
  const quiet = args.has("quiet");
  const stat = (from: string | undefined, to: string): string => {
    const { objects } = repository;
    if (args.flag("stat") === false || args.has("no-stat")) return "";
    const before = from === undefined ? undefined : readCommit(objects, from).tree;
    const changes = withRenames(repository, diffTrees(objects, before, readCommit(objects, to).tree));
    const contents = new DiffContents(repository);
    return statText(changes.map((change) => fileStat(change, contents))) + summaryText(changes);
  };
  switch (outcome.kind) {
    case "up-to-date":
      if (!quiet) context.line(`Already up to date.${args.has("squash") ? " (nothing to squash)" : ""}`);
      return 0;
    case "fast-forward":
      if (quiet || outcome.from === undefined) return 0;
      context.out(`Fast-forward\n${stat(outcome.from, outcome.oid)}`);
      return 0;
    case "squashed-forward":
      context.out(`Fast-forward\nSquash commit -- not updating HEAD\n${stat(outcome.from, outcome.oid)}`);
      return 0;
    case "made":
      for (const message of outcome.messages) context.line(message);
      if (!quiet)
        context.out(
          `Merge made by the '${args.value("strategy") === "ours" ? "ours" : "ort"}' strategy.\n${stat(outcome.from, outcome.oid)}`,
        );
      return 0;
    case "stopped":
      for (const message of outcome.messages) context.line(message);
      if (args.has("squash")) context.line("Squash commit -- not updating HEAD");
      context.err("Automatic merge went well; stopped before committing as requested\n");
      return 0;
    case "conflict":
      for (const message of outcome.messages) context.line(message);
      context.line("Automatic merge failed; fix conflicts and then commit the result.");
      return 1;
  }
}

function continueMerge(context: CommandContext): number {
  const { repository } = context;
  const heads = mergeHeads(repository);
  if (heads.length === 0) throw fatal("There is no merge in progress (MERGE_HEAD missing).", "ENOMERGE");
  if (repository.index.hasConflicts) throw unmerged(repository.index.conflicts, "Committing");
  const { objects, refs, index } = repository;
  const message = tidyMessage(repository.state("MERGE_MSG") ?? "", { comments: true });
  const tree = writeTree(objects, index);
  const parents = [refs.head!, ...heads];
  const oid = objects.write(
    "commit",
    commitBytes({
      tree,
      parents,
      author: repository.person("author"),
      committer: repository.person("committer"),
      message,
    }),
  );
  objects.flush();
  refs.update("HEAD", oid, `commit (merge): ${message.split("\n")[0] ?? ""}`);
  endMerge(repository);
  context.line(
    `[${refs.branch === undefined ? "detached HEAD" : shortName(refs.branch)} ${abbreviate(repository, oid)}] ${message.split("\n")[0] ?? ""}`,
  );
  return 0;
}
