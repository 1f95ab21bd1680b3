/** Paths as callers give them: absolute, `/`-separated, normalised before anything is looked up. */

import { FsError } from "../fs-error.ts";
import { byteLength } from "../store/names.ts";

/** A path taken apart. */
export interface ParsedPath {
  /** The names from the root down, without `.` and `..`; empty for `/`. */
  readonly names: readonly string[];
  /** The path ended in `/`, `/.` or `/..`: it asks for a directory. */
  readonly slash: boolean;
}

/** The longest name, in bytes of UTF-8. */
export const NAME_MAX = 255;

/**
 * Takes a path apart; `.`, `..` and doubled slashes go, `..` at the root stays at the root.
 *
 * `EINVAL` for a path that is relative, empty, or has a NUL.
 */
export function parsePath(path: string): ParsedPath {
  if (typeof path !== "string" || !path.startsWith("/")) {
    throw new FsError("EINVAL", { detail: "the path must be absolute, like '/workspace/file'" });
  }
  if (path.includes("\0")) throw new FsError("EINVAL", { detail: "the path must not contain a NUL" });
  const names: string[] = [];
  let slash = false;
  for (const name of path.split("/")) {
    slash = name === "" || name === "." || name === "..";
    if (name === "..") names.pop();
    else if (!slash) names.push(name);
  }
  return { names, slash };
}

/** The path without `.`, `..`, doubled and trailing slashes; `EINVAL` as {@link parsePath}. */
export function normalizePath(path: string): string {
  return `/${parsePath(path).names.join("/")}`;
}

/** The last name of a path; empty for `/`. */
export function baseName(path: string): string {
  return parsePath(path).names.at(-1) ?? "";
}

/** Whether the path asks for a directory by a slash at its end. */
export function endsWithSlash(path: string): boolean {
  return parsePath(path).slash;
}

/** `ENAMETOOLONG` for a name over 255 bytes. */
export function checkNameLength(name: string): void {
  if (name.length * 3 > NAME_MAX && byteLength(name) > NAME_MAX) throw new FsError("ENAMETOOLONG");
}
