/** `git rev-parse`. */

import type { Command, CommandContext } from "../cli/command.ts";
import { relativePath } from "../files/repository-path.ts";
import { CommandFailure, fatal } from "../git-error.ts";
import { mergeBases } from "../history/ancestry.ts";
import { shortName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";
import {
  abbreviate,
  ambiguousArgument,
  commitOf,
  fullRef,
  resolveRevision,
  revision,
} from "../repository/rev-parse.ts";

export interface GitRevParseOptions {
  ref: string;
  dir?: string | undefined;
}

export interface GitRepoRootOptions {
  dir?: string | undefined;
}

export interface GitCurrentBranchOptions {
  /** `refs/heads/main` instead of `main`. */
  fullname?: boolean | undefined;
  dir?: string | undefined;
}

/** The name of the object that a revision leads to. */
export function revParse(repository: Repository, { ref }: GitRevParseOptions): string {
  return revision(repository, ref);
}

/** The top of the work tree; of a bare repository its own directory. */
export function repoRoot(repository: Repository): string {
  return repository.place.workTree ?? repository.gitDir;
}

/** The branch that is checked out, born or not; undefined where HEAD is detached. */
export function currentBranch(
  repository: Repository,
  { fullname = false }: GitCurrentBranchOptions = {},
): string | undefined {
  const { branch } = repository.refs;
  return branch === undefined || fullname ? branch : shortName(branch);
}

/** Its words are taken in order, each a question of its own. */
export const revParseCommand: Command = {
  usage: "[<options>] -- [<args>...]\n--is-inside-work-tree\n[--abbrev-ref | --verify | --short[=<n>]] <revision>",
  flags: [],
  run(context) {
    void context;
  },
};

export function runRevParse(context: CommandContext, argv: readonly string[]): number {
  const { repository } = context;
  let [verify, quiet, symbolic, abbrevRef, isPath] = [false, false, false, false, false];
  let digits: number | undefined;
  let short = false;
  let fallback: string | undefined;
  const named: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]!;
    if (isPath) {
      context.line(word);
      continue;
    }
    const [flag, value] =
      word.startsWith("--") && word.includes("=")
        ? [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]
        : [word, undefined];
    if (word === "--") {
      isPath = true;
      if (!verify) context.line("--");
    } else if (flag === "--verify") verify = true;
    else if (flag === "-q" || flag === "--quiet") quiet = true;
    else if (flag === "--short") {
      short = true;
      verify = true;
      digits = value === undefined ? undefined : Number(value);
    } else if (flag === "--abbrev-ref") abbrevRef = true;
    else if (flag === "--symbolic-full-name") symbolic = true;
    else if (flag === "--default") fallback = argv[++at];
    else if (["--revs-only", "--no-revs", "--flags", "--no-flags", "--sq", "--end-of-options"].includes(flag)) continue;
    else if (flag.startsWith("--") && answer(context, flag, value)) continue;
    else if (word.startsWith("--")) context.line(word);
    else named.push(word);
  }
  if (named.length === 0 && fallback !== undefined) named.push(fallback);
  if (verify && named.length !== 1) return single(context, quiet);
  for (const word of named) {
    const range = /^(.*?)(\.\.\.?)(.*)$/.exec(word);
    if (range !== null && !verify) {
      const [a, b] = [range[1] === "" ? "HEAD" : range[1]!, range[3] === "" ? "HEAD" : range[3]!];
      context.line(revision(repository, b));
      if (range[2] === "...") {
        context.line(revision(repository, a));
        for (const base of mergeBases(repository.objects, commitOf(repository, a), commitOf(repository, b)))
          context.line(`^${base}`);
      } else context.line(`^${revision(repository, a)}`);
      continue;
    }
    const negated = word.startsWith("^");
    const name = negated ? word.slice(1) : word;
    if (abbrevRef || symbolic) {
      const upstream = /@\{(?:u|upstream)\}$/i.test(name) ? upstreamName(repository, name) : undefined;
      const full = upstream ?? fullRef(repository, name);
      const target = full === undefined ? undefined : (repository.refs.symbolic(full) ?? full);
      if (target !== undefined) {
        context.line(symbolic ? target : target === "HEAD" ? "HEAD" : shortName(target));
        continue;
      }
      if (resolveRevision(repository, name, context.cwd) === undefined) {
        context.line(word);
        throw ambiguousArgument(name);
      }
      continue;
    }
    const oid = resolved(context, word, name);
    if (oid === undefined) {
      if (verify) return single(context, quiet);
      context.line(word);
      context.err(ambiguousArgument(word).stderr);
      return 128;
    }
    context.line(`${negated ? "^" : ""}${short ? abbreviate(repository, oid, digits) : oid}`);
  }
  return 0;
}

