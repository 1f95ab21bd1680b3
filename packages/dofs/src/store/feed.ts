/**
 * The change feed: from a cursor forward, what each changed path is now.
 *
 * The log says which inode or place a mutation touched, not what it became; so the feed may pass over a row whose inode has a newer one.
 * A directory's move is one row and stands for all that is under it now. A row about anything below a directory that a later row moves
 * is passed over too, since that later row brings all of it.
 */

import {
  type ChangeCursor,
  type ChangeEntry,
  type ChangeLimits,
  type ChangePage,
  type Refused,
  START,
} from "../changes.ts";
import { type Ino, ROOT_INO } from "../inode-store.ts";
import { comparePaths, isUnder, join } from "./names.ts";
import { directoryAbove, placesOf, type Reached, reach, rowAt } from "./path-walk.ts";
import type { InodeRow, LogRow, Rows } from "./rows.ts";

const PAGE = 512;
/** What an entry weighs beside its inline contents, in bytes: about what its fields take on the wire. */
const ENTRY_BYTES = 128;
const CHUNK_REF_BYTES = 40;
/** Paths that are not carried which one page names. */
const MOST_REFUSED = 100;

/** A page under construction. */
class Page {
  readonly entries: ChangeEntry[] = [];
  readonly #refused = new Map<string, Refused>();
  #bytes = 0;
  readonly #limits: ChangeLimits;

  constructor(limits: ChangeLimits) {
    this.#limits = limits;
  }

  get full(): boolean {
    return (
      this.entries.length >= this.#limits.entries || this.#bytes >= (this.#limits.bytes ?? Number.POSITIVE_INFINITY)
    );
  }

