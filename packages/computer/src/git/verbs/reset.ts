/** `git reset`. */

import { absolutePath } from "../../files/absolute-path.ts";
import type { Command, CommandContext } from "../cli/command.ts";
import { Args } from "../cli/flags.ts";
import { splitRevisions } from "../cli/revisions-and-paths.ts";
import { fatal, PathspecNotFoundError } from "../git-error.ts";
import { type Pathspec, pathspecOf } from "../ignore/pathspec.ts";
import { indexEntry } from "../index-file/index-entry.ts";
import { endMerge } from "../merge/merge-in.ts";
import { subjectOf } from "../objects/commit.ts";
import { flattenTree, readCommit } from "../objects/read-objects.ts";
import type { Repository } from "../repository/repository.ts";
import { abbreviate, ambiguousArgument, commitOf, headTree, treeOf } from "../repository/rev-parse.ts";
import { scanWorkTree } from "../worktree/scan.ts";
import { resetToTree, switchTree } from "../worktree/switch-tree.ts";

export interface ResetOptions {
  /** Only these paths of the index. */
  paths?: string[] | undefined;
  /** The work tree too: local changes are lost. */
  hard?: boolean | undefined;
  /** Default HEAD. */
  ref?: string | undefined;
  dir?: string | undefined;
}

/** Makes HEAD and the index what a commit is, or some paths of the index what they are in it. */
export function reset(
  repository: Repository,
  { paths = [], hard = false, ref = "HEAD", cwd }: ResetOptions & { cwd: string },
): void {
  if (paths.length > 0) {
    const pathspec = pathspecOf(paths, cwd, repository.workTree);
    const missing = resetPaths(repository, headOrTree(repository, ref), pathspec)[0];
    if (missing !== undefined) throw new PathspecNotFoundError(missing);
    return;
  }
  resetAll(repository, ref, hard ? "hard" : "mixed");
}

function headOrTree(repository: Repository, ref: string): string | undefined {
  return ref === "HEAD" ? headTree(repository) : treeOf(repository, ref);
}

/** What of the index is meant becomes what the tree has; the items that nothing was found for. */
export function resetPaths(repository: Repository, tree: string | undefined, pathspec: Pathspec): string[] {
  const { index, objects } = repository;
  const files = flattenTree(objects, tree);
  const used = new Set<string>();
  for (const path of new Set([...index.paths, ...files.keys()])) {
    if (!pathspec.matches(path, used)) continue;
    const side = files.get(path);
    const entry = index.get(path);
    if (side === undefined) index.remove(path);
    else if (entry?.oid !== side.oid || entry.mode !== side.mode || entry.intentToAdd)
      index.set(indexEntry(path, side.mode, side.oid));
  }
  return pathspec.unused(used);
}

type Mode = "soft" | "mixed" | "hard" | "merge" | "keep";

function resetAll(repository: Repository, text: string, mode: Mode): void {
  const { refs, objects } = repository;
  const { head } = refs;
  const unborn = head === undefined && text === "HEAD";
  const commit = unborn ? undefined : commitOf(repository, text);
  const tree = commit === undefined ? undefined : readCommit(objects, commit).tree;
  if (mode === "soft" && repository.index.hasConflicts)
    throw fatal("Cannot do a soft reset in the middle of a merge.", "EMERGING");
  if (mode === "hard") resetToTree(repository, tree, { files: true });
  else if (mode === "mixed") resetToTree(repository, tree, { files: false });
  else if (mode === "keep" && tree !== undefined) {
    switchTree(repository, headTree(repository), tree, { what: "reset", before: "reset" });
    resetToTree(repository, tree, { files: false });
  } else if (mode === "merge") {
    resetToTree(repository, tree, { files: true });
  }
  if (commit !== undefined) {
    if (head !== undefined) repository.setState("ORIG_HEAD", `${head}\n`);
    refs.update("HEAD", commit, `reset: moving to ${text}`);
  }
  if (mode !== "soft") endMerge(repository);
}

export const resetCommand: Command = {
  usage: "[--mixed | --soft | --hard | --merge | --keep] [-q] [<commit>]\n[-q] [<tree-ish>] [--] <pathspec>...",
  flags: [
    "-q --quiet",
    "--mixed",
    "--soft",
    "--hard",
    "--merge",
    "--keep",
    "-N --intent-to-add",
    "-p --patch",
    "--refresh",
  ],
  run(context, args) {
    const { repository } = context;
    if (args.has("patch")) throw fatal("unsupported: git reset --patch", "EUNSUPPORTED");
    const unborn = repository.refs.head === undefined;
    const words = unborn && args.words[0] === "HEAD" ? args.words.slice(1) : args.words;
    const { revisions, paths } = unborn
      ? { revisions: [], paths: [...words, ...(args.after ?? [])] }
      : splitFirst(context, args);
    if (unborn && words[0] !== undefined && repository.files.stat(absolutePath(context.cwd, words[0])) === undefined)
      throw ambiguousArgument(words[0]);
    const [ref = "HEAD", ...more] = revisions;
    if (more.length > 0)
      throw fatal(`ambiguous argument '${more[0]}': unknown revision or path not in the working tree.`);
    const modes = (["soft", "hard", "merge", "keep", "mixed"] as const).filter((each) => args.has(each));
    const mode: Mode = modes[0] ?? "mixed";
    if (paths.length > 0 || args.after !== undefined) {
      if (paths.length > 0 && mode !== "mixed") throw fatal(`Cannot do ${mode} reset with paths.`);
      if (paths.length > 0) {
        resetPaths(repository, headOrTree(repository, ref), context.pathspec(paths));
        if (!args.has("quiet")) context.out(unstaged(context));
        return;
      }
    }
    if (repository.isBare && mode !== "soft") throw fatal(`${mode} reset is not allowed in a bare repository`, "EBARE");
    resetAll(repository, ref, mode);
    if (args.has("quiet")) return;
    if (mode === "hard" && repository.refs.head !== undefined) {
      const { head } = repository.refs;
      context.line(
        `HEAD is now at ${abbreviate(repository, head)} ${subjectOf(readCommit(repository.objects, head).message)}`,
      );
    } else if (mode === "mixed") context.out(unstaged(context));
  },
};

/** Only the first word can be a revision; whether the others are there is not looked at. */
function splitFirst(context: CommandContext, args: Args): { revisions: string[]; paths: string[] } {
  const [first, ...rest] = args.words;
  if (first === undefined) return { revisions: [], paths: [...(args.after ?? [])] };
  const { revisions } = splitRevisions(context, new Args(new Map(), [first], args.after));
  return { revisions, paths: [...(revisions.length === 0 ? [first] : []), ...rest, ...(args.after ?? [])] };
}

function unstaged({ repository }: CommandContext): string {
  const { changes } = scanWorkTree(repository, { untracked: "no" });
  const lines = [...changes].map(([path, { status }]) => [path, status] as const);
  for (const path of repository.index.conflicts) lines.push([path, "M"]);
  if (lines.length === 0) return "";
  lines.sort(([a], [b]) => (a < b ? -1 : 1));
  return `Unstaged changes after reset:\n${lines.map(([path, status]) => `${status}\t${path}\n`).join("")}`;
}
