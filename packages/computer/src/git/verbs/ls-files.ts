/** `git ls-files`. */

import type { Command } from "../cli/command.ts";
import { isWithin, relativePath } from "../files/repository-path.ts";
import { CommandFailure, fatal } from "../git-error.ts";
import { Pathspec } from "../ignore/pathspec.ts";
import { flattenTree } from "../objects/read-objects.ts";
import { modeText } from "../objects/tree.ts";
import type { Repository } from "../repository/repository.ts";
import { treeOf } from "../repository/rev-parse.ts";
import { scanWorkTree } from "../worktree/scan.ts";

export interface GitLsFilesOptions {
  /** The files of a revision; those that are tracked where none is given. */
  ref?: string | undefined;
  dir?: string | undefined;
}

/** Paths from the top of the work tree, in order. */
export function lsFiles(repository: Repository, { ref }: GitLsFilesOptions = {}): string[] {
  return ref === undefined
    ? [...repository.index.paths]
    : [...flattenTree(repository.objects, treeOf(repository, ref)).keys()];
}

export const lsFilesCommand: Command = {
  usage: "[<options>] [<file>...]",
  flags: [
    "-c --cached",
    "-d --deleted",
    "-m --modified",
    "-o --others",
    "-i --ignored",
    "-s --stage",
    "-u --unmerged",
    "-z --null",
    "--exclude-standard",
    "-x --exclude <pattern>...",
    "--full-name",
    "--error-unmatch",
    "-t --tags",
    "--directory",
    "--no-empty-directory",
    "--abbrev[=<n>]",
    "--eol",
    "--deduplicate",
    "--recurse-submodules",
  ],
  run(context, args) {
    const { repository } = context;
    const { index } = repository;
    if (args.has("eol") || args.has("tags") || args.has("exclude"))
      throw fatal("unsupported: git ls-files with --eol, -t or -x", "EUNSUPPORTED");
    const here = repository.relative(context.cwd);
    const given = args.everything;
    const pathspec = given.length > 0 ? context.pathspec(given) : new Pathspec([]);
    const end = args.has("null") ? "\0" : "\n";
    const used = new Set<string>();
    const meant = (path: string): boolean => (given.length > 0 ? pathspec.matches(path, used) : isWithin(path, here));
    const shown = (path: string): string => {
      const text = args.has("full-name")
        ? path
        : relativePath(context.cwd, repository.inWorkTree(path.replace(/\/$/, ""))) + (path.endsWith("/") ? "/" : "");
      return end === "\0" ? text : context.quoted(text);
    };
    const wants = (flag: string): boolean => args.has(flag);
    if (wants("others")) {
      const scan = scanWorkTree(repository, { untracked: wants("directory") ? "normal" : "all", ignored: true });
      const all = wants("ignored")
        ? scan.ignored
        : wants("exclude-standard")
          ? scan.untracked
          : [...scan.untracked, ...scan.ignored].sort();
      for (const path of expand(repository, all, wants("directory"))) if (meant(path)) context.out(shown(path) + end);
    }
    if (wants("cached") || wants("stage") || wants("unmerged") || !["others", "deleted", "modified"].some(wants)) {
      for (const { path, mode, oid, stage } of index.entries) {
        if (!meant(path) || (wants("unmerged") && stage === 0)) continue;
        const head = wants("stage") || wants("unmerged") ? `${modeText(mode)} ${oid} ${stage}\t` : "";
        context.out(head + shown(path) + end);
      }
    }
    if (wants("deleted") || wants("modified")) {
      const { changes } = scanWorkTree(repository, { untracked: "no" });
      for (const path of index.paths) {
        const status = changes.get(path)?.status ?? (index.conflict(path).length > 0 ? "M" : undefined);
        if (status === undefined || !meant(path)) continue;
        if (wants("deleted") && status === "D") context.out(shown(path) + end);
        if (wants("modified")) context.out(shown(path) + end);
      }
    }
    const missing = pathspec.unused(used)[0];
    if (args.has("error-unmatch") && missing !== undefined) {
      throw new CommandFailure(
        "EPATHSPEC",
        `error: pathspec '${missing}' did not match any file(s) known to git\nDid you forget to 'git add'?`,
        1,
      );
    }
  },
};

/** Ignored directories come as one; here each file counts, unless directories are asked for. */
function expand(repository: Repository, paths: readonly string[], directories: boolean): string[] {
  if (directories) return [...paths];
  return paths.flatMap((path): string[] => {
    if (!path.endsWith("/")) return [path];
    const directory = path.slice(0, -1);
    const entries = repository.files.list(repository.inWorkTree(directory));
    if (entries.some(({ name }) => name === ".git")) return [path];
    return expand(
      repository,
      entries.map(({ name, attr }) => `${directory}/${name}${attr.kind === "dir" ? "/" : ""}`),
      false,
    );
  });
}
