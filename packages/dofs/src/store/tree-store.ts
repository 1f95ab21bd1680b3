/** The filesystem's rules, written once: an InodeStore over any {@link Rows}. */

import type { ApplyOptions, ApplyOutcome, ChangeCursor, ChangeEntry, ChangeLimits, ChangePage } from "../changes.ts";
import { FsError } from "../fs-error.ts";
import {
  type Absent,
  type Attr,
  type AttrChange,
  type Chunk,
  type Content,
  type CreateSpec,
  type Dirent,
  type Ino,
  type InodeStore,
  type PeerState,
  type RenameFlags,
  ROOT_INO,
  type Snapshot,
  type Stage,
  type StatFs,
} from "../inode-store.ts";
import { applyEntries } from "./apply.ts";
import { changePage, entryOf } from "./feed.ts";
import { byteLength, checkName, join } from "./names.ts";
import { ReadOnlyRoots } from "./read-only-roots.ts";
import type { ContentPatch, InodeRow, LogRow, Place, Rows } from "./rows.ts";

/** The longest contents a file can have, in bytes. */
const MAX_FILE_BYTES = 2 ** 40;
const MAX_TARGET_BYTES = 4095;
const PAGE = 512;
const NS_PER_MS = 1_000_000;

export interface TreeStoreOptions {
  /** Milliseconds since 1970, with a fraction where the clock has one. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

interface Time {
  readonly ms: number;
  readonly ns: number;
}

/** What a mutation adds to the totals and to the log. */
interface Logged {
  readonly ino?: Ino;
  readonly place?: Place;
  readonly inodes?: number;
  readonly bytes?: number;
}

export class TreeStore implements InodeStore {
  protected readonly rows: Rows;
  readonly #now: () => number;
  readonly #readOnly: ReadOnlyRoots;
  readonly #holds = new Map<Ino, number>();
  readonly #listeners = new Set<(rev: number) => void>();
  #depth = 0;
  /** Who brings in what is changed now; null for this side itself. */
  #origin: string | null = null;

  constructor(rows: Rows, options: TreeStoreOptions = {}) {
    this.rows = rows;
    this.#now = options.now ?? Date.now;
    this.#readOnly = new ReadOnlyRoots((ino) => this.paths(ino));
  }

  getattr(ino: Ino): Attr {
    return this.#inode(ino);
  }

  setattr(ino: Ino, change: AttrChange): Attr {
    checkChange(change, this.rows.full);
    return this.transaction(() => {
      const row = this.#inode(ino);
      this.#readOnly.refuseInode(row);
      let patch: ContentPatch | undefined;
      if (change.size !== undefined && !(row.kind === "file" && change.size === row.size)) {
        checkFile(row);
        checkRange(change.size, 0);
        const resized = this.rows.contents.resize(row, change.size);
        if ("absent" in resized) throw new FsError("EIO", { detail: "contents are not here yet" });
        patch = resized;
      }
      const time = this.#time();
      const size = patch?.size ?? row.size;
      const next: InodeRow = {
        ...row,
        size,
        mode: change.mode ?? row.mode,
        uid: change.uid ?? row.uid,
        gid: change.gid ?? row.gid,
        mtime: change.mtime ?? (patch === undefined ? row.mtime : time.ms),
        mtimeNs: change.mtime === undefined ? (patch === undefined ? row.mtimeNs : time.ns) : (change.mtimeNs ?? 0),
        atime: change.atime ?? row.atime,
        atimeNs: change.atime === undefined ? row.atimeNs : (change.atimeNs ?? 0),
      };
      if (patch === undefined && sameAttributes(row, next)) return row;
      return this.#put({ ...next, ctime: time.ms, ctimeNs: time.ns }, { ino, bytes: size - row.size }, patch);
    });
  }

  statfs(): StatFs {
    const last = this.rows.last();
    const totalBytes = this.rows.totalBytes();
    const usedBytes = Math.min(this.rows.usedBytes() ?? last?.bytes ?? 0, totalBytes);
    return { totalBytes, usedBytes, freeBytes: totalBytes - usedBytes, inodes: last?.inodes ?? 1 };
  }

