/** What is staged, what is not, and what is not tracked: the state that `git status` tells of. */

import { compareNames } from "@cloudflare/dofs";
import type { Change, ChangeStatus, Side } from "../diff/change.ts";
import { DiffContents } from "../diff/diff-contents.ts";
import { detectRenames } from "../diff/renames.ts";
import { diffTreeIndex } from "../diff/tree-diff.ts";
import type { Pathspec } from "../ignore/pathspec.ts";
import type { IndexEntry } from "../index-file/index-entry.ts";
import { modeOf } from "../index-file/index-entry.ts";
import { oidOf } from "../objects/object-id.ts";
import type { Repository } from "../repository/repository.ts";
import { headTree } from "../repository/rev-parse.ts";
import { type Scan, type ScanOptions, scanWorkTree } from "./scan.ts";

/** A path that is not as it was committed. */
export interface StatusItem {
  readonly path: string;
  /** Where it was, of a renamed one. */
  readonly from: string | undefined;
  /** What the index has of it beside HEAD. */
  readonly staged: ChangeStatus | " ";
  /** What the work tree has of it beside the index. */
  readonly work: ChangeStatus | " ";
  /** The letters of a path in conflict, such as `UU`. */
  readonly conflict: string | undefined;
  readonly sides: readonly (IndexEntry | undefined)[];
  readonly head: Side | undefined;
  readonly index: Side | undefined;
  readonly workMode: number;
  readonly score: number | undefined;
  readonly newCommits: boolean;
}

export interface Status {
  readonly items: readonly StatusItem[];
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
}

export interface StatusOptions extends ScanOptions {
  /** Finds renames among what is staged. Default true. */
  readonly renames?: boolean | undefined;
  readonly pathspec?: Pathspec | undefined;
}

export function statusOf(repository: Repository, options: StatusOptions = {}): Status {
  const { pathspec } = options;
  const { index } = repository;
  let staged = diffTreeIndex(repository.objects, headTree(repository), index).filter(({ status }) => status !== "U");
  if (pathspec !== undefined) staged = staged.filter(({ path }) => pathspec.matches(path));
  if (options.renames ?? renamesByDefault(repository)) staged = withRenames(repository, staged);
  const scan = scanWorkTree(repository, options);
  const byPath = new Map(staged.map((change) => [change.path, change]));
  const paths = new Set([...byPath.keys(), ...scan.changes.keys()]);
  for (const path of index.conflicts) if (pathspec === undefined || pathspec.matches(path)) paths.add(path);
  const items = [...paths].sort(compareNames).map((path) => itemOf(repository, path, byPath.get(path), scan));
  return { items, untracked: scan.untracked, ignored: scan.ignored };
}

/** The same changes, with renames found. */
export function withRenames(repository: Repository, changes: readonly Change[], copies = false): Change[] {
  const contents = new DiffContents(repository);
  return detectRenames(changes, (change, side) => contents.read(change, side), {
    copies,
    hash: (data) => oidOf("blob", data),
  });
}

export function renamesByDefault(repository: Repository): boolean {
  const setting = repository.config.get("status.renames") ?? repository.config.get("diff.renames");
  return setting === undefined || ["copies", "copy", "true", "1", "yes", "on"].includes(setting.toLowerCase());
}

function itemOf(repository: Repository, path: string, change: Change | undefined, scan: Scan): StatusItem {
  const { index } = repository;
  const work = scan.changes.get(path);
  const entry = index.get(path);
  const sides = index.conflict(path);
  const stages = [1, 2, 3].map((stage) => sides.find((side) => side.stage === stage));
  const workMode = work === undefined ? (entry?.mode ?? 0) : (work.mode ?? 0);
  const base = {
    path,
    from: change?.from,
    sides: stages,
    head: change?.old ?? (change === undefined ? entry : undefined),
    index: change === undefined ? entry : change.next,
    score: change?.score,
    newCommits: work?.oid !== undefined,
  };
  if (sides.length > 0) {
    const attr = repository.statInWorkTree(path);
    const mode = attr === undefined || attr.kind === "dir" ? 0 : modeOf(attr);
    return { ...base, staged: "U", work: "U", conflict: conflictLetters(stages), workMode: mode };
  }
  const added = entry?.intentToAdd === true;
  return {
    ...base,
    ...(added ? { head: undefined, index: undefined } : {}),
    staged: change?.status ?? " ",
    work: work?.status ?? " ",
    conflict: undefined,
    workMode,
  };
}

/** The letters for which sides of a conflict there are: base, ours, theirs. */
export function conflictLetters(stages: readonly (IndexEntry | undefined)[]): string {
  const bits = stages.map((stage) => (stage === undefined ? "0" : "1")).join("");
  return { "100": "DD", "010": "AU", "110": "UD", "001": "UA", "101": "DU", "011": "AA", "111": "UU" }[bits] ?? "UU";
}
