/** What passes between two stores: change entries, the cursors that order them, and the outcome of applying them. */

/**
 * A place in a store's stream of changes. `path` is the last path already seen of revision `rev`, null when all of it was.
 *
 * `{ rev: 0, path: null }` is the start. A cursor inside the first pass over a whole tree also says, in `baseline`, the revision at which
 * that pass began.
 */
export interface ChangeCursor {
  rev: number;
  path: string | null;
  baseline?: number;
}

/** The cursor before everything. */
export const START: ChangeCursor = Object.freeze({ rev: 0, path: null });

/** A piece of a file's contents: SHA-256 and length in bytes. */
export interface ChunkRef {
  hash: Uint8Array;
  size: number;
}

/**
 * What one path is now. Applying an entry twice is applying it once.
 *
 * `mtime` is milliseconds, `mtimeNs` the nanoseconds beyond them. A file has its contents either inline in `data` (then `chunks` is empty)
 * or as `chunks` in order. `links` counts the names of its inode where there are several; `sameAs` is the one of them that came first in the
 * stream.
 * `fresh` on a directory says that it is not the one that was at this path before: what the receiver has there goes first.
 */
export type ChangeEntry =
  | {
      kind: "file";
      rev: number;
      path: string;
      mode: number;
      mtime: number;
      mtimeNs?: number;
      size: number;
      chunks: ChunkRef[];
      data?: Uint8Array;
      links?: number;
      sameAs?: string;
    }
  | { kind: "dir"; rev: number; path: string; mode: number; mtime: number; mtimeNs?: number; fresh?: boolean }
  | { kind: "symlink"; rev: number; path: string; target: string; mode: number; mtime: number; mtimeNs?: number }
  | { kind: "delete"; rev: number; path: string; prior?: string };

/** How much of the stream to give at once, and which part of it. */
export interface ChangeLimits {
  /** At most this many entries. At least one is given where there is one. */
  readonly entries: number;
  /** Stop once the entries' inline data and metadata reach this many bytes. */
  readonly bytes?: number;
  /** Leave out what this peer itself brought in by `apply`. */
  readonly peer?: string;
  /** Only paths at or under this directory, absolute, without a trailing slash. The root's own entry is left out. */
  readonly root?: string;
}

/**
 * A page of the stream: parents before children, each path as it is now, so that a path changed often comes once where that can be known.
 *
 * `cursor` is where the next page starts. `done` says that nothing newer is there. `reset` says that the cursor asked for is older than
 * what the store remembers, or not one of its own: this page starts the whole tree anew, and what the receiver has beyond it is stale.
 */
export interface ChangePage {
  readonly entries: ChangeEntry[];
  readonly cursor: ChangeCursor;
  readonly done: boolean;
  readonly reset: boolean;
  /** What changed and is not carried, as `unsupported`: special files, and names and link targets that are not UTF-8. */
  readonly refused?: readonly Refused[];
}

export interface ApplyOptions {
  /** Who sends: kept with the revisions, so that they are not sent back to it. */
  readonly peer: string;
  /** Paths outside this directory are refused; absolute, without a trailing slash; default `/`. */
  readonly root?: string;
  /**
   * The newest revision of this store that the sender had applied when it made its changes. A path that changed here
   * since, and not by the sender, is a conflict. Left out: nothing is.
   */
  readonly base?: number;
  /** Where the version that a conflict would lose is kept, e.g. `/.computer/conflicts`. Needed with `base`. */
  readonly conflictDir?: string;
  /** The sender decides what is read-only here, so that its own entries are not refused for it. */
  readonly overReadOnly?: boolean;
  /** Accept files whose chunks are not here; they read as absent until the chunks come. Default: such an entry is skipped. */
  readonly allowAbsent?: boolean;
}

/** An entry that was not applied: it is reported and passed over, the rest goes on. */
export interface Refused {
  readonly path: string;
  readonly op: "write" | "delete";
  readonly reason: "read-only" | "bad-path" | "outside-root" | "missing-chunks" | "bad-entry" | "unsupported";
  /** The read-only root that refused it; empty otherwise. */
  readonly mountRoot: string;
}

/** Both sides changed `path`; the sender's version stands, the version that stood here was saved at `kept` (absent where it was a deletion). */
export interface Conflict {
  readonly path: string;
  readonly kept?: string;
}

export interface ApplyOutcome {
  /** Entries that changed something or already held. */
  readonly applied: number;
  readonly refused: Refused[];
  readonly conflicts: Conflict[];
}