  lookup(parent: Ino, name: string): Attr | undefined {
    this.#directory(parent);
    return this.rows.dirent(parent, name);
  }

  readdir(parent: Ino, after: string | undefined, limit: number): Dirent[] {
    this.#directory(parent);
    return this.rows.list(parent, after, limit).map(({ name, row }) => ({ name, attr: row }));
  }

  readlink(ino: Ino): string {
    const { target } = this.#inode(ino);
    if (target === undefined) throw new FsError("EINVAL");
    return target;
  }

  parent(ino: Ino): Ino {
    return this.#inode(ino).parent;
  }

  paths(ino: Ino): string[] {
    const row = this.rows.inode(ino);
    if (row === undefined || row.parent === 0) return [];
    const places: Place[] = [row];
    if (row.nlink > 1 && row.kind !== "dir") places.push(...this.rows.otherNames(ino));
    const paths: string[] = [];
    for (const place of places) {
      const directory = this.#directoryPath(ino === ROOT_INO ? ROOT_INO : place.parent);
      if (directory !== undefined) paths.push(ino === ROOT_INO ? "/" : join(directory, place.name));
    }
    return paths;
  }

  create(parent: Ino, name: string, spec: CreateSpec): Attr {
    checkName(name, this.rows.full);
    this.#checkSpec(spec);
    return this.transaction(() => {
      const directory = this.#writableDirectory(parent, name);
      if (this.rows.dirent(parent, name) !== undefined) throw new FsError("EEXIST");
      const time = this.#time();
      const ino = this.#nextIno();
      const isDirectory = spec.kind === "dir";
      const row: InodeRow = {
        ino,
        kind: spec.kind,
        mode: spec.mode & 0o7777,
        nlink: isDirectory ? 2 : 1,
        size: spec.target === undefined ? 0 : byteLength(spec.target),
        mtime: time.ms,
        mtimeNs: time.ns,
        atime: time.ms,
        atimeNs: time.ns,
        ctime: time.ms,
        ctimeNs: time.ns,
        uid: spec.uid ?? 0,
        gid: spec.gid ?? 0,
        rdev: spec.rdev ?? 0,
        rev: 0,
        parent,
        name,
        placed: this.#nextRev(),
        target: spec.target,
      };
      const patch = spec.content === undefined ? undefined : this.rows.contents.replace(row, spec.content);
      this.rows.putDirent(parent, name, ino);
      this.#touchDirectory(directory, time, isDirectory ? 1 : 0);
      const size = patch?.size ?? row.size;
      const made = { ...row, size, rev: this.#nextRev() };
      this.rows.addInode(made, patch);
      this.#log({ ino, inodes: 1, bytes: fileBytes(made) });
      return made;
    });
  }

  link(ino: Ino, parent: Ino, name: string): Attr {
    checkName(name, this.rows.full);
    return this.transaction(() => {
      const row = this.#inode(ino);
      if (row.kind === "dir") throw new FsError("EPERM", { detail: "a directory cannot have a second name" });
      if (row.nlink === 0) throw new FsError("ENOENT");
      this.#readOnly.refuseInode(row);
      const directory = this.#writableDirectory(parent, name);
      if (this.rows.dirent(parent, name) !== undefined) throw new FsError("EEXIST");
      const time = this.#time();
      this.rows.putDirent(parent, name, ino);
      this.rows.addName(ino, { parent, name });
      this.#touchDirectory(directory, time, 0);
      return this.#put({ ...row, nlink: row.nlink + 1, ctime: time.ms, ctimeNs: time.ns }, { ino });
    });
  }

  unlink(parent: Ino, name: string): void {
    this.transaction(() => {
      const directory = this.#writableDirectory(parent, name);
      const row = this.#child(parent, name);
      if (row.kind === "dir") throw new FsError("EISDIR");
      const time = this.#time();
      this.rows.deleteDirent(parent, name);
      const freed = this.#dropName(row, { parent, name }, time);
      this.#touchDirectory(directory, time, 0);
      this.#log({ place: { parent, name }, ...freed });
    });
  }

  rmdir(parent: Ino, name: string): void {
    this.transaction(() => {
      const directory = this.#writableDirectory(parent, name);
      const row = this.#child(parent, name);
      if (row.kind !== "dir") throw new FsError("ENOTDIR");
      if (!this.rows.isEmpty(row.ino)) throw new FsError("ENOTEMPTY");
      this.#readOnly.refuseRemoval(row);
      const time = this.#time();
      this.rows.deleteDirent(parent, name);
      this.#dropInode(row, time);
      this.#touchDirectory(directory, time, -1);
      this.#log({ place: { parent, name }, inodes: -1 });
    });
  }

  removeTree(parent: Ino, name: string): void {
    this.transaction(() => {
      const directory = this.#writableDirectory(parent, name);
      const row = this.#child(parent, name);
      this.#readOnly.refuseRemoval(row);
      const time = this.#time();
      this.rows.deleteDirent(parent, name);
      const freed = this.#dropTree(row, { parent, name }, time);
      this.#touchDirectory(directory, time, row.kind === "dir" ? -1 : 0);
      this.#log({ place: { parent, name }, ...freed });
    });
  }

  rename(parent: Ino, name: string, newParent: Ino, newName: string, flags: RenameFlags = {}): void {
    checkName(newName, this.rows.full);
    this.transaction(() => {
      const from = this.#writableDirectory(parent, name);
      const to = this.#writableDirectory(newParent, newName);
      const row = this.#child(parent, name);
      const target = this.rows.dirent(newParent, newName);
      if (row.kind === "dir") this.#refuseCycle(row.ino, newParent);
      if (flags.exchange) {
        if (target === undefined) throw new FsError("ENOENT");
        if (target.kind === "dir") this.#refuseCycle(target.ino, parent);
        if (target.ino !== row.ino) this.#exchange(row, { parent, name }, target, { parent: newParent, name: newName });
        return;
      }
      if (target !== undefined) {
        if (flags.noReplace) throw new FsError("EEXIST");
        if (target.ino === row.ino) return;
        if (row.kind === "dir" && target.kind !== "dir") throw new FsError("ENOTDIR");
        if (row.kind !== "dir" && target.kind === "dir") {
          throw new FsError(this.#isAbove(target.ino, parent) ? "ENOTEMPTY" : "EISDIR");
        }
        if (target.kind === "dir" && !this.rows.isEmpty(target.ino)) throw new FsError("ENOTEMPTY");
        this.#readOnly.refuseRemoval(target);
      }
      this.#readOnly.refuseRemoval(row);
      const time = this.#time();
      this.rows.deleteDirent(parent, name);
      let freed: Logged = {};
      if (target !== undefined) freed = this.#dropName(target, { parent: newParent, name: newName }, time);
      this.rows.putDirent(newParent, newName, row.ino);
      const moved = this.#moveName(row, { parent, name }, { parent: newParent, name: newName });
      const across = row.kind === "dir" && parent !== newParent ? 1 : 0;
      const replaced = target?.kind === "dir" ? 1 : 0;
      if (parent === newParent) this.#touchDirectory(from, time, -replaced);
      else {
        this.#touchDirectory(from, time, -across);
        this.#touchDirectory(to, time, across - replaced);
      }
      this.#put({ ...moved, ctime: time.ms, ctimeNs: time.ns }, { ino: row.ino, place: { parent, name }, ...freed });
    });
  }

  read(ino: Ino, offset: number, length: number): Uint8Array | Absent {
    const row = this.#inode(ino);
    checkFile(row);
    checkRange(offset, length);
    const available = Math.max(0, Math.min(length, row.size - offset));
    return available === 0 ? new Uint8Array(0) : this.rows.contents.read(row, offset, available);
  }

  write(ino: Ino, offset: number, bytes: Uint8Array): Attr | Absent {
    checkRange(offset, bytes.length);
    return this.transaction(() => {
      const row = this.#inode(ino);
      checkFile(row);
      this.#readOnly.refuseInode(row);
      if (bytes.length === 0) return row;
      const patch = this.rows.contents.write(row, offset, bytes);
      return "absent" in patch ? patch : this.#putContent(row, patch);
    });
  }

  replace(ino: Ino, content: Content): Attr {
    return this.transaction(() => {
      const row = this.#inode(ino);
      checkFile(row);
      this.#readOnly.refuseInode(row);
      return this.#putContent(row, this.rows.contents.replace(row, content));
    });
  }

  stage(): Stage {
    return this.rows.contents.stage();
  }

  snapshot(ino: Ino): Snapshot {
    const row = this.#inode(ino);
    checkFile(row);
    return this.rows.contents.snapshot(row);
  }

  hold(ino: Ino): void {
    this.#inode(ino);
    this.#holds.set(ino, (this.#holds.get(ino) ?? 0) + 1);
  }

  release(ino: Ino): void {
    const left = (this.#holds.get(ino) ?? 0) - 1;
    if (left > 0) {
      this.#holds.set(ino, left);
      return;
    }
    this.#holds.delete(ino);
    const row = this.rows.inode(ino);
    if (row?.nlink !== 0) return;
    this.transaction(() => {
      this.rows.contents.drop(row);
      this.rows.deleteInode(ino);
    });
  }

  rev(): number {
    return this.rows.last()?.rev ?? 0;
  }

  changes(after: ChangeCursor, limits: ChangeLimits): ChangePage {
    return changePage(this.rows, after, limits);
  }

  entry(path: string): ChangeEntry | null {
    const row = this.rowAt(path);
    if (row === undefined || this.#directoryPath(row.parent) === undefined) return null;
    return entryOf(this.rows, row, path) ?? null;
  }

  apply(entries: readonly ChangeEntry[], options: ApplyOptions): ApplyOutcome {
    const unpin = this.rows.contents.pin(
      entries.flatMap((entry) => (entry.kind === "file" ? (entry.chunks ?? []).map(({ hash }) => hash) : [])),
    );
    const before = this.#origin;
    this.#origin = options.peer;
    try {
      return this.transaction(() => applyEntries(this, this.rows, this.#readOnly, entries, options));
    } finally {
      this.#origin = before;
      unpin();
    }
  }

  missingChunks(hashes: readonly Uint8Array[]): Uint8Array[] {
    return this.rows.contents.missing(hashes);
  }

  putChunks(chunks: readonly Chunk[]): void {
    this.rows.transaction(() => this.rows.contents.put(chunks));
  }

  getChunk(hash: Uint8Array): Uint8Array | undefined {
    return this.rows.contents.get(hash);
  }

  peer(id: string): PeerState | undefined {
    return this.rows.peer(id);
  }

  setPeer(id: string, state: PeerState | null): void {
    this.rows.transaction(() => this.rows.setPeer(id, state));
  }

  subscribe(listener: (rev: number) => void): () => void {
    const own = (rev: number) => listener(rev);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  transaction<T>(fn: () => T): T {
    const before = this.#depth === 0 && this.#listeners.size > 0 ? this.rev() : 0;
    this.#depth++;
    let result: T;
    try {
      result = this.rows.transaction(fn);
    } finally {
      this.#depth--;
    }
    if (this.#depth === 0 && this.#listeners.size > 0 && this.rev() !== before) this.#notify();
    return result;
  }

  setReadOnlyRoots(paths: readonly string[]): void {
    this.#readOnly.set(paths);
  }

  /** Called when the outermost transaction is through; a store inside a larger one puts it off. */
  protected afterCommit(notify: () => void): void {
    notify();
  }

  /** The row a path leads to, no link followed; undefined where nothing is. */
  rowAt(path: string): InodeRow | undefined {
    let row = this.#inode(ROOT_INO);
    for (const name of path.split("/")) {
      if (name === "") continue;
      if (row.kind !== "dir") return undefined;
      const next = this.rows.dirent(row.ino, name);
      if (next === undefined) return undefined;
      row = next;
    }
    return row;
  }

  /** For `apply`: removes what has a name without touching the directory's times, which come with an entry of their own. */
  applyRemoval(ino: Ino, place: Place): void {
    const row = this.#inode(ino);
    this.#readOnly.refuseRemoval(row);
    const time = this.#time();
    const directory = this.#directory(place.parent);
    this.rows.deleteDirent(place.parent, place.name);
    const freed = this.#dropTree(row, place, time);
    if (row.kind === "dir") this.rows.putInode({ ...directory, nlink: directory.nlink - 1 });
    this.#log({ place, ...freed });
  }

  /** For `apply`: a new inode at a free place. `from` are its contents. */
  applyCreation(
    place: Place,
    spec: Pick<InodeRow, "kind" | "mode" | "mtime" | "mtimeNs" | "target">,
    size: number,
    patch?: (row: InodeRow) => ContentPatch,
  ): InodeRow {
    const time = this.#time();
    const isDirectory = spec.kind === "dir";
    const ino = this.#nextIno();
    const rev = this.#nextRev();
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
    this.rows.putDirent(place.parent, place.name, ino);
    this.rows.addInode(row, content);
    if (isDirectory) {
      const directory = this.#directory(place.parent);
      this.rows.putInode({ ...directory, nlink: directory.nlink + 1 });
    }
    this.#log({ ino, inodes: 1, bytes: fileBytes(row) });
    return row;
  }

  /** For `apply`: the row of an inode that is there, changed. */
  applyChange(row: InodeRow, before: InodeRow, patch?: ContentPatch): InodeRow {
    const time = this.#time();
    return this.#put(
      { ...row, ctime: time.ms, ctimeNs: time.ns },
      { ino: row.ino, bytes: fileBytes(row) - fileBytes(before) },
      patch,
    );
  }

  /** For `apply`: one more name of an inode. */
  applyLink(row: InodeRow, place: Place): void {
    const time = this.#time();
    this.rows.putDirent(place.parent, place.name, row.ino);
    this.rows.addName(row.ino, place);
    this.#put({ ...row, nlink: row.nlink + 1, ctime: time.ms, ctimeNs: time.ns }, { ino: row.ino });
  }

  #inode(ino: Ino): InodeRow {
    const row = this.rows.inode(ino);
    if (row === undefined) throw new FsError("ENOENT");
    return row;
  }

  #directory(ino: Ino): InodeRow {
    const row = this.#inode(ino);
    if (row.kind !== "dir") throw new FsError("ENOTDIR");
    return row;
  }

  #writableDirectory(ino: Ino, name: string): InodeRow {
    const row = this.#directory(ino);
    if (row.nlink === 0) throw new FsError("ENOENT");
    this.#readOnly.refusePlace(row, name);
    return row;
  }

  #child(parent: Ino, name: string): InodeRow {
    const row = this.rows.dirent(parent, name);
    if (row === undefined) throw new FsError("ENOENT");
    return row;
  }

  /** The path of a directory, upward without an index; undefined where it no longer hangs in the tree. */
  #directoryPath(ino: Ino): string | undefined {
    let path = "";
    for (let at = ino; at !== ROOT_INO; ) {
      const row = this.rows.inode(at);
      if (row === undefined || row.parent === 0) return undefined;
      path = `/${row.name}${path}`;
      at = row.parent;
    }
    return path === "" ? "/" : path;
  }

  #refuseCycle(moved: Ino, into: Ino): void {
    for (let at = into; at !== ROOT_INO; at = this.#inode(at).parent) {
      if (at === moved) throw new FsError("EINVAL", { detail: "a directory cannot move into itself" });
    }
    if (moved === ROOT_INO) throw new FsError("EBUSY");
  }

  #isAbove(directory: Ino, ino: Ino): boolean {
    for (let at = ino; at !== ROOT_INO; at = this.#inode(at).parent) if (at === directory) return true;
    return directory === ROOT_INO;
  }

  #checkSpec(spec: CreateSpec): void {
    const { kind, target, content } = spec;
    if (!this.rows.full && kind !== "file" && kind !== "dir" && kind !== "symlink") {
      throw new FsError("ENOTSUP", { detail: `a ${kind} cannot be kept here` });
    }
    if (!Number.isInteger(spec.mode)) throw new FsError("EINVAL", { detail: `a mode is an integer, not ${spec.mode}` });
    if ((kind === "symlink") !== (target !== undefined) || (content !== undefined && kind !== "file")) {
      throw new FsError("EINVAL", { detail: "a symlink has a target, a file may have content" });
    }
    if (target !== undefined) {
      if (target === "" || target.includes("\0"))
        throw new FsError("ENOENT", { detail: "a link's target cannot be empty or have a NUL" });
      if (byteLength(target) > MAX_TARGET_BYTES) throw new FsError("ENAMETOOLONG");
      if (!this.rows.full && !target.isWellFormed()) throw new FsError("EILSEQ");
    }
  }

