/** Rows in memory: maps, a log in an array, and a list of what to undo. */

import { type Ino, type Listed, type Name, type PeerState, ROOT_INO } from "../inode-store.ts";
import type { Backing } from "./backing.ts";
import type { Sha256 } from "./chunks.ts";
import { EntryOrder } from "./entry-order.ts";
import { MemoryContents } from "./memory-contents.ts";
import { MemoryXattrs } from "./memory-xattrs.ts";
import { compareNames } from "./names.ts";
import type { ContentPatch, InodeRow, LogRow, Place, Rows } from "./rows.ts";

/** Log rows that are kept though every peer has passed them, for those who watch. */
const KEPT_ROWS = 4096;

/** Undoes one step; `commit` is called instead when the outermost transaction is through. */
type Undo = (() => void) & { commit?: () => void };

interface Directory {
  readonly entries: Map<string, Ino>;
  /** The names in order; undefined once they have changed. */
  sorted: string[] | undefined;
  /** The names as they came; undefined until somebody reads them so. */
  order: EntryOrder | undefined;
}

/** Inodes and places that were changed. */
export interface Touched {
  readonly inodes: Set<Ino>;
  readonly places: Place[];
}

export class MemoryRows implements Rows {
  readonly full: boolean = true;
  readonly contents: MemoryContents;
  readonly xattrs: MemoryXattrs = new MemoryXattrs();
  /** Where what changes is noted, while somebody wants to know. */
  touched: Touched | undefined;
  readonly #totalBytes: number;
  readonly #inodes = new Map<Ino, InodeRow>();
  readonly #directories = new Map<Ino, Directory>();
  readonly #names = new Map<Ino, Place[]>();
  readonly #peers = new Map<string, PeerState>();
  #log: LogRow[] = [];
  #floor = 0;
  #pruneAt = 2 * KEPT_ROWS;
  #undo: Undo[] = [];
  #depth = 0;

  constructor(sha256: Sha256, backing: Backing | undefined, totalBytes: number, root: InodeRow) {
    this.#totalBytes = totalBytes;
    this.#inodes.set(ROOT_INO, root);
    this.#directories.set(ROOT_INO, { entries: new Map(), sorted: undefined, order: undefined });
    const rows = this;
    this.contents = new MemoryContents(sha256, backing, {
      push: (undo) => this.#undo.push(undo),
      // A single mutation checks everything before it changes anything; only one among others may have to come back.
      get needed() {
        return rows.#depth > 1;
      },
    });
  }

  get inTransaction(): boolean {
    return this.#depth > 0;
  }

  transaction<T>(fn: () => T): T {
    const mark = this.#undo.length;
    this.#depth++;
    try {
      const result = fn();
      if (this.#depth === 1) {
        const done = this.#undo;
        this.#undo = [];
        for (const undo of done) undo.commit?.();
        if (this.#log.length > this.#pruneAt) this.#prune();
      }
      return result;
    } catch (error) {
      while (this.#undo.length > mark) this.#undo.pop()!();
      throw error;
    } finally {
      this.#depth--;
    }
  }

  inode(ino: Ino): InodeRow | undefined {
    return this.#inodes.get(ino);
  }

  putInode(row: InodeRow, _patch?: ContentPatch): void {
    const before = this.#inodes.get(row.ino)!;
    this.touched?.inodes.add(row.ino);
    this.#inodes.set(row.ino, row);
    this.#undo.push(() => this.#inodes.set(row.ino, before));
  }

  addInode(row: InodeRow, _patch?: ContentPatch): void {
    this.#inodes.set(row.ino, row);
    if (row.kind === "dir") this.#directories.set(row.ino, { entries: new Map(), sorted: undefined, order: undefined });
    this.#undo.push(() => {
      this.#inodes.delete(row.ino);
      this.#directories.delete(row.ino);
    });
  }

  deleteInode(ino: Ino): void {
    const row = this.#inodes.get(ino)!;
    const directory = this.#directories.get(ino);
    this.touched?.inodes.add(ino);
    this.#inodes.delete(ino);
    this.#directories.delete(ino);
    const undo: Undo = () => {
      this.#inodes.set(ino, row);
      if (directory !== undefined) this.#directories.set(ino, directory);
    };
    undo.commit = () => this.xattrs.drop(ino);
    this.#undo.push(undo);
  }

  dirent(parent: Ino, name: string): InodeRow | undefined {
    const ino = this.#directories.get(parent)?.entries.get(name);
    return ino === undefined ? undefined : this.#inodes.get(ino);
  }

