/** `git add`. */

import type { Command } from "../cli/command.ts";
import { CommandFailure, PathspecNotFoundError } from "../git-error.ts";
import { type Pathspec, pathspecOf } from "../ignore/pathspec.ts";
import { indexEntry } from "../index-file/index-entry.ts";
import { EMPTY_BLOB } from "../objects/object-id.ts";
import { GITLINK } from "../objects/tree.ts";
import type { Repository } from "../repository/repository.ts";
import { scanWorkTree } from "../worktree/scan.ts";
import { nestedHead, stagedEntry, stagedMode } from "../worktree/work-file.ts";

export interface GitAddOptions {
  dir?: string | undefined;
  paths: string[];
  /** Adds what is ignored too. */
  force?: boolean | undefined;
  /** All of the work tree, or of the paths: what came, changed and went. */
  all?: boolean | undefined;
  /** Only what is tracked already. */
  trackedOnly?: boolean | undefined;
}

/** Stages files. `EPATHSPEC` where a path matches nothing. */
export function add(repository: Repository, options: GitAddOptions & { cwd: string }): void {
  const { all = false, trackedOnly = false } = options;
  const paths = options.paths.length === 0 && (all || trackedOnly) ? [repository.workTree] : options.paths;
  const pathspec = pathspecOf(paths, options.cwd, repository.workTree);
  const { missing, ignored } = stage(repository, pathspec, { force: options.force, trackedOnly });
  if (missing[0] !== undefined) throw new PathspecNotFoundError(missing[0]);
  if (ignored.length > 0) throw ignoredFailure(ignored);
}

interface StageOptions {
  readonly force?: boolean | undefined;
  readonly trackedOnly?: boolean | undefined;
  /** Leaves what is gone as it is staged. */
  readonly keepRemoved?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly intentToAdd?: boolean | undefined;
  say?(verb: "add" | "remove", path: string): void;
  warn?(text: string): void;
}

/** Stages what a pathspec matches; what matched nothing, and what was asked for and is ignored. */
export function stage(
  repository: Repository,
  pathspec: Pathspec,
  options: StageOptions,
): { missing: string[]; ignored: string[] } {
  const { index } = repository;
  const scan = scanWorkTree(repository, {
    untracked: options.trackedOnly ? "no" : "all",
    ignored: !options.trackedOnly,
    pathspec,
  });
  const used = new Set<string>();
  for (const path of index.paths) pathspec.matches(path, used);
  for (const path of scan.untracked) pathspec.matches(path.replace(/\/$/, ""), used);
  const found = options.force ? expandIgnored(repository, scan.ignored) : [];
  for (const path of found) pathspec.matches(path, used);
  const ignored = scan.ignored.map((path) => path.replace(/\/$/, ""));
  const asked = pathspec.items.filter(
    ({ path, pattern, given }) =>
      !pattern &&
      !used.has(given) &&
      ignored.some(
        (each) => each === path || path.startsWith(`${each}/`) || (path !== "" && each.startsWith(`${path}/`)),
      ),
  );
  for (const { given } of asked) used.add(given);
  for (const { path, given } of pathspec.items)
    if (path === "" || repository.statInWorkTree(path)?.kind === "dir") used.add(given);
  const missing = pathspec.unused(used);
  if (missing.length > 0) return { missing, ignored: [] };
  stageTracked(repository, pathspec, scan.changes, options);
  if (!options.trackedOnly) {
    for (const path of [...scan.untracked, ...found]) {
      if (pathspec.matches(path.replace(/\/$/, ""))) stageNew(repository, path, options);
    }
  }
  return {
    missing,
    ignored: options.force
      ? []
      : asked.map(({ path }) => ignored.find((each) => each === path || path.startsWith(`${each}/`)) ?? path),
  };
}

function stageTracked(
  repository: Repository,
  pathspec: Pathspec,
  changes: ReturnType<typeof scanWorkTree>["changes"],
  options: StageOptions,
): void {
  const { index } = repository;
  for (const [path, { status, oid, attr }] of changes) {
    if (index.conflict(path).length > 0) continue;
    if (status === "D") {
      if (options.keepRemoved) continue;
      options.say?.("remove", path);
      if (!options.dryRun) index.remove(path);
    } else {
      options.say?.("add", path);
      if (options.dryRun) continue;
      const entry = index.get(path);
      if (oid !== undefined) index.set(indexEntry(path, GITLINK, oid));
      else if (attr !== undefined && entry !== undefined) index.set(stagedEntry(repository, path, attr));
    }
  }
  for (const path of index.conflicts) {
    if (!pathspec.matches(path)) continue;
    const attr = repository.statInWorkTree(path);
    const gone = attr === undefined || attr.kind === "dir";
    if (gone && options.keepRemoved) continue;
    options.say?.(gone ? "remove" : "add", path);
    if (options.dryRun) continue;
    if (gone) index.remove(path);
    else index.set(stagedEntry(repository, path, attr));
  }
}

