/** The steps that mutations of a tree are made of: rows put and dropped, names moved, times set, the log written. */

import { FsError } from "../fs-error.ts";
import { type Ino, ROOT_INO } from "../inode-store.ts";
import { reach, rowAt } from "./path-walk.ts";
import type { ContentPatch, InodeRow, LogRow, Place, Rows } from "./rows.ts";

const PAGE = 512;
const NS_PER_MS = 1_000_000;

export interface Time {
  readonly ms: number;
  readonly ns: number;
}

/** What a mutation adds to the totals and to the log. */
export interface Logged {
  readonly ino?: Ino;
  readonly place?: Place;
  readonly inodes?: number;
  readonly bytes?: number;
}

/** Does what it is told and checks nothing: that is the caller's part, and so is the transaction. */
export class TreeEditor {
  readonly rows: Rows;
  /** How often each inode is held; one that is not held goes with its last name. */
  readonly holds: Map<Ino, number> = new Map();
  /** Who brings in what is changed now; null for this side itself. */
  origin: string | null = null;
  readonly #now: () => number;

  constructor(rows: Rows, now: () => number) {
    this.rows = rows;
    this.#now = now;
  }

  inode(ino: Ino): InodeRow {
    const row = this.rows.inode(ino);
    if (row === undefined) throw new FsError("ENOENT");
    return row;
  }

  /** What has a name in a directory; `ENOENT` where nothing has. */
  child(parent: Ino, name: string): InodeRow {
    const row = this.rows.dirent(parent, name);
    if (row === undefined) throw new FsError("ENOENT");
    return row;
  }

  directory(ino: Ino): InodeRow {
    const row = this.inode(ino);
    if (row.kind !== "dir") throw new FsError("ENOTDIR");
    return row;
  }

  paths(ino: Ino): string[] {
    const row = this.rows.inode(ino);
    return row === undefined ? [] : reach(this.rows, row).map(({ path }) => path);
  }

  /** The row a path leads to, no link followed; undefined where nothing is. */
  rowAt(path: string): InodeRow | undefined {
    return rowAt(this.rows, path);
  }

  /** The row with one of its names exchanged; the directory entries are the caller's. */
  moveName(row: InodeRow, from: Place, to: Place): InodeRow {
    if (row.parent === from.parent && row.name === from.name) {
      return { ...row, parent: to.parent, name: to.name, placed: this.nextRev() };
    }
    this.rows.deleteName(row.ino, from);
    this.rows.addName(row.ino, to);
    return row;
  }

  /** Takes one name from an inode, and the inode where it was the last. The directory entry is the caller's. */
  dropName(row: InodeRow, place: Place, time: Time): { inodes?: number; bytes?: number } {
    if (row.kind === "dir" || row.nlink <= 1) {
      this.dropInode(row, time);
      return { inodes: -1, bytes: -fileBytes(row) };
    }
    const next = { ...row, nlink: row.nlink - 1, ctime: time.ms, ctimeNs: time.ns };
    if (row.parent === place.parent && row.name === place.name) {
      const heir = this.rows.otherNames(row.ino)[0]!;
      this.rows.deleteName(row.ino, heir);
      this.rows.putInode({ ...next, parent: heir.parent, name: heir.name });
    } else {
      this.rows.deleteName(row.ino, place);
      this.rows.putInode(next);
    }
    return {};
  }

  dropInode(row: InodeRow, time: Time): void {
    if (this.holds.has(row.ino)) {
      this.rows.putInode({ ...row, nlink: 0, parent: 0, name: "", ctime: time.ms, ctimeNs: time.ns });
      return;
    }
    if (row.kind === "file") this.rows.contents.drop(row);
    this.rows.deleteInode(row.ino);
  }

  /** Takes away an inode's name and, of a directory, everything under it. */
  dropTree(top: InodeRow, place: Place, time: Time): { inodes: number; bytes: number } {
    const total = { inodes: 0, bytes: 0 };
    const drop = (row: InodeRow, at: Place) => {
      const freed = this.dropName(row, at, time);
      total.inodes += freed.inodes ?? 0;
      total.bytes += freed.bytes ?? 0;
    };
    const directories = top.kind === "dir" ? [top] : [];
    if (top.kind !== "dir") drop(top, place);
    for (const directory of directories) {
      const { ino } = directory;
      for (let after: string | undefined; ; ) {
        const page = this.rows.list(ino, after, PAGE);
        for (const { name, row } of page) {
          this.rows.deleteDirent(ino, name);
          if (row.kind === "dir") directories.push(row);
          // A second name of the same inode may stand in the same page, read before the first one went.
          else drop(row.nlink > 1 ? this.inode(row.ino) : row, { parent: ino, name });
        }
        if (page.length < PAGE) break;
        after = page.at(-1)?.name;
      }
    }
    for (const directory of directories) {
      this.dropInode(directory, time);
      total.inodes--;
    }
    return total;
  }

