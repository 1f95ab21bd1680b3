/** The one port of the filesystem: everything that reads or changes files speaks to an InodeStore. */

import type { ApplyOptions, ApplyOutcome, ChangeCursor, ChangeEntry, ChangeLimits, ChangePage } from "./changes.ts";

/** An inode's number: a positive safe integer, never used twice in one store. */
export type Ino = number;

/** The inode number of `/`. */
export const ROOT_INO = 1;

/** What an inode is. Only `file`, `dir` and `symlink` are kept by a SqlStore and carried by sync. */
export type NodeKind = "file" | "dir" | "symlink" | "fifo" | "socket" | "char" | "block";

/**
 * What an inode says of itself.
 *
 * Times are milliseconds since 1970 as an integer, each with a remainder of 0 to 999,999 nanoseconds.
 * `size` is bytes: a file's length, the length of a link's target in UTF-8, 0 for everything else.
 * `rev` is the revision of the last mutation that touched the inode.
 */
export interface Attr {
  readonly ino: Ino;
  readonly kind: NodeKind;
  /** Permission bits, 0 to 0o7777; the file type is in `kind`. */
  readonly mode: number;
  readonly nlink: number;
  readonly size: number;
  readonly mtime: number;
  readonly mtimeNs: number;
  readonly atime: number;
  readonly atimeNs: number;
  readonly ctime: number;
  readonly ctimeNs: number;
  readonly uid: number;
  readonly gid: number;
  readonly rdev: number;
  readonly rev: number;
  /** The revision at which it came to where its first name is: that of its creation or last move. */
  readonly placed?: number;
}

/** The attributes a caller can set; what is left out stays as it is. `size` truncates or extends with zeros. */
export interface AttrChange {
  readonly mode?: number;
  readonly size?: number;
  readonly mtime?: number;
  readonly mtimeNs?: number;
  readonly atime?: number;
  readonly atimeNs?: number;
  readonly uid?: number;
  readonly gid?: number;
}

/** A name in a directory, with the attributes of what it names. */
export interface Dirent {
  readonly name: string;
  readonly attr: Attr;
}

/** A name in a directory, with no more than what it names. */
export interface Name {
  readonly name: string;
  readonly ino: Ino;
  readonly kind: NodeKind;
}

/** A name in a directory, with what a listing shows of what it names; `size` and `mtime` as in {@link Attr}. */
export interface Listed extends Name {
  readonly size: number;
  readonly mtime: number;
}

/**
 * Whole contents, given at once or staged in pieces.
 *
 * A stage belongs to the store that made it, is consumed by the `create` or `replace` it is given to,
 * and holds no more than one chunk in memory.
 */
export type Content = Uint8Array | Stage;

/** Contents on their way into a store, appended piece by piece before any name shows them. */
export interface Stage {
  /** Bytes appended so far. */
  readonly size: number;
  append(bytes: Uint8Array): void;
  /** Forgets what was appended. Does nothing once the stage was consumed. */
  discard(): void;
}

/** Contents as they were at one moment, unchanged by later writes, until released. */
export interface Snapshot {
  readonly size: number;
  /** As {@link InodeStore.read}. */
  read(offset: number, length: number): Uint8Array | Absent;
  release(): void;
}

/** Said instead of bytes when contents are known by hash but not here. The store never waits for them. */
export interface Absent {
  readonly absent: readonly Uint8Array[];
}

/** What a new inode is to be. */
export interface CreateSpec {
  readonly kind: NodeKind;
  readonly mode: number;
  /** The target of a symlink, at most 4,095 bytes. */
  readonly target?: string;
  /** The first contents of a file. */
  readonly content?: Content;
  readonly rdev?: number;
  readonly uid?: number;
  readonly gid?: number;
}

export interface RenameFlags {
  /** Refuse with `EEXIST` where the new name exists. */
  readonly noReplace?: boolean;
  /** Swap the two names; both must exist. */
  readonly exchange?: boolean;
}

/** Totals of a store, in bytes and inodes. */
export interface StatFs {
  readonly totalBytes: number;
  readonly freeBytes: number;
  readonly usedBytes: number;
  readonly inodes: number;
}

/** A chunk of contents, named by the SHA-256 of its bytes. */
export interface Chunk {
  readonly hash: Uint8Array;
  readonly bytes: Uint8Array;
}

/** How far two stores have come with each other. */
export interface PeerState {
  /** The place in this store's stream up to which the peer has applied. */
  readonly sent: ChangeCursor;
  /** The place in the peer's stream up to which this store has applied. */
  readonly received: ChangeCursor;
}