  /** Notes what is there and not carried. */
  leaveOut(path: string): void {
    const shown = path.toWellFormed();
    if (this.#refused.size >= MOST_REFUSED) return;
    this.#refused.set(shown, { path: shown, op: "write", reason: "unsupported", mountRoot: "" });
  }

  answer(cursor: ChangeCursor, done: boolean, reset: boolean): ChangePage {
    const refused = [...this.#refused.values()];
    return { entries: this.entries, cursor, done, reset, ...(refused.length === 0 ? {} : { refused }) };
  }

  add(entry: ChangeEntry): void {
    this.entries.push(entry);
    this.#bytes += ENTRY_BYTES + entry.path.length;
    if (entry.kind === "file") this.#bytes += (entry.data?.length ?? 0) + CHUNK_REF_BYTES * entry.chunks.length;
  }
}

/** Which revisions are what a peer brought in. */
class PeerRows {
  readonly #rows: Rows;
  readonly #peer: string;
  #newest: number | undefined;

  constructor(rows: Rows, peer: string) {
    this.#rows = rows;
    this.#peer = peer;
  }

  brought(rev: number): boolean {
    return this.#rows.logRow(rev)?.origin === this.#peer;
  }

  broughtAfter(rev: number): boolean {
    this.#newest ??= this.#newestAfter(rev);
    return this.#newest > rev;
  }

  #newestAfter(rev: number): number {
    let newest = 0;
    for (let from = rev + 1; ; ) {
      const log = this.#rows.log(from, PAGE);
      for (const row of log) if (row.origin === this.#peer) newest = row.rev;
      if (log.length < PAGE) return newest;
      from = log.at(-1)!.rev + 1;
    }
  }
}

export function changePage(rows: Rows, after: ChangeCursor, limits: ChangeLimits): ChangePage {
  const newest = rows.last()?.rev ?? 0;
  const root = limits.root ?? "/";
  const since = after.baseline ?? after.rev;
  const isStart = after.rev === START.rev && after.baseline === undefined;
  const page = new Page({ ...limits, entries: Math.max(1, limits.entries) });
  const peer = limits.peer === undefined ? undefined : new PeerRows(rows, limits.peer);
  const reset = !isStart && (since > newest || since < rows.floor());

  let cursor = after;
  if (isStart || reset) {
    cursor = { rev: 0, path: null, baseline: newest };
    const top = reset ? rowAt(rows, root) : undefined;
    if (top?.kind === "dir") page.add({ ...directoryEntry(top, root), fresh: true });
  }
  if (cursor.baseline !== undefined) {
    for (const { path, row } of walk(rows, root, cursor.path ?? undefined)) {
      if (page.full) return page.answer(cursor, false, reset);
      const entry = entryOf(rows, row, path, root);
      if (entry === undefined) page.leaveOut(path);
      else page.add(entry);
      cursor = { rev: 0, path, baseline: cursor.baseline ?? newest };
    }
    cursor = { rev: cursor.baseline ?? newest, path: null };
  }

  for (;;) {
    const log = rows.log(cursor.path === null ? cursor.rev + 1 : cursor.rev, PAGE);
    for (const row of log) {
      const seen = row.rev === cursor.rev ? cursor.path : null;
      if (limits.peer === undefined || row.origin !== limits.peer) {
        for (const { entry, also } of entriesOf(rows, row, root, {
          seen,
          peer,
          leaveOut: (path) => page.leaveOut(path),
        })) {
          if (page.full) return page.answer(cursor, false, reset);
          page.add(entry);
          for (const other of also) page.add(other);
          cursor = { rev: row.rev, path: entry.path };
        }
      }
      cursor = { rev: row.rev, path: null };
    }
    if (log.length < PAGE) return page.answer(cursor, true, reset);
  }
}

/** What a row is under one of its paths; undefined for what sync does not carry. Of hard links only those under `root` are told. */
export function entryOf(rows: Rows, row: InodeRow, path: string, root = "/"): ChangeEntry | undefined {
  if (!path.isWellFormed()) return undefined;
  const times = { mtime: row.mtime, ...(row.mtimeNs === 0 ? {} : { mtimeNs: row.mtimeNs }) };
  if (row.kind === "dir") return directoryEntry(row, path);
  if (row.kind === "symlink") {
    const target = row.target ?? "";
    if (!target.isWellFormed()) return undefined;
    return { kind: "symlink", rev: row.rev, path, target, mode: row.mode, ...times };
  }
  if (row.kind !== "file") return undefined;
  const file = { kind: "file" as const, rev: row.rev, path, mode: row.mode, ...times, size: row.size };
  const { chunks, data } = rows.contents.describe(row);
  const names = row.nlink > 1 ? namesUnder(rows, row, root) : [];
  return {
    ...file,
    chunks,
    ...(data === undefined ? {} : { data }),
    ...(names.length > 1 ? { links: names.length } : {}),
    ...(names[0] === path || names[0] === undefined ? {} : { sameAs: names[0] }),
  };
}

function directoryEntry(row: InodeRow, path: string): ChangeEntry & { kind: "dir" } {
  const entry: ChangeEntry & { kind: "dir" } = { kind: "dir", rev: row.rev, path, mode: row.mode, mtime: row.mtime };
  if (row.mtimeNs !== 0) entry.mtimeNs = row.mtimeNs;
  return entry;
}

/** An inode's paths under the root in the order in which the stream brings them. */
function namesUnder(rows: Rows, row: InodeRow, root: string): string[] {
  return reach(rows, row)
    .map(({ path }) => path)
    .filter((path) => isUnder(path, root))
    .sort(comparePaths);
}

/** An entry, and what the receiver must be told with it, whatever the order of paths. */
interface Told {
  readonly entry: ChangeEntry;
  readonly also: readonly ChangeEntry[];
}

interface Asked {
  readonly seen: string | null;
  readonly peer: PeerRows | undefined;
  leaveOut(path: string): void;
}

/** The entries of one log row in the order of their paths, those after `seen`. */
function* entriesOf(rows: Rows, logged: LogRow, root: string, { seen, peer, leaveOut }: Asked): Generator<Told> {
  const { rev } = logged;
  const points = new Map<string, ChangeEntry>();
  const point = (entry: ChangeEntry | undefined) => {
    if (entry !== undefined && isBelow(entry.path, root)) points.set(entry.path, entry);
  };
  const touchedDirectory = (ino: Ino) => {
    const row = rows.inode(ino);
    if (row?.rev !== rev || row.kind !== "dir" || ino === ROOT_INO) return;
    for (const { path, placed } of reach(rows, row)) if (placed <= rev) point(directoryEntry(row, path));
  };
  /** The root of the feed, or a directory above it, came or went: nothing that a receiver has under it holds. */
  const rootChanged = () => {
    const top = rowAt(rows, root);
    const entry =
      top?.kind === "dir"
        ? directoryEntry(top, root)
        : ({ kind: "dir", rev, path: root, mode: 0o755, mtime: 0 } as const);
    points.set(root, { ...entry, fresh: true });
  };

  /** Directories that are told with what is below them: all of it, or what the peer brought in. */
  const tops: { path: string; all: boolean }[] = [];

  if (logged.place !== null) {
    const { parent, name } = logged.place;
    touchedDirectory(parent);
    const directory = directoryAbove(rows, parent);
    if (directory !== undefined && directory.placed <= rev) {
      const path = join(directory.path, name);
      const there = rows.dirent(parent, name);
      if (there === undefined) {
        if (isUnder(root, path)) rootChanged();
        else if (path.isWellFormed()) point({ kind: "delete", rev, path });
      } else if (there.kind === "dir" && there.placed > rev && peer?.brought(there.placed) && isBelow(path, root)) {
        // The peer put back what it had changed below a directory that was taken away here; it still has the rest.
        point({ ...directoryEntry(there, path), fresh: true });
        tops.push({ path, all: false });
      }
    }
  }

  const row = logged.ino === null || logged.ino === ROOT_INO ? undefined : rows.inode(logged.ino);
  if (row !== undefined && row.parent !== 0) {
    for (const { parent } of placesOf(rows, row)) touchedDirectory(parent);
    const reached = reach(rows, row).filter(({ placed }) => placed <= rev);
    if (row.kind === "dir" && row.placed === rev) {
      const path = reached[0]?.path;
      if (path !== undefined) {
        if (isUnder(root, path)) rootChanged();
        else point({ ...directoryEntry(row, path), fresh: true });
        const top = isUnder(root, path) ? root : path;
        if (logged.place !== null) tops.push({ path: top, all: true });
        // What the peer brought in later is not in the log for it, and goes with its old directory.
        else if (peer?.broughtAfter(rev)) tops.push({ path: top, all: false });
      }
    } else if (row.rev === rev) {
      for (const { path } of reached) {
        const entry = entryOf(rows, row, path, root);
        point(entry);
        if (entry === undefined && isBelow(path, root)) leaveOut(path);
      }
    }
  }

  /** Other names of an inode whose first name the receiver makes anew, and which must be led to it again. */
  const otherNames = (linked: InodeRow, path: string): ChangeEntry[] => {
    if (linked.nlink < 2 || linked.kind === "dir") return [];
    const names = reach(rows, linked).filter((name) => isUnder(name.path, root));
    const [first, ...others] = names.sort((a, b) => comparePaths(a.path, b.path));
    if (first?.path !== path) return [];
    const isToldAnyway = (name: Reached) => name.placed > rev || tops.some((top) => isUnder(name.path, top.path));
    return others.filter((name) => !isToldAnyway(name)).flatMap((name) => entryOf(rows, linked, name.path, root) ?? []);
  };

  const order = [...points.values()].sort((a, b) => comparePaths(a.path, b.path));
  const isNew = (path: string) => seen === null || comparePaths(path, seen) > 0;
  let next = 0;
  for (const top of tops.filter(({ path }) => isUnder(path, root)).sort((a, b) => comparePaths(a.path, b.path))) {
    const from = seen !== null && isUnder(seen, top.path) ? seen : undefined;
    if (from === undefined && !isNew(top.path)) continue;
    for (const { path, row: below } of walk(rows, top.path, from)) {
      if (!isNew(path) || !(top.all || peer?.brought(below.rev))) continue;
      for (; next < order.length && comparePaths(order[next]!.path, path) < 0; next++) {
        if (isNew(order[next]!.path)) yield { entry: order[next]!, also: [] };
      }
      const entry = entryOf(rows, below, path, root);
      if (entry === undefined) leaveOut(path);
      else yield { entry, also: otherNames(below, path) };
    }
  }
  for (; next < order.length; next++) if (isNew(order[next]!.path)) yield { entry: order[next]!, also: [] };
}

/** Everything below a directory, depth first in byte order, that comes after a path. */
function* walk(rows: Rows, root: string, after?: string): Generator<{ path: string; row: InodeRow }> {
  const top = rowAt(rows, root);
  if (top?.kind !== "dir") return;
  const rest = after === undefined || after === root ? [] : after.slice(root === "/" ? 1 : root.length + 1).split("/");
  yield* below(rows, top.ino, root, rest);
}

/** `rest` are the names that lead to the last path already given; it and what comes before it are left out. */
function* below(
  rows: Rows,
  directory: Ino,
  path: string,
  rest: readonly string[],
): Generator<{ path: string; row: InodeRow }> {
  const [name, ...deeper] = rest;
  if (name !== undefined) {
    const row = rows.dirent(directory, name);
    if (row?.kind === "dir") yield* below(rows, row.ino, join(path, name), deeper);
  }
  for (let after = name; ; ) {
    const page = rows.list(directory, after, PAGE);
    for (const child of page) {
      const childPath = join(path, child.name);
      yield { path: childPath, row: child.row };
      if (child.row.kind === "dir") yield* below(rows, child.row.ino, childPath, []);
    }
    if (page.length < PAGE) return;
    after = page.at(-1)!.name;
  }
}

function isBelow(path: string, directory: string): boolean {
  return path !== directory && isUnder(path, directory);
}
