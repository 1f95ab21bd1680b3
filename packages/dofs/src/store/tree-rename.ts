/** Moving a name: the rules of rename, replacing and exchanging included. */

import { FsError } from "../fs-error.ts";
import { type Ino, type RenameFlags, ROOT_INO } from "../inode-store.ts";
import type { ReadOnlyRoots } from "./read-only-roots.ts";
import type { InodeRow, Place } from "./rows.ts";
import type { Logged, TreeEditor } from "./tree-editor.ts";

/** Both places lie in directories that may be written; the new name is one that can stand there. */
export function renameEntry(
  edit: TreeEditor,
  readOnly: ReadOnlyRoots,
  from: Place,
  to: Place,
  flags: RenameFlags,
): void {
  const row = edit.child(from.parent, from.name);
  const target = edit.rows.dirent(to.parent, to.name);
  if (row.kind === "dir") refuseCycle(edit, row.ino, to.parent);
  if (flags.exchange) {
    if (target === undefined) throw new FsError("ENOENT");
    if (target.kind === "dir") refuseCycle(edit, target.ino, from.parent);
    if (target.ino === row.ino) return;
    readOnly.refuseRemoval(row);
    readOnly.refuseRemoval(target);
    exchange(edit, row, from, target, to);
    return;
  }
  if (target !== undefined) {
    if (flags.noReplace) throw new FsError("EEXIST");
    if (target.ino === row.ino) return;
    refuseReplacement(edit, row, target, from.parent);
    readOnly.refuseRemoval(target);
  }
  readOnly.refuseRemoval(row);
  move(edit, row, from, target, to);
}

function refuseReplacement(edit: TreeEditor, row: InodeRow, target: InodeRow, parent: Ino): void {
  if (row.kind === "dir" && target.kind !== "dir") throw new FsError("ENOTDIR");
  if (row.kind !== "dir" && target.kind === "dir") {
    throw new FsError(isAbove(edit, target.ino, parent) ? "ENOTEMPTY" : "EISDIR");
  }
  if (target.kind === "dir" && !edit.rows.isEmpty(target.ino)) throw new FsError("ENOTEMPTY");
}

function move(edit: TreeEditor, row: InodeRow, from: Place, target: InodeRow | undefined, to: Place): void {
  const time = edit.time();
  edit.rows.deleteDirent(from.parent, from.name);
  const freed: Logged = target === undefined ? {} : edit.dropName(target, to, time);
  edit.rows.putDirent(to.parent, to.name, row);
  const moved = edit.moveName(row, from, to);
  const isDirectory = row.kind === "dir" ? 1 : 0;
  const replaced = target?.kind === "dir" ? 1 : 0;
  if (from.parent === to.parent) edit.touchDirectory(edit.directory(from.parent), time, -replaced);
  else {
    edit.touchDirectory(edit.directory(from.parent), time, -isDirectory);
    edit.touchDirectory(edit.directory(to.parent), time, isDirectory - replaced);
  }
  edit.put({ ...moved, ctime: time.ms, ctimeNs: time.ns }, { ino: row.ino, place: from, ...freed });
}

/** Two revisions, one for each of the two that move. */
function exchange(edit: TreeEditor, a: InodeRow, placeA: Place, b: InodeRow, placeB: Place): void {
  const time = edit.time();
  edit.rows.putDirent(placeA.parent, placeA.name, b);
  edit.rows.putDirent(placeB.parent, placeB.name, a);
  const shift = (a.kind === "dir" ? 1 : 0) - (b.kind === "dir" ? 1 : 0);
  const movedA = edit.moveName(a, placeA, placeB);
  edit.put({ ...movedA, ctime: time.ms, ctimeNs: time.ns }, { ino: a.ino, place: placeA });
  const movedB = edit.moveName(b, placeB, placeA);
  const across = placeA.parent === placeB.parent ? 0 : shift;
  edit.touchDirectory(edit.directory(placeA.parent), time, -across);
  if (placeA.parent !== placeB.parent) edit.touchDirectory(edit.directory(placeB.parent), time, across);
  edit.put({ ...movedB, ctime: time.ms, ctimeNs: time.ns }, { ino: b.ino, place: placeB });
}

function refuseCycle(edit: TreeEditor, moved: Ino, into: Ino): void {
  if (moved === ROOT_INO) throw new FsError("EBUSY");
  if (isAbove(edit, moved, into)) throw new FsError("EINVAL", { detail: "a directory cannot move into itself" });
}

/** Whether a directory is another one or lies above it. */
function isAbove(edit: TreeEditor, upper: Ino, lower: Ino): boolean {
  for (let at = lower; at !== ROOT_INO; at = edit.inode(at).parent) if (at === upper) return true;
  return upper === ROOT_INO;
}
