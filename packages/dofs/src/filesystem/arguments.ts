/** Checks of the numbers and options that callers give: `EINVAL`, naming the argument. */

import { FsError } from "../fs-error.ts";
import { nearest } from "./nearest.ts";

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

/** Refuses what is no object of options, and an option that is not one of `known`, naming the one that was meant. Undefined passes. */
export function checkOptions(options: unknown, known: readonly string[]): void {
  if (options === undefined) return;
  if (typeof options !== "object" || options === null) {
    throw new FsError("EINVAL", { detail: `the options must be an object, not ${String(options)}` });
  }
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue;
    const meant = nearest(key, known);
    const hint = meant === undefined ? `it takes ${known.join(", ")}` : `did you mean ${meant}?`;
    throw new FsError("EINVAL", { detail: `there is no option ${key}: ${hint}` });
  }
}
