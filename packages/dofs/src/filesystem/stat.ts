/** `stat` and `lstat`: what a path leads to, and what it is itself. */

import { FsError } from "../fs-error.ts";
import type { Attr, InodeStore } from "../inode-store.ts";
import { baseName, endsWithSlash } from "./path.ts";
import { attempt, existing, resolve } from "./resolve.ts";

export interface WorkspaceStatResult {
  /** The path's last name; empty for `/`. */
  name: string;
  inode: number;
  /** Permission bits, 0 to 0o7777. */
  mode: number;
  /** Milliseconds since 1970. */
  mtime: number;
  /** Bytes. */
  size: number;
  isFile: boolean;
  isDirectory: boolean;
  isSymbolicLink: boolean;
}

/** What a path leads to, links followed. */
export function stat(store: InodeStore, path: string): WorkspaceStatResult {
  return attempt({ syscall: "stat", path }, () => result(path, existing(resolve(store, path))));
}

/** What a path is itself: a link is not followed, unless the path ends in a slash. */
export function lstat(store: InodeStore, path: string): WorkspaceStatResult {
  return attempt({ syscall: "lstat", path }, () =>
    result(path, existing(resolve(store, path, { follow: endsWithSlash(path) }))),
  );
}

/** The answer of a `stat`, or null where nothing is: `ENOENT` or `ENOTDIR`. Other errors stand. */
export function orNull<T>(operation: () => T): T | null {
  try {
    return operation();
  } catch (error) {
    if (error instanceof FsError && (error.code === "ENOENT" || error.code === "ENOTDIR")) return null;
    throw error;
  }
}

/** Whether a path leads to anything; a dangling link and a loop of links do not. `EINVAL` for a bad path. */
export function exists(store: InodeStore, path: string): boolean {
  try {
    stat(store, path);
    return true;
  } catch (error) {
    if (error instanceof FsError && ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"].includes(error.code)) return false;
    throw error;
  }
}

function result(path: string, attr: Attr): WorkspaceStatResult {
  return {
    name: baseName(path),
    inode: attr.ino,
    mode: attr.mode,
    mtime: attr.mtime,
    size: attr.size,
    isFile: attr.kind === "file",
    isDirectory: attr.kind === "dir",
    isSymbolicLink: attr.kind === "symlink",
  };
}
