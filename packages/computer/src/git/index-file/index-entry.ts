/** An entry of the index: a path, what is staged for it, and what its file looked like then. */

import type { Attr } from "@cloudflare/dofs";
import { EXECUTABLE, REGULAR, SYMLINK } from "../objects/tree.ts";

/** What a file looked like when it was last compared. Seconds, nanoseconds, bytes; each 32 bits. */
export interface FileStamp {
  readonly ctime: number;
  readonly ctimeNs: number;
  readonly mtime: number;
  readonly mtimeNs: number;
  /** Ours have the store's revision of the file here, of which git's own reads nothing. */
  readonly dev: number;
  readonly ino: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
}

export interface IndexEntry {
  readonly path: string;
  readonly mode: number;
  readonly oid: string;
  /** 0; 1 to 3 for the base, ours and theirs of a conflict. */
  readonly stage: number;
  readonly stamp: FileStamp;
  readonly assumeValid: boolean;
  readonly skipWorktree: boolean;
  readonly intentToAdd: boolean;
}

export const NO_STAMP: FileStamp = {
  ctime: 0,
  ctimeNs: 0,
  mtime: 0,
  mtimeNs: 0,
  dev: 0,
  ino: 0,
  uid: 0,
  gid: 0,
  size: 0,
};

/** An entry of nothing but what is staged. */
export function indexEntry(
  path: string,
  mode: number,
  oid: string,
  stage = 0,
  stamp: FileStamp = NO_STAMP,
): IndexEntry {
  return { path, mode, oid, stage, stamp, assumeValid: false, skipWorktree: false, intentToAdd: false };
}

export function stampOf(attr: Attr): FileStamp {
  return {
    ctime: seconds(attr.ctime),
    ctimeNs: nanoseconds(attr.ctime, attr.ctimeNs),
    mtime: seconds(attr.mtime),
    mtimeNs: nanoseconds(attr.mtime, attr.mtimeNs),
    dev: attr.rev >>> 0,
    ino: attr.ino >>> 0,
    uid: attr.uid >>> 0,
    gid: attr.gid >>> 0,
    size: attr.size >>> 0,
  };
}

/** The mode that a file or link is staged with. */
export function modeOf(attr: Attr): number {
  if (attr.kind === "symlink") return SYMLINK;
  return attr.mode & 0o100 ? EXECUTABLE : REGULAR;
}

/**
 * Whether a file is for certain what it was: by the store's own revision, or by size and time where the index was written later than the
 * file. Owner, inode and change time differ between a workspace and a computer it is carried to, and say nothing.
 */
export function isUnchanged(entry: IndexEntry, attr: Attr, indexTime: { mtime: number; mtimeNs: number }): boolean {
  const { stamp } = entry;
  const mtime = seconds(attr.mtime);
  const mtimeNs = nanoseconds(attr.mtime, attr.mtimeNs);
  if (stamp.size !== attr.size >>> 0 || stamp.mtime !== mtime || stamp.mtimeNs !== mtimeNs) return false;
  if (stamp.dev === attr.rev >>> 0 && stamp.ino === attr.ino >>> 0) return true;
  const earlier = mtime < indexTime.mtime || (mtime === indexTime.mtime && mtimeNs < indexTime.mtimeNs);
  return earlier && mtime > 0;
}

export function seconds(ms: number): number {
  return Math.floor(ms / 1000) >>> 0;
}

export function nanoseconds(ms: number, ns: number): number {
  return (((ms % 1000) + 1000) % 1000) * 1_000_000 + ns;
}
