/** `git checkout`: another branch or commit, or files of one. */

import { absolutePath } from "../../files/absolute-path.ts";
import type { Command, CommandContext } from "../cli/command.ts";
import type { Args } from "../cli/flags.ts";
import { CommandFailure, fatal, PathspecNotFoundError } from "../git-error.ts";
import { type Pathspec, pathspecOf } from "../ignore/pathspec.ts";
import { flattenTree } from "../objects/read-objects.ts";
import type { Repository } from "../repository/repository.ts";
import { ambiguousArgument, resolveRevision, treeOf } from "../repository/rev-parse.ts";
import { workStatus } from "../worktree/scan.ts";
import { statusOf } from "../worktree/status.ts";
import { writeWorkFile } from "../worktree/work-file.ts";
import { createBranch, goTo, remoteBranch } from "./switch.ts";

export interface GitCheckoutOptions {
  dir?: string | undefined;
  ref: string;
  /** Only these files, of the revision; HEAD stays. */
  paths?: string[] | undefined;
  /** Throws local changes away. */
  force?: boolean | undefined;
}

/** Goes to a branch or commit, or takes files of it. `EREVISION`, `EPATHSPEC`, `EOVERWRITE`. */
export function checkout(repository: Repository, options: GitCheckoutOptions & { cwd: string }): void {
  const { ref, paths, force = false, cwd } = options;
  if (paths !== undefined && paths.length > 0) {
    const pathspec = pathspecOf(paths, cwd, repository.workTree);
    const missing = fromTree(repository, treeOf(repository, ref), pathspec).missing[0];
    if (missing !== undefined) throw new PathspecNotFoundError(missing);
    return;
  }
  const remote = resolveRevision(repository, ref) === undefined ? remoteBranch(repository, ref) : undefined;
  if (remote !== undefined) createBranch(repository, ref, { start: remote, track: true });
  goTo(repository, ref, { force });
}

/** Takes the files of a tree that are meant into the index and the work tree. */
export function fromTree(
  repository: Repository,
  tree: string,
  pathspec: Pathspec,
): { count: number; missing: string[] } {
  const used = new Set<string>();
  const files = [...flattenTree(repository.objects, tree)].filter(([path]) => pathspec.matches(path, used));
  const missing = pathspec.unused(used);
  let count = 0;
  if (missing.length === 0) {
    for (const [path, { mode, oid }] of files) {
      const entry = repository.index.get(path);
      const attr = repository.statInWorkTree(path);
      if (
        entry?.oid === oid &&
        entry.mode === mode &&
        attr !== undefined &&
        attr.kind !== "dir" &&
        workStatus(repository, entry, attr) === undefined
      )
        continue;
      repository.index.set(writeWorkFile(repository, path, mode, oid));
      count++;
    }
  }
  return { count, missing };
}

/** Takes the files that are meant from the index into the work tree. */
export function fromIndex(
  repository: Repository,
  pathspec: Pathspec,
  side?: "ours" | "theirs",
): { count: number; missing: string[] } {
  const { index } = repository;
  const used = new Set<string>();
  const paths = index.paths.filter((path) => pathspec.matches(path, used));
  const missing = pathspec.unused(used);
  if (missing.length > 0) return { count: 0, missing };
  let count = 0;
  const wanted = side === "theirs" ? 3 : 2;
  const open = paths.filter((path) => index.conflict(path).length > 0);
  if (side === undefined && open.length > 0) {
    throw new CommandFailure("EUNMERGED", open.map((path) => `error: path '${path}' is unmerged\n`).join(""), 1);
  }
  for (const path of open) {
    const entry = index.conflict(path).find(({ stage }) => stage === wanted);
    if (entry === undefined)
      throw new CommandFailure(
        "EUNMERGED",
        `error: path '${path}' does not have ${side === "theirs" ? "their" : "our"} version`,
        1,
      );
    writeWorkFile(repository, path, entry.mode, entry.oid);
    count++;
  }
  for (const path of paths) {
    const entry = index.get(path);
    const attr = repository.statInWorkTree(path);
    if (
      entry === undefined ||
      (attr !== undefined && attr.kind !== "dir" && workStatus(repository, entry, attr) === undefined)
    )
      continue;
    index.restamp(writeWorkFile(repository, path, entry.mode, entry.oid));
    count++;
  }
  return { count, missing };
}

