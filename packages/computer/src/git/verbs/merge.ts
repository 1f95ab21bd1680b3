/** `git merge`. */

import type { Command, CommandContext } from "../cli/command.ts";
import type { Args } from "../cli/flags.ts";
import { tidyMessage } from "../cli/message.ts";
import { DiffContents } from "../diff/diff-contents.ts";
import { fileStat, statText, summaryText } from "../diff/diff-stat.ts";
import { diffTrees } from "../diff/tree-diff.ts";
import { CommandFailure, fatal, GitError } from "../git-error.ts";
import { writeTree } from "../index-file/write-tree.ts";
import {
  abortMerge,
  endMerge,
  type MergeOutcome,
  type MergeRequest,
  mergeIn,
  mergeMessage,
} from "../merge/merge-in.ts";
import { mergeHeads, unmerged } from "../merge/merge-state.ts";
import { commitBytes } from "../objects/commit.ts";
import { readCommit } from "../objects/read-objects.ts";
import { shortName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";
import { abbreviate, commitOf, fullRef } from "../repository/rev-parse.ts";
import { withRenames } from "../worktree/status.ts";

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
      if (args.has("squash")) context.line("Squash commit -- not updating HEAD");
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
