/** `git clean`. */

import type { Command } from "../cli/command.ts";
import { isWithin } from "../files/repository-path.ts";
import { fatal } from "../git-error.ts";
import { Pathspec } from "../ignore/pathspec.ts";
import type { Repository } from "../repository/repository.ts";
import { scanWorkTree } from "../worktree/scan.ts";
import { isNested } from "../worktree/work-file.ts";

export interface CleanOptions {
  /** Directories of nothing but untracked files too. */
  directories?: boolean | undefined;
  /** Removes nothing. */
  dryRun?: boolean | undefined;
  dir?: string | undefined;
}

interface CleanPlan extends CleanOptions {
  readonly pathspec?: Pathspec | undefined;
  readonly here?: string | undefined;
  /** What is ignored: kept, removed too, or alone. */
  readonly ignored?: "keep" | "too" | "only" | undefined;
  readonly nested?: boolean | undefined;
}

/** Removes files that are not tracked and not ignored; their paths, a directory's with a slash. */
export function clean(repository: Repository, plan: CleanPlan = {}): string[] {
  const { pathspec = new Pathspec([]), here = "", directories = false, ignored = "keep" } = plan;
  const scan = scanWorkTree(repository, {
    untracked: "normal",
    ignored: ignored !== "keep",
    empty: directories || !pathspec.isEmpty,
  });
  const found = [...(ignored === "only" ? [] : scan.untracked), ...(ignored === "keep" ? [] : scan.ignored)].sort();
  const given = !pathspec.isEmpty;
  const gone: string[] = [];
  for (const path of found) {
    const bare = path.replace(/\/$/, "");
    if (given ? !pathspec.matches(bare) : !isWithin(bare, here)) continue;
    if (path.endsWith("/")) {
      if (!directories && !given) continue;
      if (isNested(repository, bare) && !plan.nested) continue;
    }
    gone.push(path);
    if (!plan.dryRun) repository.files.remove(repository.inWorkTree(bare));
  }
  return gone;
}

export const cleanCommand: Command = {
  usage: "[-d] [-f] [-n] [-q] [-x | -X] [--] [<pathspec>...]",
  flags: [
    "-q --quiet",
    "-n --dry-run",
    "-f --force",
    "-i --interactive",
    "-d",
    "-e --exclude <pattern>...",
    "-x",
    "-X",
  ],
  run(context, args) {
    const { repository } = context;
    if (args.has("interactive") || args.has("exclude")) throw fatal("unsupported: git clean -i and -e", "EUNSUPPORTED");
    if (args.has("x") && args.has("X")) throw fatal("options '-x' and '-X' cannot be used together");
    const required = repository.config.flag("clean.requireforce") ?? true;
    if (required && !args.has("force") && !args.has("dry-run")) {
      const why =
        repository.config.get("clean.requireforce") === undefined
          ? "clean.requireForce defaults to true and neither -i, -n, nor -f given"
          : "clean.requireForce set to true and neither -i, -n, nor -f given";
      throw fatal(`${why}; refusing to clean`, "EFORCE");
    }
    const gone = clean(repository, {
      directories: args.has("d"),
      dryRun: args.has("dry-run"),
      pathspec: args.everything.length === 0 ? undefined : context.pathspec(args.everything),
      here: repository.relative(context.cwd),
      ignored: args.has("X") ? "only" : args.has("x") ? "too" : "keep",
      nested: args.count("force") > 1,
    });
    if (args.has("quiet") && !args.has("dry-run")) return;
    for (const path of gone)
      context.line(`${args.has("dry-run") ? "Would remove" : "Removing"} ${context.shown(path)}`);
  },
};
