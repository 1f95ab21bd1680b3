/** The filesystem in memory, for a computer that mounts a copy of it. */

import type { ApplyOptions, ApplyOutcome, ChangeCursor, ChangeEntry, ChangeLimits, ChangePage } from "../changes.ts";
import { FsError } from "../fs-error.ts";
import type { Absent, Attr, Ino, StatFs } from "../inode-store.ts";
import type { Backing } from "./backing.ts";
import { checkFile, checkRange } from "./checks.ts";
import type { Sha256 } from "./chunks.ts";
import { MemoryRows, rootRow, type Touched } from "./memory-rows.ts";
import type { InodeRow } from "./rows.ts";
import { TreeStore, type TreeStoreOptions } from "./tree-store.ts";

/** What a workspace holds at most, in bytes. */
const TOTAL_BYTES = 10_000_000_000;

export interface MemoryStoreOptions extends TreeStoreOptions {
  readonly sha256: Sha256;
  /** What `statfs` tells as the whole, in bytes. Default 10 GB. */
  readonly totalBytes?: number | undefined;
  /** Where contents go that are too large for the heap, or too many. Without one all of them stand in the heap. */
  readonly backing?: Backing | undefined;
  /** Whether `changes`, `entry` and `apply` throw {@link HashesMissing} rather than hash much on the spot. Default: they hash. */
  readonly hashElsewhere?: boolean | undefined;
}

/** Sees an entry of a directory and says whether to go on; `number` is where to read on after it. */
export type ScanVisitor = (name: string, attr: Attr, number: number) => boolean;

/**
 * Keeps special files, owners and any names; chunks may be absent.
 *
 * Beyond the port it does what a mount of a whole operating system asks for: extended attributes, holes, listings that can be read on
 * from anywhere, and reads without garbage. None of it is carried by sync, but for the zeros of a hole.
 */
export class MemoryStore extends TreeStore {
  readonly #memory: MemoryRows;
  readonly #backing: Backing | undefined;
  #hashElsewhere: boolean;

  constructor(options: MemoryStoreOptions) {
    const now = options.now ?? Date.now;
    const rows = new MemoryRows(options.sha256, options.backing, options.totalBytes ?? TOTAL_BYTES, rootRow(now()));
    super(rows, options);
    this.#memory = rows;
    this.#backing = options.backing;
    this.#hashElsewhere = options.hashElsewhere ?? false;
  }

  /** What is free is no more than what the disk of the backing has. */
  override statfs(): StatFs {
    const totals = super.statfs();
    if (this.#backing === undefined) return totals;
    return { ...totals, freeBytes: Math.min(totals.freeBytes, this.#backing.freeBytes) };
  }

  override changes(after: ChangeCursor, limits: ChangeLimits): ChangePage {
    return this.#withHashes(() => super.changes(after, limits));
  }

  override entry(path: string): ChangeEntry | null {
    return this.#withHashes(() => super.entry(path));
  }

  override apply(entries: readonly ChangeEntry[], options: ApplyOptions): ApplyOutcome {
    return this.#withHashes(() => super.apply(entries, options));
  }

  /** Runs `fn` with all hashes taken on the spot. */
  hashingHere<T>(fn: () => T): T {
    const before = this.#hashElsewhere;
    this.#hashElsewhere = false;
    try {
      return fn();
    } finally {
      this.#hashElsewhere = before;
    }
  }

  /** As `read`, to a place in `out`; gives the number of bytes. */
  readInto(ino: Ino, offset: number, length: number, out: Uint8Array, at: number): number | Absent {
    const row = this.editor.inode(ino);
    checkFile(row);
    checkRange(offset, length);
    const available = Math.max(0, Math.min(length, row.size - offset));
    return available === 0 ? 0 : this.#memory.contents.readInto(row, offset, available, out, at);
  }

  /**
   * The entries of a directory in the order in which they came, those numbered above `after`; 0 starts at the first. An entry keeps its
   * number, so that nothing is skipped or seen twice however the directory changes meanwhile.
   */
  scan(parent: Ino, after: number, visit: ScanVisitor): void {
    this.editor.directory(parent);
    this.#memory.scan(parent, after, visit);
  }

  /** Bytes a file takes up, holes left out; 0 for everything else. */
  allocated(ino: Ino): number {
    const row = this.editor.inode(ino);
    return row.kind === "file" ? this.#memory.contents.allocated(row) : 0;
  }

  /** The first offset at or after `offset` in data, or in a hole; the end of the file counts as a hole. */
  seek(ino: Ino, offset: number, data: boolean): number | undefined {
    const row = this.editor.inode(ino);
    checkFile(row);
    if (offset >= row.size) return undefined;
    const found = this.#memory.contents.seek(row, offset, data);
    return data && found === row.size ? undefined : found;
  }

  /** Makes a range of a file zeros without changing its size; whole chunks of it take no room any more. */
  punch(ino: Ino, offset: number, length: number): Attr | Absent {
    checkRange(offset, length);
    return this.transaction(() => {
      const row = this.editor.inode(ino);
      checkFile(row);
      this.refuseReadOnly(row);
      const patch = this.#memory.contents.punch(row, offset, length);
      return "absent" in patch ? patch : this.editor.putContent(row, patch);
    });
  }

  /** Undefined where the inode has no such attribute. */
  xattr(ino: Ino, name: string): Uint8Array | undefined {
    return this.#memory.xattrs.get(ino, name);
  }

  xattrNames(ino: Ino): string[] {
    return this.#memory.xattrs.names(ino);
  }

  /** Sets an attribute, or takes it away where there is no value; takes no revision, since sync carries none. */
  setXattr(ino: Ino, name: string, value: Uint8Array | undefined): void {
    if (this.#memory.inTransaction)
      throw new FsError("ENOTSUP", { detail: "attributes cannot be set in a transaction" });
    const row = this.editor.inode(ino);
    this.refuseReadOnly(row);
    this.#memory.xattrs.set(ino, name, value);
    const time = this.editor.time();
    this.#stamp({ ...row, ctime: time.ms, ctimeNs: time.ns });
  }

  /** Runs `fn` and tells which inodes and places it has changed. */
  touchedBy<T>(fn: () => T): { result: T; touched: Touched } {
    const touched: Touched = { inodes: new Set(), places: [] };
    this.#memory.touched = touched;
    try {
      return { result: fn(), touched };
    } finally {
      this.#memory.touched = undefined;
    }
  }

  #withHashes<T>(fn: () => T): T {
    if (!this.#hashElsewhere) return fn();
    return this.transaction(() => this.#memory.contents.hashes.elsewhere(fn));
  }

  #stamp(row: InodeRow): void {
    this.#memory.transaction(() => this.#memory.putInode(row));
  }
}
