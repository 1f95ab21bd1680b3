/** Finds which of the files that came are those that went, under another name. */

import { nameOf } from "../files/repository-path.ts";
import { GITLINK } from "../objects/tree.ts";
import { type Change, MAX_SCORE } from "./change.ts";
import { type Pieces, piecesOf, similarity } from "./similarity.ts";

/** The contents of a side of a change; undefined for a submodule. */
export type ContentsOf = (change: Change, side: "old" | "next") => Uint8Array | undefined;

export interface RenameOptions {
  /** The least similarity, of 60,000. Default half. */
  readonly least?: number | undefined;
  /** Looks among what stayed for copies too. */
  readonly copies?: boolean | undefined;
  /** The most pairs that are compared is the square of this. Default 1,000. */
  readonly limit?: number | undefined;
  /** The name of the object of a side that has none yet. */
  hash(data: Uint8Array): string;
}

interface Candidate {
  readonly change: Change;
  readonly mode: number;
  oid(): string;
  readonly size: number;
  pieces(): Pieces;
}

const LIMIT = 1000;
const KEPT_PER_TARGET = 4;

/** The same changes, with deletions and additions that belong together as renames. */
export function detectRenames(changes: readonly Change[], contents: ContentsOf, options: RenameOptions): Change[] {
  const least = options.least ?? MAX_SCORE / 2;
  const gone = changes.filter(({ status, old }) => status === "D" && old?.mode !== GITLINK);
  const come = changes.filter(({ status, next }) => status === "A" && next?.mode !== GITLINK);
  const kept = options.copies === true ? changes.filter(({ status }) => status === "M") : [];
  if (come.length === 0 || gone.length + kept.length === 0) return [...changes];
  const sources = [...gone, ...kept].map((change) => candidate(change, "old", contents, options));
  const targets = come.map((change) => candidate(change, "next", contents, options));
  const pairs = new Map<Candidate, { source: Candidate; score: number }>();
  const used = new Map<Candidate, number>();
  const pair = (source: Candidate, target: Candidate, score: number): void => {
    pairs.set(target, { source, score });
    used.set(source, (used.get(source) ?? 0) + 1);
  };
  const isFree = (source: Candidate): boolean =>
    options.copies === true || (!used.has(source) && source.change.status === "D");
  findExact(sources, targets, isFree, used, pair);
  if (least < MAX_SCORE) {
    if (options.copies !== true) findByName(sources, targets, { least, isFree, pairs, pair });
    const open = targets.filter((target) => !pairs.has(target));
    const from = sources.filter((source) => isFree(source));
    const limit = options.limit ?? LIMIT;
    if (open.length * from.length <= limit * limit) findSimilar(from, open, { least, isFree, used, pairs, pair });
  }
  return assemble(changes, targets, pairs, used);
}

interface Search {
  readonly least: number;
  isFree(source: Candidate): boolean;
  readonly pairs: ReadonlyMap<Candidate, unknown>;
  pair(source: Candidate, target: Candidate, score: number): void;
}

function findExact(
  sources: readonly Candidate[],
  targets: readonly Candidate[],
  isFree: (source: Candidate) => boolean,
  used: ReadonlyMap<Candidate, number>,
  pair: (source: Candidate, target: Candidate, score: number) => void,
): void {
  const byOid = Map.groupBy(sources, (source) => source.oid());
  for (const target of targets) {
    let best: Candidate | undefined;
    let bestScore = -1;
    for (const source of byOid.get(target.oid()) ?? []) {
      if (!isFree(source) || !sameKind(source, target)) continue;
      const score = (used.has(source) ? 0 : 1) + (sameName(source, target) ? 1 : 0);
      if (score > bestScore) [best, bestScore] = [source, score];
      if (score === 2) break;
    }
    if (best !== undefined) pair(best, target, MAX_SCORE);
  }
}

