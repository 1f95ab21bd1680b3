/** Checks of the numbers and options that callers give: `EINVAL`, naming the argument. */

import { FsError } from "../fs-error.ts";

const PERMISSION_BITS = 0o7777;

/** A count or a position: a whole number, not negative. Undefined passes. */
export function checkCount(value: unknown, name: string): void {
  if (value === undefined) return;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return;
  throw new FsError("EINVAL", { detail: `${name} must be a whole number from 0, not ${String(value)}` });
}

/** The permission bits of a mode; other bits, such as a file's type, are dropped as POSIX does. */
export function permissionBits(mode: unknown): number {
  if (typeof mode !== "number" || !Number.isInteger(mode) || mode < 0 || mode > 0xffffffff) {
    throw new FsError("EINVAL", { detail: `mode must be a number like 0o644, not ${String(mode)}` });
  }
  return mode & PERMISSION_BITS;
}
