/** What a TreeStore keeps its tree in: rows, a log, and contents. SQL and memory are two of these. */

import type { ChunkRef } from "../changes.ts";
import type { Absent, Attr, Chunk, Content, Ino, Listed, Name, PeerState, Snapshot, Stage } from "../inode-store.ts";

/** One inode. Rows are never changed in place: a mutation puts a new one. */
export interface InodeRow extends Attr {
  /** Where its first name hangs; 0 for an inode without a name. The root hangs in itself, under the empty name. */
  readonly parent: Ino;
  readonly name: string;
  /** The revision at which it came to be where its first name is: that of its creation or last move. */
  readonly placed: number;
  /** A symlink's target. */
  readonly target?: string | undefined;
  /** Which contents are the file's, where the store numbers them. */
  readonly content?: number | undefined;
}

/** A place in a directory. */
export interface Place {
  readonly parent: Ino;
  readonly name: string;
}

/**
 * One mutation. With `ino` alone it touched that inode; with `place` alone it emptied that place; with both it moved the inode away from
 * there. `inodes` and `bytes` are the totals after it.
 *
 * An inode's `rev` is that of the newest log row that names it, or that empties or fills a place in it.
 */
export interface LogRow {
  readonly rev: number;
  readonly ino: Ino | null;
  readonly place: Place | null;
  /** The peer that brought it in; null for a change made here. */
  readonly origin: string | null;
  readonly inodes: number;
  readonly bytes: number;
}

/** What a change of contents does to the inode's row. `data` is what the row itself holds, null for nothing; what is left out stays. */
export interface ContentPatch {
  readonly size: number;
  readonly data?: Uint8Array | null;
  readonly content?: number | undefined;
}

/** Contents in full, as a change entry names them. */
export interface Described {
  readonly chunks: ChunkRef[];
  readonly data?: Uint8Array;
}

/** The contents of files. The caller puts the row that belongs to the patch it gets. */
export interface Contents {
  read(row: InodeRow, offset: number, length: number): Uint8Array | Absent;
  /** Contents of the files among these that lie with their inodes; absent where reading them together is no cheaper. */
  small?(inos: readonly Ino[]): Map<Ino, Uint8Array>;
  write(row: InodeRow, offset: number, bytes: Uint8Array): ContentPatch | Absent;
  resize(row: InodeRow, size: number): ContentPatch | Absent;
  replace(row: InodeRow, content: Content): ContentPatch;
  /** Takes over contents that another store described; chunks that are not here are absent from then on. */
  adopt(row: InodeRow, size: number, from: Described): ContentPatch;
  /** Frees what the inode holds; its row goes too. */
  drop(row: InodeRow): void;
  describe(row: InodeRow): Described;
  snapshot(row: InodeRow): Snapshot;
  stage(): Stage;
  missing(hashes: readonly Uint8Array[]): Uint8Array[];
  put(chunks: readonly Chunk[]): void;
  get(hash: Uint8Array): Uint8Array | undefined;
  /** Keeps these chunks from being freed until the answer is called. */
  pin(hashes: readonly Uint8Array[]): () => void;
}

export interface Rows {
  readonly contents: Contents;
  /** Whether special files, owners, access times and names that are not UTF-8 can be kept. */
  readonly full: boolean;

  /** Undoes everything, counters too, when `fn` throws. Nests. */
  transaction<T>(fn: () => T): T;

  inode(ino: Ino): InodeRow | undefined;
  putInode(row: InodeRow, patch?: ContentPatch): void;
  addInode(row: InodeRow, patch?: ContentPatch): void;
  deleteInode(ino: Ino): void;

  dirent(parent: Ino, name: string): InodeRow | undefined;
  putDirent(parent: Ino, name: string, row: Pick<InodeRow, "ino" | "kind">): void;
  deleteDirent(parent: Ino, name: string): void;
  list(parent: Ino, after: string | undefined, limit: number): { name: string; row: InodeRow }[];
  names(parent: Ino, after: string | undefined, limit: number): Name[];
  listing(parent: Ino, after: string | undefined, limit: number): Listed[];
  isEmpty(parent: Ino): boolean;

  /** The names of an inode beyond its first. */
  otherNames(ino: Ino): Place[];
  addName(ino: Ino, place: Place): void;
  deleteName(ino: Ino, place: Place): void;

  /** The newest row of the log; undefined in a new store. */
  last(): LogRow | undefined;
  append(row: LogRow): void;
  /** Rows with a revision of at least `from`, oldest first. */
  log(from: number, limit: number): LogRow[];
  logRow(rev: number): LogRow | undefined;
  /** Cursors below this revision are too old. */
  floor(): number;

  peer(id: string): PeerState | undefined;
  setPeer(id: string, state: PeerState | null): void;

  totalBytes(): number;
  usedBytes(): number | undefined;
}