  #exchange(a: InodeRow, placeA: Place, b: InodeRow, placeB: Place): void {
    this.#readOnly.refuseRemoval(a);
    this.#readOnly.refuseRemoval(b);
    const time = this.#time();
    this.rows.putDirent(placeA.parent, placeA.name, b.ino);
    this.rows.putDirent(placeB.parent, placeB.name, a.ino);
    const shift = (a.kind === "dir" ? 1 : 0) - (b.kind === "dir" ? 1 : 0);
    const across = placeA.parent === placeB.parent ? 0 : shift;
    const movedA = this.#moveName(a, placeA, placeB);
    this.#put({ ...movedA, ctime: time.ms, ctimeNs: time.ns }, { ino: a.ino, place: placeA });
    const movedB = this.#moveName(b, placeB, placeA);
    this.#touchDirectory(this.#directory(placeA.parent), time, -across);
    if (placeA.parent !== placeB.parent) this.#touchDirectory(this.#directory(placeB.parent), time, across);
    this.#put({ ...movedB, ctime: time.ms, ctimeNs: time.ns }, { ino: b.ino, place: placeB });
  }

  /** The row with one of its names exchanged; the directory entries are the caller's. */
  #moveName(row: InodeRow, from: Place, to: Place): InodeRow {
    if (row.parent === from.parent && row.name === from.name) {
      return { ...row, parent: to.parent, name: to.name, placed: this.#nextRev() };
    }
    this.rows.deleteName(row.ino, from);
    this.rows.addName(row.ino, to);
    return row;
  }

