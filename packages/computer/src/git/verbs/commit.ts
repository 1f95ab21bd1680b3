/** `git commit`. */

import { absolutePath } from "../../files/absolute-path.ts";
import type { Command, CommandContext } from "../cli/command.ts";
import type { Args } from "../cli/flags.ts";
import { tidyMessage } from "../cli/message.ts";
import { DiffContents } from "../diff/diff-contents.ts";
import { fileStat, summaryText, totalsText } from "../diff/diff-stat.ts";
import { diffTrees } from "../diff/tree-diff.ts";
import { CommandFailure, fatal, GitError } from "../git-error.ts";
import { Pathspec } from "../ignore/pathspec.ts";
import { GitIndex } from "../index-file/git-index.ts";
import { indexEntry } from "../index-file/index-entry.ts";
import { writeTree } from "../index-file/write-tree.ts";
import { mergeHeads, unmerged } from "../merge/merge-state.ts";
import { type Commit, commitBytes, type Person, subjectOf } from "../objects/commit.ts";
import { EMPTY_TREE } from "../objects/object-id.ts";
import { flattenTree, readCommit } from "../objects/read-objects.ts";
import { dateText, parseDate } from "../repository/date.ts";
import type { GitIdentity } from "../repository/identity.ts";
import { shortName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";
import { abbreviate, commitOf } from "../repository/rev-parse.ts";
import { longStatus } from "../worktree/long-status.ts";
import { statusOf, withRenames } from "../worktree/status.ts";
import { stage } from "./add.ts";

export interface GitCommitOptions {
  dir?: string | undefined;
  message: string;
  author?: { name: string; email: string } | undefined;
  committer?: { name: string; email: string } | undefined;
  amend?: boolean | undefined;
  env?: Record<string, string> | undefined;
}

export interface CommitResult {
  oid: string;
}

/** Commits what is staged, changed or not. `EIDENTITY` where nobody said who, `EUNMERGED` where a conflict is not resolved. */
export function commit(repository: Repository, options: GitCommitOptions): CommitResult {
  const message = tidyMessage(options.message);
  if (message === "") throw new GitError("EMESSAGE", "Aborting commit due to empty commit message.");
  const { author, committer, amend = false } = options;
  return { oid: makeCommit(repository, { message, author, committer, amend }) };
}

interface CommitPlan {
  readonly message: string;
  readonly author?: GitIdentity | undefined;
  readonly committer?: GitIdentity | undefined;
  readonly amend: boolean;
  readonly date?: string | undefined;
  /** The author of another commit is kept. */
  readonly as?: Person | undefined;
}

function makeCommit(repository: Repository, plan: CommitPlan): string {
  const { refs, index } = repository;
  const { head } = refs;
  if (index.hasConflicts) throw unmerged(index.conflicts, "Committing");
  const merging = mergeHeads(repository);
  if (plan.amend && head === undefined) throw fatal("You have nothing to amend.", "EAMEND");
  if (plan.amend && merging.length > 0) throw fatal("You are in the middle of a merge -- cannot amend.", "EAMEND");
  const old = plan.amend ? readCommit(repository.objects, head!) : undefined;
  const parents = old?.parents ?? [...(head === undefined ? [] : [head]), ...merging];
  const committer = repository.person("committer", plan.committer ?? plan.author);
  const made = {
    tree: writeTree(repository.objects, index),
    parents,
    author: authorOf(repository, plan, old),
    committer,
    message: plan.message,
  };
  const oid = repository.objects.write("commit", commitBytes(made));
  const kind =
    old !== undefined ? " (amend)" : merging.length > 0 ? " (merge)" : head === undefined ? " (initial)" : "";
  repository.objects.flush();
  refs.update("HEAD", oid, `commit${kind}: ${subjectOf(plan.message)}`);
  for (const name of ["MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "SQUASH_MSG", "AUTO_MERGE"])
    repository.setState(name, undefined);
  return oid;
}

function authorOf(repository: Repository, plan: CommitPlan, old: Commit | undefined): Person {
  const kept = plan.as ?? old?.author;
  if (kept !== undefined && plan.author === undefined)
    return plan.date === undefined ? kept : { ...kept, ...dated(repository, plan.date) };
  const author = repository.person("author", plan.author);
  return plan.date === undefined ? author : { ...author, ...dated(repository, plan.date) };
}

function dated(repository: Repository, date: string): { timestamp: number; zone: string } {
  const parsed = parseDate(date, Math.floor(repository.now() / 1000));
  if (parsed === undefined) throw fatal(`invalid date format: ${date}`, "EDATE");
  return parsed;
}

export const commitCommand: Command = {
  usage: "[-a] [-m <msg>] [-F <file>] [--amend] [--allow-empty] [<options>] [--] [<pathspec>...]",
  flags: [
    "-q --quiet",
    "-v --verbose",
    "-F --file <file>",
    "--author <author>",
    "--date <date>",
    "-m --message <message>...",
    "-c --reedit-message <commit>",
    "-C --reuse-message <commit>",
    "--fixup <commit>",
    "--reset-author",
    "-s --signoff",
    "--cleanup <mode>",
    "--status",
    "-a --all",
    "-i --include",
    "-o --only",
    "-n --no-verify",
    "--dry-run",
    "--short",
    "--branch",
    "--porcelain",
    "--long",
    "-z --null",
    "--amend",
    "--no-post-rewrite",
    "-u --untracked-files[=<mode>]",
    "--allow-empty",
    "--allow-empty-message",
    "-e --edit",
    "-S --gpg-sign[=<key>]",
    "--trailer <trailer>...",
  ],
  run(context, args) {
    const { repository } = context;
    const { index, refs } = repository;
    const all = args.has("all");
    const paths = args.everything;
    if (all && paths.length > 0) throw fatal(`paths '${paths[0]} ...' with -a does not make sense`);
    if (index.hasConflicts && !all) throw unmerged(index.conflicts, "Committing");
    if (all) {
      stage(repository, new Pathspec([]), { trackedOnly: true });
    } else if (paths.length > 0) commitOnly(context, args, paths);
    if (refs.head === undefined && args.has("amend")) throw fatal("You have nothing to amend.");
    const merging = mergeHeads(repository);
    const message = messageOf(context, args);
    const tree = writeTree(repository.objects, repository.index);
    const head = refs.head === undefined ? undefined : readCommit(repository.objects, refs.head);
    const against = args.has("amend")
      ? head?.parents[0] === undefined
        ? undefined
        : readCommit(repository.objects, head.parents[0]).tree
      : head?.tree;
    const nothing =
      tree === (against ?? EMPTY_TREE) &&
      merging.length === 0 &&
      !(args.has("amend") && (head?.parents.length ?? 0) > 1);
    if (args.has("dry-run")) {
      const found = statusOf(repository);
      context.out(longStatus(context, found, { untracked: true, committing: true }));
      return nothing ? 1 : 0;
    }
    if (
      nothing &&
      !args.has("allow-empty") &&
      !(
        args.has("amend") &&
        against === undefined &&
        tree === EMPTY_TREE &&
        head?.parents.length === 0 &&
        head.tree === tree
      )
    ) {
      const found = statusOf(repository);
      context.out(
        longStatus(context, found, {
          untracked: true,
          committing: true,
          amend: args.has("amend") && tree !== head?.tree,
        }),
      );
      if (args.has("amend")) {
        context.err(
          'You asked to amend the most recent commit, but doing so would make\nit empty. You can repeat your command with --allow-empty, or you can\nremove the commit entirely with "git reset HEAD^".\n',
        );
      }
      return 1;
    }
    if (message === "" && !args.has("allow-empty-message")) {
      throw new CommandFailure("EMESSAGE", "Aborting commit due to empty commit message.", 1);
    }
    const reused = args.value("reuse-message");
    const author = args.value("author") === undefined ? undefined : identityOf(args.value("author")!);
    const committer = repository.person("committer");
    const oid = makeCommit(repository, {
      message,
      amend: args.has("amend"),
      date: args.value("date"),
      author: author ?? (args.has("reset-author") ? repository.person("author") : undefined),
      committer,
      ...(reused === undefined ? {} : { as: readCommit(repository.objects, commitOf(repository, reused)).author }),
    });
    if (!args.has("quiet")) {
      const shows = args.has("amend") || reused !== undefined || args.has("date");
      context.out(
        commitSummary(repository, oid, { date: shows && !args.has("reset-author"), root: head === undefined }),
      );
    }
  },
};

/** Commits these paths as they are in the work tree, and leaves what else is staged. */
function commitOnly(context: CommandContext, args: Args, paths: readonly string[]): void {
  const { repository } = context;
  const pathspec = context.pathspec(paths);
  const { index, refs, objects } = repository;
  if (mergeHeads(repository).length > 0 && !args.has("include"))
    throw fatal("cannot do a partial commit during a merge.");
  const used = new Set<string>();
  const head = refs.head === undefined ? new Map() : flattenTree(objects, readCommit(objects, refs.head).tree);
  for (const path of [...index.paths, ...head.keys()]) pathspec.matches(path, used);
  const missing = pathspec.unused(used)[0];
  if (missing !== undefined)
    throw new CommandFailure("EPATHSPEC", `error: pathspec '${missing}' did not match any file(s) known to git`, 1);
  stage(repository, pathspec, { trackedOnly: true });
  if (args.has("include")) return;
  // The commit is made of HEAD with these paths; the rest of what is staged comes back afterwards.
  const staged = index.entries.filter(({ path }) => !pathspec.matches(path));
  const partial = new GitIndex([
    ...[...head]
      .filter(([path]) => !pathspec.matches(path))
      .map(([path, { mode, oid }]) => (index.get(path)?.oid === oid ? index.get(path)! : indexEntry(path, mode, oid))),
    ...index.entries.filter(({ path }) => pathspec.matches(path)),
  ]);
  repository.replaceIndex(partial);
  const save = repository.save.bind(repository);
  repository.save = () => {
    const whole = new GitIndex([...partial.entries.filter(({ path }) => pathspec.matches(path)), ...staged]);
    repository.replaceIndex(whole);
    repository.save = save;
    save();
  };
}

function messageOf(context: CommandContext, args: Args): string {
  const { repository } = context;
  const given = args.all("message");
  const file = args.value("file");
  const verbatim = args.value("cleanup") === "verbatim";
  const clean = (text: string): string =>
    verbatim ? text : tidyMessage(text, { comments: args.value("cleanup") === "strip" });
  let message: string | undefined;
  if (given.length > 0) message = given.map((part) => `${part.replace(/\n+$/, "")}\n`).join("\n");
  else if (file === "-") message = context.stdin;
  else if (file !== undefined) {
    message = repository.files.text(absolutePath(context.cwd, file));
    if (message === undefined) throw fatal(`could not read log file '${file}': No such file or directory`);
  } else if (args.has("reuse-message"))
    message = readCommit(repository.objects, commitOf(repository, args.value("reuse-message")!)).message;
  else if (args.has("fixup"))
    message = `fixup! ${subjectOf(readCommit(repository.objects, commitOf(repository, args.value("fixup")!)).message)}\n`;
  else if (args.has("amend") && repository.refs.head !== undefined)
    message = readCommit(repository.objects, repository.refs.head).message;
  else if (mergeHeads(repository).length > 0)
    message = tidyMessage(repository.state("MERGE_MSG") ?? "", { comments: true });
  if (message === undefined) {
    throw new CommandFailure(
      "EMESSAGE",
      "error: there is no editor here: give the message with -m or -F\nerror: Aborting commit due to empty commit message.",
      1,
    );
  }
  if (args.has("signoff")) {
    const { name, email } = repository.person("committer");
    const line = `Signed-off-by: ${name} <${email}>`;
    const body = clean(message).trimEnd();
    if (!body.endsWith(line)) message = `${body}\n${/\n[\w-]+: .*$/.test(body) ? "" : "\n"}${line}\n`;
  }
  for (const trailer of args.all("trailer"))
    message = `${clean(message).trimEnd()}\n${/\n[\w-]+: .*$/.test(clean(message).trimEnd()) ? "" : "\n"}${trailer.replace("=", ": ")}\n`;
  return clean(message);
}

function identityOf(text: string): GitIdentity {
  const match = /^(.*?)\s*<([^>]*)>\s*$/.exec(text);
  if (match === null) throw fatal(`--author '${text}' is not 'Name <email>' and matches no existing author`);
  return { name: match[1]!, email: match[2]! };
}

/** What is printed of a new commit: where it is, its subject, and what it changed. */
export function commitSummary(
  repository: Repository,
  oid: string,
  { date, root }: { date: boolean; root: boolean },
): string {
  const { objects, refs } = repository;
  const made = readCommit(objects, oid);
  const branch = refs.branch === undefined ? "detached HEAD" : shortName(refs.branch);
  const lines = [
    `[${branch}${root ? " (root-commit)" : ""} ${abbreviate(repository, oid)}] ${subjectOf(made.message)}\n`,
  ];
  const { author, committer } = made;
  if (author.name !== committer.name || author.email !== committer.email)
    lines.push(` Author: ${author.name} <${author.email}>\n`);
  if (date) lines.push(` Date: ${dateText(author, "default", 0)}\n`);
  if (made.parents.length < 2) {
    const before = made.parents[0] === undefined ? undefined : readCommit(objects, made.parents[0]).tree;
    const changes = withRenames(repository, diffTrees(objects, before, made.tree));
    const contents = new DiffContents(repository);
    if (changes.length > 0) {
      lines.push(
        totalsText(changes.map((change) => fileStat(change, contents))),
        summaryText(changes, repository.config.flag("core.quotepath") ?? true),
      );
    }
  }
  return lines.join("");
}
