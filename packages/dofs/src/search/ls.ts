/** `ls`: every file at or under a path. */

import { normalizePath } from "../filesystem/path.ts";
import { attempt, resolve } from "../filesystem/resolve.ts";
import { isFsError } from "../fs-error.ts";
import type { Attr, InodeStore } from "../inode-store.ts";
import { compareNames, join } from "../store/names.ts";
import { readNames, walk } from "./walk.ts";

/** The paths of all files at or under `prefix`, a whole path and no part of a name, in byte order; none where nothing is. */
export function ls(store: InodeStore, prefix: string): string[] {
  const attr = attempt({ syscall: "ls", path: prefix }, () => attrOrNothing(store, prefix));
  const top = normalizePath(prefix);
  if (attr?.kind === "file") return [top];
  if (attr?.kind !== "dir") return [];
  const paths: string[] = [];
  for (const { path, node: found } of walk(readNames(store), attr.ino)) {
    if (found.kind === "file") paths.push(join(top, path));
  }
  return paths.sort(compareNames);
}

function attrOrNothing(store: InodeStore, path: string): Attr | undefined {
  try {
    return resolve(store, path).attr;
  } catch (error) {
    if (isFsError(error, "ENOENT") || isFsError(error, "ENOTDIR")) return undefined;
    throw error;
  }
}
