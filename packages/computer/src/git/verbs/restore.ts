/** `git restore`: files as they are staged or committed. */

import type { Command } from "../cli/command.ts";
import { CommandFailure, fatal } from "../git-error.ts";
import { flattenTree } from "../objects/read-objects.ts";
import { headTree, resolveRevision, treeOf } from "../repository/rev-parse.ts";
import { removeWorkFile, writeWorkFile } from "../worktree/work-file.ts";
import { fromIndex } from "./checkout.ts";
import { resetPaths } from "./reset.ts";

export const restoreCommand: Command = {
  usage: "[<options>] [--source=<branch>] <file>...",
  flags: [
    "-s --source <tree>",
    "-S --staged",
    "-W --worktree",
    "-q --quiet",
    "--ours",
    "--theirs",
    "-p --patch",
    "-m --merge",
    "--overlay",
    "--progress",
    "--ignore-unmerged",
  ],
  run(context, args) {
    const { repository } = context;
    if (args.has("patch") || args.has("merge"))
      throw fatal(`unsupported: git restore ${args.has("patch") ? "--patch" : "--merge"}`, "EUNSUPPORTED");
    if (args.everything.length === 0) throw fatal("you must specify path(s) to restore");
    const pathspec = context.pathspec(args.everything);
    const staged = args.has("staged");
    const worktree = args.has("worktree") || !staged;
    const source = args.value("source");
    if (source !== undefined && resolveRevision(repository, source) === undefined)
      throw fatal(`could not resolve ${source}`, "EREVISION");
    const tree = source === undefined ? (staged ? headTree(repository) : undefined) : treeOf(repository, source);
    const refuse = (missing: readonly string[]): void => {
      if (missing.length === 0) return;
      throw new CommandFailure(
        "EPATHSPEC",
        missing.map((path) => `error: pathspec '${path}' did not match any file(s) known to git\n`).join(""),
        1,
      );
    };
    if (source === undefined && !staged) {
      const side = args.has("ours") ? "ours" : args.has("theirs") ? "theirs" : undefined;
      return refuse(fromIndex(repository, pathspec, side).missing);
    }
    const files = flattenTree(repository.objects, tree);
    if (staged) refuse(resetPaths(repository, tree, pathspec));
    if (!worktree) return;
    const used = new Set<string>();
    for (const path of new Set([...files.keys(), ...repository.index.paths])) {
      if (!pathspec.matches(path, used)) continue;
      const side = files.get(path);
      if (side === undefined) removeWorkFile(repository, path);
      else {
        const entry = writeWorkFile(repository, path, side.mode, side.oid);
        if (staged) repository.index.restamp(entry);
      }
    }
    refuse(pathspec.unused(used));
  },
};