/** A short name that several objects have is said again before that is told. */
function resolved(context: CommandContext, word: string, name: string): string | undefined {
  try {
    return resolveRevision(context.repository, name, context.cwd);
  } catch (error) {
    if (error instanceof CommandFailure && error.code === "EAMBIGUOUS") context.line(word);
    throw error;
  }
}

function upstreamName(repository: Repository, text: string): string | undefined {
  const oid = resolveRevision(repository, text);
  const given = text.replace(/@\{.*$/, "");
  const branch = given === "" ? repository.refs.branch : `refs/heads/${given}`;
  if (oid === undefined || branch === undefined) return undefined;
  const name = branch.replace("refs/heads/", "");
  const remote = repository.config.get(`branch.${name}.remote`);
  const merge = repository.config.get(`branch.${name}.merge`)?.replace("refs/heads/", "");
  return remote === "." ? `refs/heads/${merge}` : `refs/remotes/${remote}/${merge}`;
}

function single(context: CommandContext, quiet: boolean): number {
  if (quiet) return 1;
  void context;
  throw fatal("Needed a single revision", "EREVISION");
}

/** Answers a question about the repository; whether it was one. */
function answer(context: CommandContext, flag: string, value: string | undefined): boolean {
  const { repository, cwd } = context;
  const top = repository.place.workTree;
  const relative = (path: string): string => (relativePath(cwd, path) === "" ? "." : relativePath(cwd, path));
  switch (flag) {
    case "--show-toplevel":
      context.line(repository.workTree);
      return true;
    case "--git-dir":
      context.line(
        top !== undefined && cwd === top
          ? relative(repository.gitDir)
          : cwd === repository.gitDir
            ? "."
            : repository.gitDir,
      );
      return true;
    case "--absolute-git-dir":
      context.line(repository.gitDir);
      return true;
    case "--git-common-dir":
      context.line(relative(repository.place.commonDir));
      return true;
    case "--is-inside-work-tree":
      context.line(
        String(
          top !== undefined &&
            (cwd === top || cwd.startsWith(top === "/" ? "/" : `${top}/`)) &&
            !(cwd === repository.gitDir || cwd.startsWith(`${repository.gitDir}/`)),
        ),
      );
      return true;
    case "--is-inside-git-dir":
      context.line(String(cwd === repository.gitDir || cwd.startsWith(`${repository.gitDir}/`)));
      return true;
    case "--is-bare-repository":
      context.line(String(repository.isBare));
      return true;
    case "--is-shallow-repository":
      context.line(String(repository.objects.shallow.size > 0));
      return true;
    case "--show-prefix": {
      const prefix = top === undefined ? "" : relativePath(top, cwd);
      context.line(prefix === "" ? "" : `${prefix}/`);
      return true;
    }
    case "--show-cdup": {
      const up = top === undefined ? "" : relativePath(cwd, top);
      context.line(up === "" ? "" : `${up}/`);
      return true;
    }
    case "--show-object-format":
      context.line("sha1");
      return true;
    case "--all":
      for (const { oid } of repository.refs.list()) context.line(oid);
      return true;
    case "--branches":
    case "--tags":
    case "--remotes": {
      const prefix = { "--branches": "refs/heads/", "--tags": "refs/tags/", "--remotes": "refs/remotes/" }[flag];
      for (const { oid } of repository.refs.list(prefix)) context.line(oid);
      return true;
    }
    case "--git-path":
      if (value === undefined) throw new CommandFailure("EUSAGE", "fatal: --git-path requires an argument");
      context.line(relative(`${repository.gitDir}/${value}`));
      return true;
  }
  return false;
}
