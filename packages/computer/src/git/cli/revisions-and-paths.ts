/** Tells revisions from paths where a command line may have both. */

import { absolutePath } from "../../files/absolute-path.ts";
import { fatal } from "../git-error.ts";
import { ambiguousArgument, resolveRevision } from "../repository/rev-parse.ts";
import type { CommandContext } from "./command.ts";
import type { Args } from "./flags.ts";

/** The words before the first that is no revision, and the paths from there on. `EREVISION` for a word that is neither, `EFATAL` for one that is both. */
export function splitRevisions(context: CommandContext, args: Args): { revisions: string[]; paths: string[] } {
  if (args.after !== undefined) {
    for (const word of args.words) if (!isRevision(context, word)) throw fatal(`bad revision '${word}'`, "EREVISION");
    return { revisions: [...args.words], paths: [...args.after] };
  }
  const revisions: string[] = [];
  for (const [i, word] of args.words.entries()) {
    const there = isPath(context, word);
    if (!isRevision(context, word)) {
      const paths = args.words.slice(i);
      for (const path of paths) if (!isPath(context, path)) throw ambiguousArgument(path);
      return { revisions, paths };
    }
    if (there && !word.includes("..")) {
      throw fatal(
        `ambiguous argument '${word}': both revision and filename\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'`,
        "EREVISION",
      );
    }
    revisions.push(word);
  }
  return { revisions, paths: [] };
}

function isRevision(context: CommandContext, word: string): boolean {
  const { repository, cwd } = context;
  const range = /^(.*?)\.\.\.?(.*)$/.exec(word);
  const names =
    range === null
      ? [word.replace(/^\^/, "")]
      : [range[1] === "" ? "HEAD" : range[1]!, range[2] === "" ? "HEAD" : range[2]!];
  if (range !== null && word.replaceAll(".", "") === "") return false;
  return names.every((name) => {
    try {
      return resolveRevision(repository, name, cwd) !== undefined;
    } catch (error) {
      // `rev:path` is no path, however wrong it is; a name of several objects is said to be that.
      if (name.includes(":") && isPath(context, word)) return false;
      throw error;
    }
  });
}

function isPath(context: CommandContext, word: string): boolean {
  const { repository, cwd } = context;
  if (repository.isBare) return false;
  if (/[*?[\\]/.test(word) || word.startsWith(":(") || /^:[!/^]/.test(word)) return true;
  return word !== "" && repository.files.stat(absolutePath(cwd, word)) !== undefined;
}
