/** What the tree's mutations refuse before anything changes. */

import { FsError } from "../fs-error.ts";
import type { AttrChange, CreateSpec } from "../inode-store.ts";
import { byteLength } from "./names.ts";
import type { InodeRow } from "./rows.ts";

/** The longest contents a file can have, in bytes. */
const MAX_FILE_BYTES = 2 ** 40;
const MAX_TARGET_BYTES = 4095;
const NS_PER_MS = 1_000_000;

/** Refuses a new inode that cannot be, or cannot be kept by a store that is not `full`. */
export function checkSpec(spec: CreateSpec, full: boolean): void {
  const { kind, target, content } = spec;
  if (!full && kind !== "file" && kind !== "dir" && kind !== "symlink") {
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
    if (!full && !target.isWellFormed()) throw new FsError("EILSEQ");
  }
}

export function checkFile(row: InodeRow): void {
  if (row.kind === "dir") throw new FsError("EISDIR");
  if (row.kind !== "file") throw new FsError("EINVAL", { detail: `a ${row.kind} has no contents` });
}

export function checkRange(offset: number, length: number): void {
  if (!Number.isInteger(offset) || offset < 0 || !Number.isInteger(length) || length < 0) {
    throw new FsError("EINVAL", { detail: `offsets and lengths are integers from 0, not ${offset} and ${length}` });
  }
  if (offset > MAX_FILE_BYTES || (length > 0 && offset + length > MAX_FILE_BYTES && length < MAX_FILE_BYTES)) {
    throw new FsError("EFBIG");
  }
}

export function checkChange(change: AttrChange, full: boolean): void {
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