  /** Takes one name from an inode, and the inode where it was the last. The directory entry is the caller's. */
  #dropName(row: InodeRow, place: Place, time: Time): { inodes?: number; bytes?: number } {
    if (row.kind === "dir" || row.nlink <= 1) {
      this.#dropInode(row, time);
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

  #dropInode(row: InodeRow, time: Time): void {
    if (this.#holds.has(row.ino)) {
      this.rows.putInode({ ...row, nlink: 0, parent: 0, name: "", ctime: time.ms, ctimeNs: time.ns });
      return;
    }
    if (row.kind === "file") this.rows.contents.drop(row);
    this.rows.deleteInode(row.ino);
  }

  /** Takes away an inode's name and, of a directory, everything under it. */
  #dropTree(top: InodeRow, place: Place, time: Time): { inodes: number; bytes: number } {
    const total = { inodes: 0, bytes: 0 };
    const drop = (row: InodeRow, at: Place) => {
      const freed = this.#dropName(row, at, time);
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
          else drop(row.nlink > 1 ? this.#inode(row.ino) : row, { parent: ino, name });
        }
        if (page.length < PAGE) break;
        after = page.at(-1)?.name;
      }
    }
    for (const directory of directories) {
      this.#dropInode(directory, time);
      total.inodes--;
    }
    return total;
  }

  #touchDirectory(row: InodeRow, time: Time, links: number): void {
    this.rows.putInode({
      ...row,
      nlink: row.nlink + links,
      mtime: time.ms,
      mtimeNs: time.ns,
      ctime: time.ms,
      ctimeNs: time.ns,
      rev: this.#nextRev(),
    });
  }

  #putContent(row: InodeRow, patch: ContentPatch): InodeRow {
    const time = this.#time();
    const next = { ...row, size: patch.size, mtime: time.ms, mtimeNs: time.ns, ctime: time.ms, ctimeNs: time.ns };
    return this.#put(next, { ino: row.ino, bytes: patch.size - row.size }, patch);
  }

  #put(row: InodeRow, logged: Logged, patch?: ContentPatch): InodeRow {
    const next = { ...row, rev: this.#nextRev() };
    this.rows.putInode(next, patch);
    this.#log(row.nlink === 0 ? { ...logged, bytes: 0 } : logged);
    return next;
  }

  #log({ ino, place, inodes = 0, bytes = 0 }: Logged): void {
    const last = this.rows.last();
    const row: LogRow = {
      rev: this.#nextRev(),
      ino: ino ?? null,
      place: place ?? null,
      origin: this.#origin,
      inodes: (last?.inodes ?? 1) + inodes,
      bytes: (last?.bytes ?? 0) + bytes,
    };
    this.rows.append(row);
  }

  #nextRev(): number {
    return this.rev() + 1;
  }

  /** Revisions only rise, so a number made of one is never used twice. */
  #nextIno(): Ino {
    return this.#nextRev() + ROOT_INO;
  }

  #time(): Time {
    const now = this.#now();
    const ms = Math.floor(now);
    return { ms, ns: Math.floor((now - ms) * NS_PER_MS) };
  }

  #notify(): void {
    this.afterCommit(() => {
      const rev = this.rev();
      for (const listener of [...this.#listeners]) listener(rev);
    });
  }
}

