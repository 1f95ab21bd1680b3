/** What a change of attributes makes of an inode. */

import type { AttrChange } from "../inode-store.ts";
import type { ContentPatch, InodeRow } from "./rows.ts";
import type { Time } from "./tree-editor.ts";

/** The row after `change`, and after `patch` where contents were resized with it; the row itself where nothing becomes other than it is. */
export function changed(row: InodeRow, change: AttrChange, patch: ContentPatch | undefined, time: Time): InodeRow {
  const next: InodeRow = {
    ...row,
    size: patch?.size ?? row.size,
    mode: change.mode ?? row.mode,
    uid: change.uid ?? row.uid,
    gid: change.gid ?? row.gid,
    mtime: change.mtime ?? (patch === undefined ? row.mtime : time.ms),
    mtimeNs: change.mtime === undefined ? (patch === undefined ? row.mtimeNs : time.ns) : (change.mtimeNs ?? 0),
    atime: change.atime ?? row.atime,
    atimeNs: change.atime === undefined ? row.atimeNs : (change.atimeNs ?? 0),
  };
  if (patch === undefined && sameAttributes(row, next)) return row;
  return { ...next, ctime: time.ms, ctimeNs: time.ns };
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