  putDirent(parent: Ino, name: string, { ino }: Pick<InodeRow, "ino" | "kind">): void {
    const directory = this.#directories.get(parent)!;
    const before = directory.entries.get(name);
    if (before === undefined) {
      directory.sorted = undefined;
      directory.order?.add(name);
    }
    this.touched?.places.push({ parent, name });
    directory.entries.set(name, ino);
    this.#undo.push(() => {
      if (before === undefined) {
        directory.entries.delete(name);
        directory.order?.delete(name);
      } else directory.entries.set(name, before);
      directory.sorted = undefined;
    });
  }

  deleteDirent(parent: Ino, name: string): void {
    const directory = this.#directories.get(parent)!;
    const ino = directory.entries.get(name)!;
    directory.entries.delete(name);
    directory.order?.delete(name);
    this.touched?.places.push({ parent, name });
    // The list stays: a name that is gone is passed over when it is read, so that emptying a directory page by page sorts it once.
    this.#undo.push(() => {
      directory.entries.set(name, ino);
      directory.order?.add(name);
      directory.sorted = undefined;
    });
  }

  list(parent: Ino, after: string | undefined, limit: number): { name: string; row: InodeRow }[] {
    const directory = this.#directories.get(parent);
    if (directory === undefined) return [];
    if (directory.sorted === undefined || directory.sorted.length > 2 * directory.entries.size + 16) {
      directory.sorted = [...directory.entries.keys()].sort(compareNames);
    }
    const { sorted, entries } = directory;
    const page: { name: string; row: InodeRow }[] = [];
    for (let i = after === undefined ? 0 : firstAfter(sorted, after); i < sorted.length && page.length < limit; i++) {
      const name = sorted[i]!;
      const ino = entries.get(name);
      if (ino !== undefined) page.push({ name, row: this.#inodes.get(ino)! });
    }
    return page;
  }

  /** Calls `visit` with each entry numbered above `after` in the order in which they came, until it says false. */
  scan(parent: Ino, after: number, visit: (name: string, row: InodeRow, number: number) => boolean): void {
    const directory = this.#directories.get(parent);
    if (directory === undefined) return;
    const { entries } = directory;
    directory.order ??= new EntryOrder(entries.keys());
    directory.order.scan(after, (name, number) => visit(name, this.#inodes.get(entries.get(name)!)!, number));
  }

  names(parent: Ino, after: string | undefined, limit: number): Name[] {
    return this.list(parent, after, limit).map(({ name, row }) => ({ name, ino: row.ino, kind: row.kind }));
  }

  listing(parent: Ino, after: string | undefined, limit: number): Listed[] {
    return this.list(parent, after, limit).map(({ name, row: { ino, kind, size, mtime } }) => {
      return { name, ino, kind, size, mtime };
    });
  }

  isEmpty(parent: Ino): boolean {
    return this.#directories.get(parent)?.entries.size === 0;
  }

  otherNames(ino: Ino): Place[] {
    return [...(this.#names.get(ino) ?? [])];
  }

  addName(ino: Ino, place: Place): void {
    this.#setNames(ino, [...this.otherNames(ino), { parent: place.parent, name: place.name }]);
  }

  deleteName(ino: Ino, place: Place): void {
    this.#setNames(
      ino,
      this.otherNames(ino).filter(({ parent, name }) => parent !== place.parent || name !== place.name),
    );
  }

  last(): LogRow | undefined {
    return this.#log.at(-1);
  }

  append(row: LogRow): void {
    const last = this.#log.at(-1);
    const log = this.#log;
    // Writing on at one file is one thing to tell, however many calls it took.
    if (
      last !== undefined &&
      row.ino !== null &&
      last.ino === row.ino &&
      last.origin === row.origin &&
      !last.place &&
      !row.place &&
      !this.#touchedDirectory(row.ino, last.rev)
    ) {
      log[log.length - 1] = row;
      this.#undo.push(() => {
        log[log.length - 1] = last;
      });
      return;
    }
    log.push(row);
    this.#undo.push(() => void log.pop());
  }

  /** Whether a revision gave the inode a name, and so has a directory's change to tell too. */
  #touchedDirectory(ino: Ino, rev: number): boolean {
    const row = this.inode(ino);
    if (row === undefined || row.parent === 0) return false;
    const others = row.nlink > 1 ? this.otherNames(ino) : [];
    return [row, ...others].some(({ parent }) => this.inode(parent)?.rev === rev);
  }

  log(from: number, limit: number): LogRow[] {
    const start = this.#firstRev(from);
    return this.#log.slice(start, start + limit);
  }

  logRow(rev: number): LogRow | undefined {
    const row = this.#log[this.#firstRev(rev)];
    return row?.rev === rev ? row : undefined;
  }

  floor(): number {
    return this.#floor;
  }

  peer(id: string): PeerState | undefined {
    return this.#peers.get(id);
  }

  setPeer(id: string, state: PeerState | null): void {
    const before = this.#peers.get(id);
    if (state === null) this.#peers.delete(id);
    else this.#peers.set(id, state);
    this.#undo.push(() => {
      if (before === undefined) this.#peers.delete(id);
      else this.#peers.set(id, before);
    });
  }

  totalBytes(): number {
    return this.#totalBytes;
  }

  usedBytes(): number | undefined {
    return undefined;
  }

  #setNames(ino: Ino, names: Place[]): void {
    const before = this.#names.get(ino);
    if (names.length === 0) this.#names.delete(ino);
    else this.#names.set(ino, names);
    this.#undo.push(() => {
      if (before === undefined) this.#names.delete(ino);
      else this.#names.set(ino, before);
    });
  }

  #firstRev(rev: number): number {
    let low = 0;
    let high = this.#log.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#log[middle]!.rev < rev) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #prune(): void {
    const passed = [...this.#peers.values()].map(({ sent }) => sent.baseline ?? sent.rev);
    const cut = Math.min(
      this.#firstRev(Math.min(...passed, Number.MAX_SAFE_INTEGER) + 1),
      this.#log.length - KEPT_ROWS,
    );
    if (cut > 0) {
      this.#floor = this.#log[cut - 1]!.rev;
      this.#log = this.#log.slice(cut);
    }
    this.#pruneAt = this.#log.length + KEPT_ROWS;
  }
}

/** The root of an empty tree. */
export function rootRow(now: number): InodeRow {
  const ms = Math.floor(now);
  const times = { mtime: ms, mtimeNs: 0, atime: ms, atimeNs: 0, ctime: ms, ctimeNs: 0 };
  const owner = { uid: 0, gid: 0, rdev: 0 };
  return {
    ino: ROOT_INO,
    kind: "dir",
    mode: 0o755,
    nlink: 2,
    size: 0,
    ...times,
    ...owner,
    rev: 0,
    parent: ROOT_INO,
    name: "",
    placed: 0,
  };
}

function firstAfter(sorted: readonly string[], after: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareNames(sorted[middle]!, after) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