/** A file that is the only one of its name on both sides needs to be similar only to the one of that name. */
function findByName(sources: readonly Candidate[], targets: readonly Candidate[], search: Search): void {
  const least = Math.floor(search.least + 0.5 * (MAX_SCORE - search.least));
  const only = (all: readonly Candidate[]): Map<string, Candidate> => {
    const groups = Map.groupBy(all, (each) => nameOf(each.change.path));
    return new Map(
      [...groups].flatMap(([name, [first, ...more]]) => (more.length === 0 ? [[name, first!] as const] : [])),
    );
  };
  const from = only(sources.filter((source) => search.isFree(source)));
  for (const [name, target] of only(targets.filter((target) => !search.pairs.has(target)))) {
    const source = from.get(name);
    if (source === undefined || !search.isFree(source) || !areFiles(source, target)) continue;
    const score = similarity(source, target, least);
    if (score >= least) search.pair(source, target, score);
  }
}

function findSimilar(
  sources: readonly Candidate[],
  targets: readonly Candidate[],
  search: Search & { used: ReadonlyMap<Candidate, number> },
): void {
  const found: { source: Candidate; target: Candidate; score: number; name: number }[] = [];
  for (const target of targets) {
    const best: typeof found = [];
    for (const source of sources) {
      if (!areFiles(source, target)) continue;
      const score = similarity(source, target, search.least);
      if (score < search.least) continue;
      best.push({ source, target, score, name: sameName(source, target) ? 1 : 0 });
    }
    best.sort((a, b) => b.score - a.score || b.name - a.name);
    found.push(...best.slice(0, KEPT_PER_TARGET));
  }
  found.sort((a, b) => b.score - a.score || b.name - a.name);
  for (const { source, target, score } of found) {
    if (!search.pairs.has(target) && source.change.status === "D" && !search.used.has(source))
      search.pair(source, target, score);
  }
  for (const { source, target, score } of found) {
    if (!search.pairs.has(target) && search.isFree(source)) search.pair(source, target, score);
  }
}

function assemble(
  changes: readonly Change[],
  targets: readonly Candidate[],
  pairs: ReadonlyMap<Candidate, { source: Candidate; score: number }>,
  used: ReadonlyMap<Candidate, number>,
): Change[] {
  const byPath = new Map(targets.map((target) => [target.change.path, target]));
  const renamed = new Set(
    [...used.keys()].filter(({ change }) => change.status === "D").map(({ change }) => change.path),
  );
  const left = new Map([...used].map(([source, count]) => [source, count]));
  return changes.flatMap((change): Change[] => {
    if (change.status === "D") return renamed.has(change.path) ? [] : [change];
    const target = change.status === "A" ? byPath.get(change.path) : undefined;
    const match = target === undefined ? undefined : pairs.get(target);
    if (match === undefined) return [change];
    const { source, score } = match;
    const uses = left.get(source)!;
    left.set(source, uses - 1);
    // Of several that came from one, the last is the one it became.
    const status = source.change.status === "D" && uses === 1 ? "R" : "C";
    return [{ status, path: change.path, from: source.change.path, old: source.change.old, next: change.next, score }];
  });
}

function candidate(change: Change, side: "old" | "next", contents: ContentsOf, { hash }: RenameOptions): Candidate {
  let data: Uint8Array | undefined;
  let pieces: Pieces | undefined;
  const bytes = (): Uint8Array => {
    data ??= contents(change, side) ?? new Uint8Array();
    return data;
  };
  return {
    change,
    mode: change[side]?.mode ?? 0,
    oid: () => change[side]?.oid ?? hash(bytes()),
    get size() {
      return bytes().length;
    },
    pieces() {
      pieces ??= piecesOf(bytes());
      return pieces;
    },
  };
}

function sameKind(a: Candidate, b: Candidate): boolean {
  return (a.mode & 0o170000) === (b.mode & 0o170000);
}

function areFiles(a: Candidate, b: Candidate): boolean {
  return (a.mode & 0o170000) === 0o100000 && (b.mode & 0o170000) === 0o100000;
}

function sameName(a: Candidate, b: Candidate): boolean {
  return nameOf(a.change.path) === nameOf(b.change.path);
}
