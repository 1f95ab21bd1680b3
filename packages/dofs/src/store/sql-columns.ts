/** The columns of inodes and of the log, and what the code makes of them. */

import type { NodeKind } from "../inode-store.ts";
import type { InodeRow, LogRow } from "./rows.ts";

/** Kinds by the number that stands for them. */
export const KINDS: readonly NodeKind[] = ["file", "dir", "symlink"];

/** The columns of an inode `i`, as {@link InodeColumns}. */
export const INODE = `i.ino, i.kind, i.mode, i.nlink, i.size, i.mtime, i.mtime_ns, i.ctime, i.ctime_ns, i.parent, i.name, i.rev, i.placed,
  i.content, i.target`;

/** A row of {@link INODE}. */
export type InodeColumns = [
  ino: number,
  kind: number,
  mode: number,
  nlink: number,
  size: number,
  mtime: number,
  mtimeNs: number,
  ctime: number,
  ctimeNs: number,
  parent: number,
  name: string,
  rev: number,
  placed: number,
  content: number | null,
  target: string | null,
];

/** An entry of a directory: its inode, then the name it has there. */
export type NamedColumns = [...InodeColumns, entry: string];

/** A row of the log. */
export interface LogColumns {
  rev: number;
  ino: number | null;
  parent: number | null;
  name: string | null;
  origin: string | null;
  inodes: number;
  bytes: number;
}

/** The inode that the columns tell. */
export function inodeRow(columns: Readonly<InodeColumns | NamedColumns>): InodeRow {
  const [ino, kind, mode, nlink, size, mtime, mtimeNs, ctime, ctimeNs, parent, name, rev, placed, content, target] =
    columns;
  return {
    ino,
    kind: KINDS[kind]!,
    mode,
    nlink,
    size,
    mtime,
    mtimeNs,
    atime: mtime,
    atimeNs: mtimeNs,
    ctime,
    ctimeNs,
    uid: 0,
    gid: 0,
    rdev: 0,
    rev,
    parent,
    name,
    placed,
    content: content ?? undefined,
    target: target ?? undefined,
  };
}

/** The entry of the log that the columns tell. */
export function logRow({ rev, ino, parent, name, origin, inodes, bytes }: LogColumns): LogRow {
  return { rev, ino, place: parent === null || name === null ? null : { parent, name }, origin, inodes, bytes };
}