export const checkoutCommand: Command = {
  usage: "[<options>] <branch>\n[<options>] [<branch>] -- <file>...",
  flags: [
    "-q --quiet",
    "-b --new-branch <branch>",
    "-B --reset-branch <branch>",
    "-l --create-reflog",
    "-d --detach",
    "-t --track[=<mode>]",
    "--orphan <branch>",
    "-f --force",
    "-2 --ours",
    "-3 --theirs",
    "-m --merge",
    "--guess",
    "--overlay",
    "--progress",
    "-p --patch",
    "--ignore-skip-worktree-bits",
  ],
  run(context, args) {
    const { repository } = context;
    if (args.has("patch") || args.has("merge"))
      throw fatal(`unsupported: git checkout ${args.has("patch") ? "--patch" : "--merge"}`, "EUNSUPPORTED");
    const created = args.value("new-branch") ?? args.value("reset-branch");
    const orphan = args.value("orphan");
    if (created !== undefined || orphan !== undefined) {
      if (args.words.length > 1)
        throw fatal(`Cannot update paths and switch to branch '${created ?? orphan}' at the same time.`);
      return goTo(repository, args.words[0], {
        ...switching(context, args),
        create: created,
        reset: args.has("reset-branch"),
        orphan,
      });
    }
    const [first, ...rest] = args.words;
    if (args.after !== undefined && (args.after.length > 0 || args.words.length > 0)) {
      if (args.after.length === 0) return goTo(repository, first, switching(context, args));
      return files(context, args, first, args.after);
    }
    if (first === undefined) {
      if (args.has("detach")) return goTo(repository, "HEAD", switching(context, args));
      context.out(localChanges(context));
      return;
    }
    const known =
      first === "-" ||
      resolveRevision(repository, first) !== undefined ||
      repository.refs.branch === `refs/heads/${first}`;
    if (known && rest.length === 0) {
      if (
        first !== "-" &&
        isFile(context, first) &&
        resolveRevision(repository, `refs/heads/${first}`) === undefined &&
        !/^[0-9a-f]{7,40}$|[~^@]|HEAD/.test(first)
      )
        throw both(first);
      return goTo(repository, first, switching(context, args));
    }
    if (known) return files(context, args, first, rest);
    const remote =
      rest.length === 0 && args.flag("guess") !== false && !isFile(context, first)
        ? remoteBranch(repository, first)
        : undefined;
    if (remote !== undefined)
      return goTo(repository, remote, { ...switching(context, args), create: first, track: true });
    return files(context, args, undefined, args.words);
  },
};

function switching(context: CommandContext, args: Args): Parameters<typeof goTo>[2] {
  const say = args.has("quiet") ? undefined : context;
  return { force: args.has("force"), detach: args.has("detach"), say, track: args.flag("track") };
}

function isFile({ repository, cwd }: CommandContext, word: string): boolean {
  return repository.files.stat(absolutePath(cwd, word)) !== undefined;
}

function both(word: string): CommandFailure {
  return fatal(
    `'${word}' could be both a local file and a tracking branch.\nPlease use -- (and optionally --no-guess) to disambiguate`,
    "EREVISION",
  );
}

function files(context: CommandContext, args: Args, from: string | undefined, paths: readonly string[]): void {
  const { repository } = context;
  const pathspec = context.pathspec(paths);
  if (from !== undefined && resolveRevision(repository, from) === undefined) throw ambiguousArgument(from);
  const side = args.has("ours") ? "ours" : args.has("theirs") ? "theirs" : undefined;
  const { count, missing } =
    from === undefined
      ? fromIndex(repository, pathspec, side)
      : fromTree(repository, treeOf(repository, from), pathspec);
  if (missing.length > 0) {
    throw new CommandFailure(
      "EPATHSPEC",
      missing.map((path) => `error: pathspec '${path}' did not match any file(s) known to git\n`).join(""),
      1,
    );
  }
  if (args.after !== undefined || args.has("quiet")) return;
  context.err(
    `Updated ${count} path${count === 1 ? "" : "s"} from ${from === undefined ? "the index" : treeOf(repository, from).slice(0, 7)}\n`,
  );
}

/** What is changed locally, as a switch that takes it along shows it. */
export function localChanges(context: CommandContext): string {
  const { repository } = context;
  const { items } = statusOf(repository, { untracked: "no", renames: false });
  return items
    .map(
      ({ path, staged, work }) =>
        `${work !== " " && work !== "M" ? work : staged !== " " ? staged : work}\t${context.quoted(path)}\n`,
    )
    .join("");
}
