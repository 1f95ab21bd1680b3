/** `git log`. */

import type { Command, CommandContext } from "../cli/command.ts";
import { DIFF_FLAGS } from "../cli/diff-output.ts";
import type { Args } from "../cli/flags.ts";
import { LOG_FLAGS, LogOutput } from "../cli/log-output.ts";
import { splitRevisions } from "../cli/revisions-and-paths.ts";
import { fatal, UnsupportedError } from "../git-error.ts";
import { mergeBases } from "../history/ancestry.ts";
import { walkHistory } from "../history/walk.ts";
import { Pathspec } from "../ignore/pathspec.ts";
import type { Commit, Person } from "../objects/commit.ts";
import { peelTags, readCommit } from "../objects/read-objects.ts";
import { offsetMinutes, parseDate } from "../repository/date.ts";
import { shortName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";
import { commitOf, fullRef } from "../repository/rev-parse.ts";

export interface GitLogOptions {
  /** Default HEAD. */
  ref?: string | undefined;
  /** How many commits at most. */
  depth?: number | undefined;
  dir?: string | undefined;
}

export interface GitPerson {
  name: string;
  email: string;
  /** Seconds since 1970. */
  timestamp: number;
  /** Minutes west of Greenwich. */
  timezoneOffset: number;
}

export interface CommitView {
  oid: string;
  message: string;
  tree: string;
  parent: string[];
  author: GitPerson;
  committer: GitPerson;
}

/** Commits, the newest first. */
export function log(
  repository: Repository,
  { ref = "HEAD", depth = Number.POSITIVE_INFINITY }: GitLogOptions = {},
): CommitView[] {
  const commits: CommitView[] = [];
  for (const commit of walkHistory(repository.objects, { from: [commitOf(repository, ref)] })) {
    if (commits.length >= depth) break;
    commits.push(commitView(commit));
  }
  return commits;
}

export function commitView({ oid, message, tree, parents, author, committer }: Commit): CommitView {
  return { oid, message, tree, parent: [...parents], author: personView(author), committer: personView(committer) };
}

function personView({ name, email, timestamp, zone }: Person): GitPerson {
  return { name, email, timestamp, timezoneOffset: offsetMinutes(zone) };
}

export const logCommand: Command = {
  usage: "[<options>] [<revision-range>] [[--] <path>...]",
  flags: [
    ...DIFF_FLAGS,
    ...LOG_FLAGS,
    "-n --max-count <n>",
    "-<number>",
    "--skip <n>",
    "--all",
    "--branches",
    "--tags",
    "--remotes",
    "--reverse",
    "--first-parent",
    "--merges",
    "--no-merges",
    "--author <pattern>...",
    "--committer <pattern>...",
    "--grep <pattern>...",
    "-i --regexp-ignore-case",
    "-E --extended-regexp",
    "-F --fixed-strings",
    "--invert-grep",
    "--since <date>",
    "--after <date>",
    "--until <date>",
    "--before <date>",
    "--topo-order",
    "--date-order",
    "--follow",
    "--graph",
    "-g --walk-reflogs",
    "--full-history",
    "-S --pickaxe <text>",
    "-G --pickaxe-regex <pattern>",
    "-L --line-range <range>",
    "--no-walk",
  ],
  run(context, args) {
    const { repository } = context;
    for (const flag of ["graph", "pickaxe", "pickaxe-regex", "line-range"]) {
      if (args.has(flag)) throw new UnsupportedError(`git log with the option '${flag}'`);
    }
    const { revisions, paths } = splitRevisions(context, args);
    const pathspec = paths.length === 0 ? new Pathspec([]) : context.pathspec(paths);
    const output = new LogOutput(context, args, { patch: args.has("patch"), pathspec });
    if (args.has("walk-reflogs")) return showReflog(context, args, revisions[0] ?? "HEAD", output);
    const { from, without } = tips(context, args, revisions);
    const limit = args.number("max-count") ?? args.number("number") ?? Number.POSITIVE_INFINITY;
    const skip = args.number("skip") ?? 0;
    const wanted = filterOf(context, args);
    const chosen: Commit[] = [];
    let skipped = 0;
    const walk = walkHistory(repository.objects, {
      from,
      without,
      firstParent: args.has("first-parent"),
      pathspec,
      topological: args.has("topo-order"),
    });
    const all = args.has("no-walk") ? from.map((oid) => readCommit(repository.objects, oid)) : walk;
    for (const commit of all) {
      if (chosen.length >= limit && limit >= 0) break;
      if (!wanted(commit) || skipped++ < skip) continue;
      chosen.push(commit);
    }
    for (const commit of args.has("reverse") ? chosen.toReversed() : chosen) output.show(commit);
  },
};

/** Where the history begins, and what is left out of it. */
export function tips(
  context: CommandContext,
  args: Args,
  revisions: readonly string[],
): { from: string[]; without: string[] } {
  const { repository } = context;
  const from: string[] = [];
  const without: string[] = [];
  for (const text of revisions) {
    const range = /^(.*?)(\.\.\.?)(.*)$/.exec(text);
    if (range !== null) {
      const [a, b] = [
        commitOf(repository, range[1] === "" ? "HEAD" : range[1]!),
        commitOf(repository, range[3] === "" ? "HEAD" : range[3]!),
      ];
      if (range[2] === "..") without.push(a);
      else {
        from.push(a);
        without.push(...mergeBases(repository.objects, a, b));
      }
      from.push(b);
    } else if (text.startsWith("^")) without.push(commitOf(repository, text.slice(1)));
    else from.push(commitOf(repository, text));
  }
  const prefixes = { all: "refs/", branches: "refs/heads/", tags: "refs/tags/", remotes: "refs/remotes/" };
  let many = false;
  for (const [flag, prefix] of Object.entries(prefixes)) {
    if (!args.has(flag)) continue;
    many = true;
    for (const { oid } of repository.refs.list(prefix)) {
      const commit = peelTags(repository.objects, oid);
      if (repository.objects.read(commit).type === "commit") from.push(commit);
    }
    if (flag === "all" && repository.refs.head !== undefined) from.push(repository.refs.head);
  }
  if (from.length === 0 && !many) {
    const { head, branch } = repository.refs;
    if (head === undefined)
      throw fatal(`your current branch '${shortName(branch ?? "HEAD")}' does not have any commits yet`, "EUNBORN");
    from.push(head);
  }
  return { from, without };
}

function filterOf({ repository }: CommandContext, args: Args): (commit: Commit) => boolean {
  const now = Math.floor(repository.now() / 1000);
  const date = (...names: string[]): number | undefined => {
    const text = names.map((name) => args.value(name)).find((value) => value !== undefined);
    return text === undefined ? undefined : parseDate(text, now)?.timestamp;
  };
  const [since, until] = [date("since", "after"), date("until", "before")];
  const patterns = (name: string): RegExp[] => args.all(name).map((text) => patternOf(text, args));
  const [authors, committers, greps] = [patterns("author"), patterns("committer"), patterns("grep")];
  const who = ({ name, email }: Person): string => `${name} <${email}>`;
  return (commit) => {
    if (args.has("merges") && commit.parents.length < 2) return false;
    if ((args.has("no-merges") || args.flag("merges") === false) && commit.parents.length > 1) return false;
    if (since !== undefined && commit.committer.timestamp < since) return false;
    if (until !== undefined && commit.committer.timestamp > until) return false;
    if (authors.length > 0 && !authors.some((pattern) => pattern.test(who(commit.author)))) return false;
    if (committers.length > 0 && !committers.some((pattern) => pattern.test(who(commit.committer)))) return false;
    if (greps.length === 0) return true;
    return greps.some((pattern) => pattern.test(commit.message)) !== args.has("invert-grep");
  };
}

/** A pattern as `grep` takes it: basic unless extended or fixed is asked for. */
function patternOf(text: string, args: Args): RegExp {
  const flags = args.has("regexp-ignore-case") ? "im" : "m";
  if (args.has("fixed-strings")) return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), flags);
  const source = args.has("extended-regexp")
    ? text
    : text.replaceAll(/\\?[+?|(){}]/g, (each) => (each.length === 2 ? each[1]! : `\\${each}`));
  try {
    return new RegExp(source, flags);
  } catch {
    throw fatal(`invalid regular expression: ${text}`, "EPATTERN");
  }
}

/** The log of where a reference was, the newest first. */
export function showReflog(context: CommandContext, args: Args, given: string, output: LogOutput): void {
  const { repository } = context;
  const name = fullRef(repository, given);
  if (name === undefined)
    throw fatal(`ambiguous argument '${given}': unknown revision or path not in the working tree.`, "EREVISION");
  const limit = args.number("max-count") ?? args.number("number") ?? Number.POSITIVE_INFINITY;
  for (const [i, { to, message }] of repository.refs.log(name).toReversed().entries()) {
    if (i >= limit) break;
    output.show(readCommit(repository.objects, to), { selector: `${given}@{${i}}`, subject: message });
  }
}