function fileBytes(row: InodeRow): number {
  return row.kind === "file" ? row.size : 0;
}

function checkFile(row: InodeRow): void {
  if (row.kind === "dir") throw new FsError("EISDIR");
  if (row.kind !== "file") throw new FsError("EINVAL", { detail: `a ${row.kind} has no contents` });
}

function checkRange(offset: number, length: number): void {
  if (!Number.isSafeInteger(offset) || offset < 0 || !Number.isSafeInteger(length) || length < 0) {
    throw new FsError("EINVAL", { detail: `offsets and lengths are integers from 0, not ${offset} and ${length}` });
  }
  if (offset > MAX_FILE_BYTES || (length > 0 && offset + length > MAX_FILE_BYTES && length < MAX_FILE_BYTES)) {
    throw new FsError("EFBIG");
  }
}

function checkChange(change: AttrChange, full: boolean): void {
  for (const key of ["mode", "mtime", "atime", "uid", "gid"] as const) {
    const value = change[key];
    if (value !== undefined && !Number.isSafeInteger(value)) {
      throw new FsError("EINVAL", { detail: `${key} is an integer, not ${value}` });
    }
  }
  for (const key of ["mtimeNs", "atimeNs"] as const) {
    const value = change[key] ?? 0;
    if (!Number.isInteger(value) || value < 0 || value >= NS_PER_MS) {
      throw new FsError("EINVAL", { detail: `${key} is an integer from 0 to 999999, not ${value}` });
    }
  }
  if (change.mode !== undefined && (change.mode < 0 || change.mode > 0o7777)) {
    throw new FsError("EINVAL", { detail: `a mode is 0 to 0o7777, not ${change.mode}` });
  }
  if (!full && ((change.uid ?? 0) !== 0 || (change.gid ?? 0) !== 0)) {
    throw new FsError("ENOTSUP", { detail: "owners cannot be kept here" });
  }
}

function sameAttributes(a: InodeRow, b: InodeRow): boolean {
  return (
    a.mode === b.mode &&
    a.uid === b.uid &&
    a.gid === b.gid &&
    a.mtime === b.mtime &&
    a.mtimeNs === b.mtimeNs &&
    a.atime === b.atime &&
    a.atimeNs === b.atimeNs
  );
}
