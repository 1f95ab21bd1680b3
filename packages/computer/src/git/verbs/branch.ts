/** `git branch`. */

import { compareNames } from "@cloudflare/dofs";
import type { Command, CommandContext } from "../cli/command.ts";
import type { Args } from "../cli/flags.ts";
import { failed, fatal } from "../git-error.ts";
import { isAncestor } from "../history/ancestry.ts";
import { wildmatch } from "../ignore/wildmatch.ts";
import { subjectOf } from "../objects/commit.ts";
import { peelTags, readCommit } from "../objects/read-objects.ts";
import { isBranchName, shortName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";
import { abbreviate, commitOf, upstreamOf } from "../repository/rev-parse.ts";
import { trackingOf } from "../worktree/tracking.ts";
import { createBranch, goTo, remoteOf, setUpstream } from "./switch.ts";

export interface GitBranchOptions {
  dir?: string | undefined;
  name: string;
  /** Default HEAD. */
  startPoint?: string | undefined;
  /** Goes to it too. */
  checkout?: boolean | undefined;
  /** Moves it where it is there already. */
  force?: boolean | undefined;
}

export interface GitBranchDeleteOptions {
  dir?: string | undefined;
  name: string;
}

export interface GitBranchListOptions {
  dir?: string | undefined;
}

/** Makes a branch. `EEXIST` where there is one of the name. */
export function branch(repository: Repository, { name, startPoint, checkout = false, force }: GitBranchOptions): void {
  createBranch(repository, name, { start: startPoint, force });
  if (checkout) goTo(repository, name);
}

/** Removes a branch, merged or not. `EREF` where there is none, and for the current one. */
export function branchDelete(repository: Repository, { name }: GitBranchDeleteOptions): void {
  remove(repository, name);
}

/** The names of all branches, in order. */
export function branchList(repository: Repository): string[] {
  return repository.refs.list("refs/heads/").map(({ name }) => shortName(name));
}

/** Removes a branch with its settings; what it led to. */
function remove(repository: Repository, name: string): string {
  const { refs, config } = repository;
  const full = `refs/heads/${name}`;
  if (refs.branch === full)
    throw failed(
      `Cannot delete branch '${name}' checked out at '${repository.isBare ? repository.gitDir : repository.workTree}'`,
      1,
      "EREF",
    );
  const oid = refs.resolve(full);
  if (oid === undefined) throw failed(`branch '${name}' not found.`, 1, "EREF");
  refs.delete(full);
  if (config.subsections("branch").includes(name))
    config.change("local", (file) => file.removeSection(`branch.${name}`));
  return oid;
}

export const branchCommand: Command = {
  usage:
    "[<options>] [-r | -a] [--merged] [--no-merged]\n[<options>] [-f] <branch-name> [<start-point>]\n[<options>] (-d | -D) <branch-name>...\n[<options>] (-m | -M) [<old-branch>] <new-branch>",
  flags: [
    "-v --verbose",
    "-q --quiet",
    "-t --track[=<mode>]",
    "-u --set-upstream-to <upstream>",
    "--unset-upstream",
    "--color[=<when>]",
    "-r --remotes",
    "-a --all",
    "-d --delete",
    "-D",
    "-m --move",
    "-M",
    "-c --copy",
    "-C",
    "-l --list",
    "--show-current",
    "-f --force",
    "--merged[=<commit>]",
    "--no-merged[=<commit>]",
    "--contains[=<commit>]",
    "--no-contains[=<commit>]",
    "--sort <key>",
    "--format <format>",
    "--points-at <object>",
    "--abbrev[=<n>]",
    "--column[=<style>]",
    "-i --ignore-case",
  ],
  run(context, args) {
    const { repository } = context;
    const { refs } = repository;
    const words = args.everything;
    if (args.has("show-current")) {
      if (refs.branch !== undefined) context.line(shortName(refs.branch));
      return;
    }
    if (args.has("delete") || args.has("D")) return removeAll(context, args, words);
    if (args.has("move") || args.has("M")) return rename(repository, words, args.has("M") || args.has("force"));
    if (args.has("copy") || args.has("C")) throw fatal("unsupported: git branch --copy", "EUNSUPPORTED");
    if (args.has("unset-upstream")) return unsetUpstream(repository, words[0]);
    const upstream = args.value("set-upstream-to");
    if (upstream !== undefined) return follow(context, upstream, words[0]);
    const lists = [
      "list",
      "remotes",
      "all",
      "merged",
      "no-merged",
      "contains",
      "no-contains",
      "points-at",
      "format",
      "sort",
    ].some((flag) => args.has(flag));
    if (lists || words.length === 0) return list(context, args, words);
    const [name, start, ...more] = words;
    if (more.length > 0) throw fatal("too many arguments");
    if (args.has("force") && refs.branch === `refs/heads/${name}`) {
      throw fatal(`cannot force update the branch '${name}' checked out at '${repository.workTree}'`, "EREF");
    }
    createBranch(repository, name!, { start, force: args.has("force"), track: args.flag("track") });
    if (
      start !== undefined &&
      args.flag("track") !== false &&
      remoteOf(repository, start) !== undefined &&
      !args.has("quiet")
    ) {
      context.line(`branch '${name}' set up to track '${start}'.`);
    }
  },
};

function removeAll(context: CommandContext, args: Args, names: readonly string[]): number {
  const { repository } = context;
  const { refs, objects } = repository;
  if (names.length === 0) throw fatal("branch name required");
  let code = 0;
  for (const given of names) {
    try {
      if (args.has("remotes")) {
        const oid = refs.resolve(`refs/remotes/${given}`);
        if (oid === undefined) throw failed(`remote-tracking branch '${given}' not found.`);
        refs.delete(`refs/remotes/${given}`);
        context.line(`Deleted remote-tracking branch ${given} (was ${abbreviate(repository, oid)}).`);
        continue;
      }
      const oid = refs.resolve(`refs/heads/${given}`);
      if (oid !== undefined && !args.has("D") && !args.has("force") && refs.branch !== `refs/heads/${given}`) {
        const upstream = upstreamOf(repository, given);
        const against = (upstream === undefined ? undefined : refs.resolve(upstream)) ?? refs.head;
        if (against === undefined || !isAncestor(objects, oid, against)) {
          throw failed(
            `The branch '${given}' is not fully merged.\nIf you are sure you want to delete it, run 'git branch -D ${given}'.`,
          );
        }
      }
      const was = remove(repository, given);
      if (!args.has("quiet")) context.line(`Deleted branch ${given} (was ${abbreviate(repository, was)}).`);
    } catch (error) {
      if (!(error instanceof Error) || !("stderr" in error)) throw error;
      context.err(String(error.stderr));
      code = 1;
    }
  }
  return code;
}

function rename(repository: Repository, words: readonly string[], force: boolean): void {
  const { refs, config } = repository;
  const [from, to] =
    words.length === 1
      ? [refs.branch === undefined ? undefined : shortName(refs.branch), words[0]!]
      : [words[0], words[1]];
  if (from === undefined || to === undefined) throw fatal("cannot rename the current branch while not on any.", "EREF");
  if (!isBranchName(to)) throw fatal(`'${to}' is not a valid branch name`, "EREF");
  const unborn = refs.resolve(`refs/heads/${from}`) === undefined;
  if (unborn && refs.branch !== `refs/heads/${from}`) throw fatal(`No branch named '${from}'.`, "EREF");
  if (from === to) return;
  if (!force && refs.resolve(`refs/heads/${to}`) !== undefined)
    throw fatal(`a branch named '${to}' already exists`, "EEXIST");
  if (unborn) refs.setSymbolic("HEAD", `refs/heads/${to}`);
  else {
    if (force) refs.delete(`refs/heads/${to}`);
    refs.rename(`refs/heads/${from}`, `refs/heads/${to}`, `Branch: renamed refs/heads/${from} to refs/heads/${to}`);
  }
  if (config.subsections("branch").includes(from))
    config.change("local", (file) => file.renameSection(`branch.${from}`, `branch.${to}`));
}

function unsetUpstream(repository: Repository, given: string | undefined): void {
  const name = given ?? shortName(repository.refs.branch ?? "HEAD");
  if (repository.config.get(`branch.${name}.merge`) === undefined)
    throw fatal(`branch '${name}' has no upstream information`, "EREF");
  repository.config.change("local", (file) => {
    file.unset(`branch.${name}.remote`);
    file.unset(`branch.${name}.merge`);
  });
}

function follow(context: CommandContext, upstream: string, given: string | undefined): void {
  const { repository } = context;
  const name = given ?? shortName(repository.refs.branch ?? "HEAD");
  if (repository.refs.resolve(`refs/heads/${name}`) === undefined)
    throw fatal(`branch '${name}' does not exist`, "EREF");
  const local =
    repository.refs.resolve(`refs/heads/${upstream}`) === undefined
      ? undefined
      : { remote: ".", merge: `refs/heads/${upstream}` };
  const found = remoteOf(repository, upstream) ?? local;
  if (found === undefined) {
    throw fatal(
      `the requested upstream branch '${upstream}' does not exist\nhint: \nhint: If you are planning on basing your work on an upstream\nhint: branch that already exists at the remote, you may need to\nhint: run "git fetch" to retrieve it.`,
      "EREF",
    );
  }
  setUpstream(repository, name, found);
  context.line(`branch '${name}' set up to track '${upstream}'.`);
}

interface Listed {
  readonly ref: string;
  readonly oid: string;
  readonly name: string;
}

function list(context: CommandContext, args: Args, patterns: readonly string[]): void {
  const { repository } = context;
  const { refs } = repository;
  const remotes = args.has("remotes");
  const prefixes = args.has("all") ? ["refs/heads/", "refs/remotes/"] : [remotes ? "refs/remotes/" : "refs/heads/"];
  const all: Listed[] = prefixes.flatMap((prefix) =>
    refs.list(prefix).map(({ name: ref, oid }) => ({
      ref,
      oid,
      name: args.has("all") && prefix === "refs/remotes/" ? `remotes/${shortName(ref)}` : shortName(ref),
    })),
  );
  const wanted = all.filter(
    ({ ref, oid, name }) =>
      (patterns.length === 0 || patterns.some((pattern) => wildmatch(pattern, name))) &&
      passes(repository, args, oid) &&
      (refs.symbolic(ref) === undefined || remotes || args.has("all")),
  );
  const detached =
    refs.branch === undefined &&
    refs.head !== undefined &&
    !remotes &&
    patterns.length === 0 &&
    passes(repository, args, refs.head);
  const format = args.value("format");
  if (format !== undefined) {
    for (const each of wanted) context.line(formatted(repository, format, each));
    return;
  }
  const key = args.value("sort");
  if (key?.endsWith("committerdate")) {
    const date = (oid: string): number =>
      readCommit(repository.objects, peelTags(repository.objects, oid)).committer.timestamp;
    wanted.sort(
      (a, b) =>
        (key.startsWith("-") ? date(b.oid) - date(a.oid) : date(a.oid) - date(b.oid)) || compareNames(a.ref, b.ref),
    );
  }
  const head = detached ? `(HEAD detached at ${abbreviate(repository, refs.head!)})` : "";
  const verbose = args.count("verbose");
  const width = Math.max(head.length, ...wanted.map(({ name }) => [...name].length));
  const tail = (oid: string, ref?: string): string => {
    if (verbose === 0) return "";
    const tracking = ref === undefined ? undefined : trackingOf(repository, ref);
    const counts = tracking?.counts;
    const parts =
      counts === undefined
        ? []
        : [counts.ahead > 0 ? `ahead ${counts.ahead}` : "", counts.behind > 0 ? `behind ${counts.behind}` : ""].filter(
            (part) => part !== "",
          );
    const state = tracking !== undefined && counts === undefined ? ["gone"] : parts;
    const inside =
      verbose > 1 && tracking !== undefined
        ? `${tracking.upstream}${state.length > 0 ? `: ${state.join(", ")}` : ""}`
        : state.join(", ");
    return ` ${abbreviate(repository, oid)} ${inside === "" ? "" : `[${inside}] `}${subjectOf(readCommit(repository.objects, oid).message)}`;
  };
  const pad = (name: string): string => (verbose === 0 ? name : name.padEnd(width));
  if (detached) context.line(`* ${pad(head)}${tail(refs.head!)}`);
  for (const { ref, oid, name } of wanted) {
    const target = refs.symbolic(ref);
    const mark = ref === refs.branch ? "*" : " ";
    if (target !== undefined) context.line(`${mark} ${pad(name)} -> ${shortName(target)}`);
    else context.line(`${mark} ${pad(name)}${tail(oid, ref)}`);
  }
}

function passes(repository: Repository, args: Args, oid: string): boolean {
  const { objects } = repository;
  const commit = peelTags(objects, oid);
  const against = (flag: string): string | undefined =>
    args.has(flag) ? commitOf(repository, args.value(flag) ?? "HEAD") : undefined;
  const [merged, unmerged, contains, without, at] = [
    against("merged"),
    against("no-merged"),
    against("contains"),
    against("no-contains"),
    against("points-at"),
  ];
  if (merged !== undefined && !isAncestor(objects, commit, merged)) return false;
  if (unmerged !== undefined && isAncestor(objects, commit, unmerged)) return false;
  if (contains !== undefined && !isAncestor(objects, contains, commit)) return false;
  if (without !== undefined && isAncestor(objects, without, commit)) return false;
  return at === undefined || at === commit;
}

function formatted(repository: Repository, format: string, { ref, oid, name }: Listed): string {
  return format.replaceAll(/%\(([^)]*)\)/g, (all, field: string) => {
    switch (field) {
      case "refname":
        return ref;
      case "refname:short":
        return name;
      case "objectname":
        return oid;
      case "objectname:short":
        return abbreviate(repository, oid);
      case "subject":
      case "contents:subject":
        return subjectOf(readCommit(repository.objects, oid).message);
      case "HEAD":
        return repository.refs.branch === ref ? "*" : " ";
      case "upstream":
        return upstreamOf(repository, shortName(ref)) ?? "";
      case "upstream:short":
        return shortName(upstreamOf(repository, shortName(ref)) ?? "");
      default:
        throw fatal(`unknown field name: ${all.slice(2, -1)}`);
    }
  });
}