/**
 * A tree of inodes with a revision counter.
 *
 * Every method is synchronous. Each mutation is atomic and takes exactly one new revision, unless it changes
 * nothing. Inside `transaction` they are atomic together. Errors are {@link FsError}s with a Node-shaped `code`; since the
 * store knows inodes and not paths, front ends add `path` and `syscall`.
 *
 * Names are 1 to 255 bytes of UTF-8 without `/` and NUL, not `.` or `..`. A byte that is not valid UTF-8 is written as a
 * lone surrogate U+DC80 to U+DCFF; a SqlStore refuses such names with `EILSEQ`.
 */
export interface InodeStore {
  /** `ENOENT` for an inode that is gone. */
  getattr(ino: Ino): Attr;
  setattr(ino: Ino, change: AttrChange): Attr;
  statfs(): StatFs;

  /** `undefined` where nothing has the name; `ENOTDIR` where the parent is no directory. */
  lookup(parent: Ino, name: string): Attr | undefined;
  /** Up to `limit` entries in byte order of name, those after `after`; `undefined` starts at the first. */
  readdir(parent: Ino, after: string | undefined, limit: number): Dirent[];
  /** As `readdir`, for half of its cost: names without attributes. */
  list(parent: Ino, after: string | undefined, limit: number): Name[];
  /** As `readdir`, for those who want no more than a listing shows: nothing else is read, and nothing remembered. */
  listing(parent: Ino, after: string | undefined, limit: number): Listed[];
  /** A symlink's target; `EINVAL` for anything else. */
  readlink(ino: Ino): string;
  /** The parent a directory hangs in (the root is its own); for other inodes that of their first name. */
  parent(ino: Ino): Ino;
  /** Every absolute path that leads to the inode, the first name first; empty for one that is unlinked but held. */
  paths(ino: Ino): string[];

  create(parent: Ino, name: string, spec: CreateSpec): Attr;
  link(ino: Ino, parent: Ino, name: string): Attr;
  unlink(parent: Ino, name: string): void;
  rmdir(parent: Ino, name: string): void;
  /** Removes whatever has the name, a directory with all that is under it, as one revision. */
  removeTree(parent: Ino, name: string): void;
  rename(parent: Ino, name: string, newParent: Ino, newName: string, flags?: RenameFlags): void;

  /** Bytes from `offset`, at most `length`, fewer at the end; the caller may keep and change them, they are all of their buffer. */
  read(ino: Ino, offset: number, length: number): Uint8Array | Absent;
  /** Whole contents of many files in one go: of those that are small enough to lie with their inodes, the others are left out. */
  readSmall(inos: readonly Ino[]): Map<Ino, Uint8Array>;
  /** Writes at `offset`, zeros filling a gap before it; returns the attributes after. May be {@link Absent} where a chunk it must merge with is not here. */
  write(ino: Ino, offset: number, bytes: Uint8Array): Attr | Absent;
  /** Exchanges the whole contents, keeping the inode. */
  replace(ino: Ino, content: Content): Attr;
  stage(): Stage;
  snapshot(ino: Ino): Snapshot;

  /** Counts one more user of an inode: unlinked meanwhile, it lives until it is released as often as it was held. */
  hold(ino: Ino): void;
  release(ino: Ino): void;

  /** The newest revision; 0 for a store nothing was ever written to. */
  rev(): number;
  /** The state now of each path that changed after the cursor. See {@link ChangePage}. */
  changes(after: ChangeCursor, limits: ChangeLimits): ChangePage;
  /** The entry of a path as it is now, or null where nothing is. */
  entry(path: string): ChangeEntry | null;
  /** Takes over entries of another store. See {@link ApplyOutcome}. */
  apply(entries: readonly ChangeEntry[], options: ApplyOptions): ApplyOutcome;
  /** Of these hashes, those whose bytes are not here. */
  missingChunks(hashes: readonly Uint8Array[]): Uint8Array[];
  /** Takes chunks in, before or after entries name them; `EINVAL` for one whose bytes do not match its hash. */
  putChunks(chunks: readonly Chunk[]): void;
  /** The bytes of a chunk, or undefined where they are not here. */
  getChunk(hash: Uint8Array): Uint8Array | undefined;
  /** Keeps those of these chunks that are here from being freed until the answer is called, as long as the store is open. */
  pinChunks(hashes: readonly Uint8Array[]): () => void;

  /** How far this store and a peer have come with each other; undefined for a peer it does not know. */
  peer(id: string): PeerState | undefined;
  /** Remembers a peer, so that no change it has yet to see is forgotten; null forgets the peer. Takes no revision. */
  setPeer(id: string, state: PeerState | null): void;

  /** Calls the listener with the newest revision after each outermost transaction that changed something; returns the way to stop. */
  subscribe(listener: (rev: number) => void): () => void;
  /** Runs `fn` so that all of its mutations happen or, if it throws, none. Nests. */
  transaction<T>(fn: () => T): T;

  /** Makes every mutation under these absolute paths `EROFS`, whatever the door; replaces the list given before. */
  setReadOnlyRoots(paths: readonly string[]): void;
  readOnlyRoots(): readonly string[];
}