  touchDirectory(row: InodeRow, time: Time, links: number): void {
    this.rows.putInode({
      ...row,
      nlink: row.nlink + links,
      mtime: time.ms,
      mtimeNs: time.ns,
      ctime: time.ms,
      ctimeNs: time.ns,
      rev: this.nextRev(),
    });
  }

  putContent(row: InodeRow, patch: ContentPatch): InodeRow {
    const time = this.time();
    const next = { ...row, size: patch.size, mtime: time.ms, mtimeNs: time.ns, ctime: time.ms, ctimeNs: time.ns };
    return this.put(next, { ino: row.ino, bytes: patch.size - row.size }, patch);
  }

  put(row: InodeRow, logged: Logged, patch?: ContentPatch): InodeRow {
    const next = { ...row, rev: this.nextRev() };
    this.rows.putInode(next, patch);
    this.log(row.nlink === 0 ? { ...logged, bytes: 0 } : logged);
    return next;
  }

  log({ ino, place, inodes = 0, bytes = 0 }: Logged): void {
    const last = this.rows.last();
    const row: LogRow = {
      rev: this.nextRev(),
      ino: ino ?? null,
      place: place ?? null,
      origin: this.origin,
      inodes: (last?.inodes ?? 1) + inodes,
      bytes: (last?.bytes ?? 0) + bytes,
    };
    this.rows.append(row);
  }

  nextRev(): number {
    return (this.rows.last()?.rev ?? 0) + 1;
  }

  /** Revisions only rise, so a number made of one is never used twice. */
  nextIno(): Ino {
    return this.nextRev() + ROOT_INO;
  }

  time(): Time {
    const now = this.#now();
    const ms = Math.floor(now);
    return { ms, ns: Math.floor((now - ms) * NS_PER_MS) };
  }

  /** Removes what has a name without touching the directory's times, which come with an entry of their own. */
  remove(ino: Ino, place: Place): void {
    const row = this.inode(ino);
    const time = this.time();
    const directory = this.directory(place.parent);
    this.rows.deleteDirent(place.parent, place.name);
    const freed = this.dropTree(row, place, time);
    if (row.kind === "dir") this.rows.putInode({ ...directory, nlink: directory.nlink - 1 });
    this.log({ place, ...freed });
  }

  /** A new inode at a free place. `from` are its contents. */
  add(
    place: Place,
    spec: Pick<InodeRow, "kind" | "mode" | "mtime" | "mtimeNs" | "target">,
    size: number,
    patch?: (row: InodeRow) => ContentPatch,
  ): InodeRow {
    const time = this.time();
    const isDirectory = spec.kind === "dir";
    const ino = this.nextIno();
    const rev = this.nextRev();
    const row: InodeRow = {
      ...spec,
      ino,
      nlink: isDirectory ? 2 : 1,
      size,
      atime: time.ms,
      atimeNs: time.ns,
      ctime: time.ms,
      ctimeNs: time.ns,
      uid: 0,
      gid: 0,
      rdev: 0,
      rev,
      parent: place.parent,
      name: place.name,
      placed: rev,
    };
    const content = patch?.({ ...row, size: 0 });
    this.rows.putDirent(place.parent, place.name, row);
    this.rows.addInode(row, content);
    if (isDirectory) {
      const directory = this.directory(place.parent);
      this.rows.putInode({ ...directory, nlink: directory.nlink + 1 });
    }
    this.log({ ino, inodes: 1, bytes: fileBytes(row) });
    return row;
  }

  /** The row of an inode that is there, changed. */
  change(row: InodeRow, before: InodeRow, patch?: ContentPatch): InodeRow {
    const time = this.time();
    return this.put(
      { ...row, ctime: time.ms, ctimeNs: time.ns },
      { ino: row.ino, bytes: fileBytes(row) - fileBytes(before) },
      patch,
    );
  }

  /** One more name of an inode. */
  addName(row: InodeRow, place: Place): void {
    const time = this.time();
    this.rows.putDirent(place.parent, place.name, row);
    this.rows.addName(row.ino, place);
    this.put({ ...row, nlink: row.nlink + 1, ctime: time.ms, ctimeNs: time.ns }, { ino: row.ino });
  }
}

export function fileBytes(row: InodeRow): number {
  return row.kind === "file" ? row.size : 0;
}
