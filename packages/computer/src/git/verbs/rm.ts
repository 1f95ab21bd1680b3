/** `git rm`. */

import type { Command } from "../cli/command.ts";
import { CommandFailure, PathspecNotFoundError } from "../git-error.ts";
import { type Pathspec, pathspecOf } from "../ignore/pathspec.ts";
import { entryAt } from "../objects/read-objects.ts";
import type { Repository } from "../repository/repository.ts";
import { headTree } from "../repository/rev-parse.ts";
import { workStatus } from "../worktree/scan.ts";
import { removeWorkFile } from "../worktree/work-file.ts";

export interface GitRmOptions {
  dir?: string | undefined;
  paths: string[];
}

/** Removes files from the index and the work tree, directories with all that is tracked in them. `EPATHSPEC` where a path is not tracked. */
export function rm(repository: Repository, options: GitRmOptions & { cwd: string }): void {
  const pathspec = pathspecOf(options.paths, options.cwd, repository.workTree);
  const { paths, missing } = tracked(repository, pathspec);
  if (missing[0] !== undefined) throw new PathspecNotFoundError(missing[0]);
  remove(repository, paths, false);
}

function tracked(repository: Repository, pathspec: Pathspec): { paths: string[]; missing: string[] } {
  const used = new Set<string>();
  const paths = repository.index.paths.filter((path) => pathspec.matches(path, used));
  return { paths, missing: pathspec.unused(used) };
}

function remove(repository: Repository, paths: readonly string[], cached: boolean): void {
  for (const path of paths) {
    if (!cached) removeWorkFile(repository, path);
    repository.index.remove(path);
  }
}

/** Why files may not go: what would be lost with them. */
function refuse(repository: Repository, paths: readonly string[], cached: boolean): void {
  const tree = headTree(repository);
  const lost: Record<"both" | "staged" | "local", string[]> = { both: [], staged: [], local: [] };
  for (const path of paths) {
    const entry = repository.index.get(path);
    const attr = repository.statInWorkTree(path);
    if (entry === undefined || attr === undefined || attr.kind === "dir") continue;
    const head = tree === undefined ? undefined : entryAt(repository.objects, tree, path);
    const local = workStatus(repository, entry, attr) !== undefined;
    const staged = head?.oid !== entry.oid || head.mode !== entry.mode;
    if (local && staged && !entry.intentToAdd) lost.both.push(path);
    else if (!cached && staged) lost.staged.push(path);
    else if (!cached && local) lost.local.push(path);
  }
  const text = [
    complaint(
      lost.both,
      "has staged content different from both the\nfile and the HEAD",
      "have staged content different from both the\nfile and the HEAD",
      "use -f to force removal",
    ),
    complaint(
      lost.staged,
      "has changes staged in the index",
      "have changes staged in the index",
      "use --cached to keep the file, or -f to force removal",
    ),
    complaint(
      lost.local,
      "has local modifications",
      "have local modifications",
      "use --cached to keep the file, or -f to force removal",
    ),
  ].join("");
  if (text !== "") throw new CommandFailure("ELOST", text, 1);
}

function complaint(paths: readonly string[], one: string, many: string, advice: string): string {
  if (paths.length === 0) return "";
  const words = paths.length === 1 ? `the following file ${one}` : `the following files ${many}`;
  return `error: ${words}:\n${paths.map((path) => `    ${path}\n`).join("")}(${advice})\n`;
}

export const rmCommand: Command = {
  usage: "[-f | --force] [-n] [-r] [--cached] [--ignore-unmatch] [--] <pathspec>...",
  flags: ["-n --dry-run", "-q --quiet", "--cached", "-f --force", "-r", "--ignore-unmatch"],
  run(context, args) {
    const { repository } = context;
    if (args.everything.length === 0)
      throw new CommandFailure("EUSAGE", "fatal: No pathspec was given. Which files should I remove?");
    const pathspec = context.pathspec(args.everything);
    const { paths, missing } = tracked(repository, pathspec);
    if (missing[0] !== undefined && !args.has("ignore-unmatch")) {
      throw new CommandFailure("EPATHSPEC", `fatal: pathspec '${missing[0]}' did not match any files`);
    }
    if (!args.has("r")) {
      for (const item of pathspec.items) {
        const isDirectory =
          !item.pattern &&
          !repository.index.has(item.path) &&
          paths.some((path) => path.startsWith(item.path === "" ? "" : `${item.path}/`));
        if (isDirectory)
          throw new CommandFailure("EISDIR", `fatal: not removing '${item.given}' recursively without -r`);
      }
    }
    const cached = args.has("cached");
    if (!args.has("force")) refuse(repository, paths, cached);
    if (!args.has("quiet")) for (const path of paths) context.line(`rm '${path}'`);
    if (!args.has("dry-run")) remove(repository, paths, cached);
  },
};
