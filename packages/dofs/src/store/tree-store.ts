/** The filesystem's rules, written once: an InodeStore over any {@link Rows}. */

import type { ApplyOptions, ApplyOutcome, ChangeCursor, ChangeEntry, ChangeLimits, ChangePage } from "../changes.ts";
import { FsError } from "../fs-error.ts";
import type {
  Absent,
  Attr,
  AttrChange,
  Chunk,
  Content,
  CreateSpec,
  Dirent,
  Ino,
  InodeStore,
  Listed,
  Name,
  PeerState,
  RenameFlags,
  Snapshot,
  Stage,
  StatFs,
} from "../inode-store.ts";
import { applyEntries } from "./apply.ts";
import { changed } from "./changed-attributes.ts";
import { checkChange, checkFile, checkRange, checkSpec } from "./checks.ts";
import { INLINE_BYTES } from "./chunks.ts";
import { changePage, entryOf } from "./feed.ts";
import { byteLength, checkName } from "./names.ts";
import { ReadOnlyRoots } from "./read-only-roots.ts";
import type { ContentPatch, InodeRow, Rows } from "./rows.ts";
import { fileBytes, TreeEditor } from "./tree-editor.ts";
import { renameEntry } from "./tree-rename.ts";

export interface TreeStoreOptions {
  /** Milliseconds since 1970, with a fraction where the clock has one. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

export class TreeStore implements InodeStore {
  protected readonly rows: Rows;
  readonly #edit: TreeEditor;
  readonly #readOnly: ReadOnlyRoots;
  readonly #listeners = new Set<(rev: number) => void>();
  #depth = 0;

  constructor(rows: Rows, options: TreeStoreOptions = {}) {
    this.rows = rows;
    this.#edit = new TreeEditor(rows, options.now ?? Date.now);
    this.#readOnly = new ReadOnlyRoots((ino) => this.#edit.paths(ino));
  }

  getattr(ino: Ino): Attr {
    return this.#edit.inode(ino);
  }

  setattr(ino: Ino, change: AttrChange): Attr {
    checkChange(change, this.rows.full);
    return this.transaction(() => {
      const row = this.#edit.inode(ino);
      this.#readOnly.refuseInode(row);
      let patch: ContentPatch | undefined;
      if (change.size !== undefined && !(row.kind === "file" && change.size === row.size)) {
        checkFile(row);
        checkRange(change.size, 0);
        const resized = this.rows.contents.resize(row, change.size);
        if ("absent" in resized) throw new FsError("EIO", { detail: "contents are not here yet" });
        patch = resized;
      }
      const next = changed(row, change, patch, this.#edit.time());
      if (next === row) return row;
      return this.#edit.put(next, { ino, bytes: next.size - row.size }, patch);
    });
  }

  statfs(): StatFs {
    const last = this.rows.last();
    const totalBytes = this.rows.totalBytes();
    const usedBytes = Math.min(this.rows.usedBytes() ?? last?.bytes ?? 0, totalBytes);
    return { totalBytes, usedBytes, freeBytes: totalBytes - usedBytes, inodes: last?.inodes ?? 1 };
  }

  lookup(parent: Ino, name: string): Attr | undefined {
    this.#edit.directory(parent);
    return this.rows.dirent(parent, name);
  }

  readdir(parent: Ino, after: string | undefined, limit: number): Dirent[] {
    this.#edit.directory(parent);
    return this.rows.list(parent, after, limit).map(({ name, row }) => ({ name, attr: row }));
  }

  list(parent: Ino, after: string | undefined, limit: number): Name[] {
    this.#edit.directory(parent);
    return this.rows.names(parent, after, limit);
  }

  listing(parent: Ino, after: string | undefined, limit: number): Listed[] {
    this.#edit.directory(parent);
    return this.rows.listing(parent, after, limit);
  }

  readlink(ino: Ino): string {
    const { target } = this.#edit.inode(ino);
    if (target === undefined) throw new FsError("EINVAL");
    return target;
  }

  parent(ino: Ino): Ino {
    return this.#edit.inode(ino).parent;
  }

  paths(ino: Ino): string[] {
    return this.#edit.paths(ino);
  }

  create(parent: Ino, name: string, spec: CreateSpec): Attr {
    checkName(name, this.rows.full);
    checkSpec(spec, this.rows.full);
    return this.transaction(() => {
      const directory = this.#writableDirectory(parent, name);
      if (this.rows.dirent(parent, name) !== undefined) throw new FsError("EEXIST");
      const time = this.#edit.time();
      const ino = this.#edit.nextIno();
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
        placed: this.#edit.nextRev(),
        target: spec.target,
      };
      const patch = spec.content === undefined ? undefined : this.rows.contents.replace(row, spec.content);
      this.rows.putDirent(parent, name, row);
      this.#edit.touchDirectory(directory, time, isDirectory ? 1 : 0);
      const size = patch?.size ?? row.size;
      const made = { ...row, size, rev: this.#edit.nextRev() };
      this.rows.addInode(made, patch);
      this.#edit.log({ ino, inodes: 1, bytes: fileBytes(made) });
      return made;
    });
  }

  link(ino: Ino, parent: Ino, name: string): Attr {
    checkName(name, this.rows.full);
    return this.transaction(() => {
      const row = this.#edit.inode(ino);
      if (row.kind === "dir") throw new FsError("EPERM", { detail: "a directory cannot have a second name" });
      if (row.nlink === 0) throw new FsError("ENOENT");
      this.#readOnly.refuseInode(row);
      const directory = this.#writableDirectory(parent, name);
      if (this.rows.dirent(parent, name) !== undefined) throw new FsError("EEXIST");
      const time = this.#edit.time();
      this.rows.putDirent(parent, name, row);
      this.rows.addName(ino, { parent, name });
      this.#edit.touchDirectory(directory, time, 0);
      return this.#edit.put({ ...row, nlink: row.nlink + 1, ctime: time.ms, ctimeNs: time.ns }, { ino });
    });
  }

  unlink(parent: Ino, name: string): void {
    this.transaction(() => {
      const directory = this.#writableDirectory(parent, name);
      const row = this.#edit.child(parent, name);
      if (row.kind === "dir") throw new FsError("EISDIR");
      const time = this.#edit.time();
      this.rows.deleteDirent(parent, name);
      const freed = this.#edit.dropName(row, { parent, name }, time);
      this.#edit.touchDirectory(directory, time, 0);
      this.#edit.log({ place: { parent, name }, ...freed });
    });
  }

  rmdir(parent: Ino, name: string): void {
    this.transaction(() => {
      const directory = this.#writableDirectory(parent, name);
      const row = this.#edit.child(parent, name);
      if (row.kind !== "dir") throw new FsError("ENOTDIR");
      if (!this.rows.isEmpty(row.ino)) throw new FsError("ENOTEMPTY");
      this.#readOnly.refuseRemoval(row);
      const time = this.#edit.time();
      this.rows.deleteDirent(parent, name);
      this.#edit.dropInode(row, time);
      this.#edit.touchDirectory(directory, time, -1);
      this.#edit.log({ place: { parent, name }, inodes: -1 });
    });
  }

  removeTree(parent: Ino, name: string): void {
    this.transaction(() => {
      const directory = this.#writableDirectory(parent, name);
      const row = this.#edit.child(parent, name);
      this.#readOnly.refuseRemoval(row);
      const time = this.#edit.time();
      this.rows.deleteDirent(parent, name);
      const freed = this.#edit.dropTree(row, { parent, name }, time);
      this.#edit.touchDirectory(directory, time, row.kind === "dir" ? -1 : 0);
      this.#edit.log({ place: { parent, name }, ...freed });
    });
  }

  rename(parent: Ino, name: string, newParent: Ino, newName: string, flags: RenameFlags = {}): void {
    checkName(newName, this.rows.full);
    this.transaction(() => {
      this.#writableDirectory(parent, name);
      this.#writableDirectory(newParent, newName);
      renameEntry(this.#edit, this.#readOnly, { parent, name }, { parent: newParent, name: newName }, flags);
    });
  }

  read(ino: Ino, offset: number, length: number): Uint8Array | Absent {
    const row = this.#edit.inode(ino);
    checkFile(row);
    checkRange(offset, length);
    const available = Math.max(0, Math.min(length, row.size - offset));
    return available === 0 ? new Uint8Array(0) : this.rows.contents.read(row, offset, available);
  }

  readSmall(inos: readonly Ino[]): Map<Ino, Uint8Array> {
    const together = this.rows.contents.small?.(inos);
    if (together !== undefined) return together;
    const small = new Map<Ino, Uint8Array>();
    for (const ino of inos) {
      const { kind, size } = this.#edit.inode(ino);
      const bytes = kind === "file" && size <= INLINE_BYTES ? this.read(ino, 0, size) : undefined;
      if (bytes instanceof Uint8Array) small.set(ino, bytes);
    }
    return small;
  }

  write(ino: Ino, offset: number, bytes: Uint8Array): Attr | Absent {
    checkRange(offset, bytes.length);
    return this.transaction(() => {
      const row = this.#edit.inode(ino);
      checkFile(row);
      this.#readOnly.refuseInode(row);
      if (bytes.length === 0) return row;
      const patch = this.rows.contents.write(row, offset, bytes);
      return "absent" in patch ? patch : this.#edit.putContent(row, patch);
    });
  }

  replace(ino: Ino, content: Content): Attr {
    return this.transaction(() => {
      const row = this.#edit.inode(ino);
      checkFile(row);
      this.#readOnly.refuseInode(row);
      return this.#edit.putContent(row, this.rows.contents.replace(row, content));
    });
  }

  stage(): Stage {
    return this.rows.contents.stage();
  }

  snapshot(ino: Ino): Snapshot {
    const row = this.#edit.inode(ino);
    checkFile(row);
    return this.rows.contents.snapshot(row);
  }

  hold(ino: Ino): void {
    this.#edit.inode(ino);
    this.#edit.holds.set(ino, (this.#edit.holds.get(ino) ?? 0) + 1);
  }

  release(ino: Ino): void {
    const left = (this.#edit.holds.get(ino) ?? 0) - 1;
    if (left > 0) return void this.#edit.holds.set(ino, left);
    this.#edit.holds.delete(ino);
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
    const row = this.#edit.rowAt(path);
    return (row && entryOf(this.rows, row, path)) ?? null;
  }

  apply(entries: readonly ChangeEntry[], options: ApplyOptions): ApplyOutcome {
    const unpin = this.rows.contents.pin(
      entries.flatMap((entry) => (entry.kind === "file" ? (entry.chunks ?? []).map(({ hash }) => hash) : [])),
    );
    const before = this.#edit.origin;
    this.#edit.origin = options.peer;
    try {
      return this.transaction(() => applyEntries(this.#edit, this.#readOnly, entries, options));
    } finally {
      this.#edit.origin = before;
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

  pinChunks(hashes: readonly Uint8Array[]): () => void {
    return this.rows.contents.pin(hashes);
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

  readOnlyRoots(): readonly string[] {
    return this.#readOnly.all;
  }

  /** For stores that can do more: the steps mutations are made of. */
  protected get editor(): TreeEditor {
    return this.#edit;
  }

  /** `EROFS` where the inode must not change. */
  protected refuseReadOnly(row: InodeRow): void {
    this.#readOnly.refuseInode(row);
  }

  /** Called when the outermost transaction is through; a store inside a larger one puts it off. */
  protected afterCommit(notify: () => void): void {
    notify();
  }

  #writableDirectory(ino: Ino, name: string): InodeRow {
    const row = this.#edit.directory(ino);
    if (row.nlink === 0) throw new FsError("ENOENT");
    this.#readOnly.refusePlace(row, name);
    return row;
  }

  #notify(): void {
    this.afterCommit(() => {
      const rev = this.rev();
      for (const listener of [...this.#listeners]) listener(rev);
    });
  }
}