function stageNew(repository: Repository, path: string, options: StageOptions): void {
  const { index } = repository;
  if (path.endsWith("/")) {
    const directory = path.slice(0, -1);
    const head = nestedHead(repository, directory);
    if (head === "" || head === undefined) {
      throw new CommandFailure(
        "ENESTED",
        `error: '${path}' does not have a commit checked out\nfatal: adding files failed`,
      );
    }
    options.say?.("add", path);
    if (options.dryRun) return;
    options.warn?.(nestedWarning(directory));
    index.set(indexEntry(directory, GITLINK, head));
    return;
  }
  options.say?.("add", path);
  if (options.dryRun) return;
  const attr = repository.statInWorkTree(path);
  if (attr === undefined) return;
  index.removeUnder(path);
  if (options.intentToAdd) {
    index.set({ ...indexEntry(path, stagedMode(repository, path, attr), EMPTY_BLOB), intentToAdd: true });
  } else index.set(stagedEntry(repository, path, attr));
}

/** The files in what is ignored, since `--force` adds them. */
function expandIgnored(repository: Repository, ignored: readonly string[]): string[] {
  return ignored.flatMap((path): string[] => {
    if (!path.endsWith("/")) return [path];
    const directory = path.slice(0, -1);
    if (nestedHead(repository, directory) !== undefined) return [path];
    const entries = repository.files.list(repository.inWorkTree(directory)).filter(({ name }) => name !== ".git");
    return expandIgnored(
      repository,
      entries.map(({ name, attr }) => `${directory}/${name}${attr.kind === "dir" ? "/" : ""}`),
    );
  });
}

function nestedWarning(path: string): string {
  return `warning: adding embedded git repository: ${path}
hint: You've added another git repository inside your current repository.
hint: Clones of the outer repository will not contain the contents of
hint: the embedded repository and will not know how to obtain it.
hint: If you meant to add a submodule, use:
hint: 
hint: 	git submodule add <url> ${path}
hint: 
hint: If you added this path by mistake, you can remove it from the
hint: index with:
hint: 
hint: 	git rm --cached ${path}
hint: 
hint: See "git help submodule" for more information.
`;
}

function ignoredFailure(paths: readonly string[]): CommandFailure {
  return new CommandFailure(
    "EIGNORED",
    `The following paths are ignored by one of your .gitignore files:\n${paths.join("\n")}\nhint: Use -f if you really want to add them.\nhint: Turn this message off by running\nhint: "git config advice.addIgnoredFile false"`,
    1,
  );
}

export const addCommand: Command = {
  usage: "[<options>] [--] <pathspec>...",
  flags: [
    "-n --dry-run",
    "-v --verbose",
    "-f --force",
    "-u --update",
    "-A --all",
    "--no-ignore-removal",
    "-N --intent-to-add",
    "--refresh",
    "--ignore-errors",
    "--chmod <mode>",
    "--renormalize",
  ],
  run(context, args) {
    const { repository } = context;
    const given = args.everything;
    const all = args.has("all");
    if (given.length === 0 && !all && !args.has("update")) {
      context.err(
        "Nothing specified, nothing added.\nhint: Maybe you wanted to say 'git add .'?\nhint: Turn this message off by running\nhint: \"git config advice.addEmptyPathspec false\"\n",
      );
      return;
    }
    const pathspec =
      given.length === 0
        ? pathspecOf([repository.workTree], context.cwd, repository.workTree)
        : context.pathspec(given);
    const { missing, ignored } = stage(repository, pathspec, {
      force: args.has("force"),
      trackedOnly: args.has("update"),
      keepRemoved: args.flag("all") === false,
      dryRun: args.has("dry-run"),
      intentToAdd: args.has("intent-to-add"),
      say: (verb, path) => {
        if (args.has("verbose") || args.has("dry-run")) context.line(`${verb} '${path}'`);
      },
      warn: (text) => context.err(text),
    });
    if (missing[0] !== undefined)
      throw new CommandFailure("EPATHSPEC", `fatal: pathspec '${missing[0]}' did not match any files`);
    const mode = args.value("chmod");
    if (mode === "+x" || mode === "-x") {
      for (const path of repository.index.paths) {
        const entry = pathspec.matches(path) ? repository.index.get(path) : undefined;
        if (entry !== undefined) repository.index.set({ ...entry, mode: mode === "+x" ? 0o100755 : 0o100644 });
      }
    }
    if (ignored.length === 0) return;
    context.err(ignoredFailure(ignored).stderr);
    return 1;
  },
};
