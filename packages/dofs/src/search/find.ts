/** `find`: the files and directories under one, by glob. */

import { normalizePath } from "../filesystem/path.ts";
import { attempt, resolveDirectory } from "../filesystem/resolve.ts";
import type { InodeStore } from "../inode-store.ts";
import { join } from "../store/names.ts";
import { nameGlobs, pageBounds } from "./filter.ts";
import { Glob } from "./glob.ts";
import { readNames, walk } from "./walk.ts";

export interface FindOptions {
  /** At most this many entries. */
  limit?: number | undefined;
  /** Entries left out at the front. */
  offset?: number | undefined;
  /** Globs of what is left out, with everything under it; one without a slash means a name at any depth. */
  exclude?: string[] | undefined;
}

/** An entry that `find` gives. A symlink counts as a file and is not followed. */
export interface WorkspaceFoundEntry {
  path: string;
  type: "file" | "dir";
}

/**
 * Everything under a directory whose path relative to it matches a glob; without one, everything. Depth first, in byte order of name.
 * An excluded directory is not entered, nor one under which nothing can match.
 *
 * `ENOENT`, `ENOTDIR`; `EINVAL` for a bad option.
 */
export function* find(
  store: InodeStore,
  directory: string,
  pattern?: string,
  options: FindOptions = {},
): Generator<WorkspaceFoundEntry, void> {
  const at = { syscall: "find", path: directory };
  const { ino, start, end, wanted, excluded } = attempt(at, () => ({
    ...pageBounds(options),
    ino: resolveDirectory(store, directory).ino,
    wanted: pattern === undefined || pattern === "" ? undefined : Glob.parse(pattern),
    excluded: nameGlobs(options.exclude, "exclude"),
  }));
  const top = normalizePath(directory);
  let count = 0;
  if (end === start) return;
  for (const visit of walk(readNames(store), ino, { wanted, excluded })) {
    if (!visit.wanted || count++ < start) continue;
    yield { path: join(top, visit.path), type: visit.node.kind === "dir" ? "dir" : "file" };
    if (count === end) return;
  }
}
