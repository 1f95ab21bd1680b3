/** `readdir`: a directory's entries, all or a page of them. */

import type { InodeStore, Listed } from "../inode-store.ts";
import { checkCount } from "./arguments.ts";
import { normalizePath } from "./path.ts";
import { attempt, resolveDirectory } from "./resolve.ts";

/** Entries asked of the store at once. */
const PAGE = 1024;

export interface ReaddirOptions {
  /** At most this many entries. */
  limit?: number | undefined;
  /** Entries left out at the front. */
  offset?: number | undefined;
}

export interface WorkspaceDirentResult {
  name: string;
  /** The directory's path. */
  parentPath: string;
  /** Bytes. */
  size: number;
  /** Milliseconds since 1970. */
  mtime: number;
  isFile: boolean;
  isDirectory: boolean;
  isSymbolicLink: boolean;
}

/** The entries in byte order of their names. `ENOENT`, `ENOTDIR`; `EINVAL` for a bad limit or offset. */
export function readdir(store: InodeStore, path: string, options: ReaddirOptions = {}): WorkspaceDirentResult[] {
  return attempt({ syscall: "scandir", path }, () => {
    checkCount(options.limit, "limit");
    checkCount(options.offset, "offset");
    const { ino } = resolveDirectory(store, path);
    const parentPath = normalizePath(path);
    const offset = options.offset ?? 0;
    const end = offset + (options.limit ?? Number.POSITIVE_INFINITY);
    const entries: WorkspaceDirentResult[] = [];
    let after: string | undefined;
    for (let seen = 0; seen < end; ) {
      const asked = Math.min(PAGE, end - seen);
      const page = store.listing(ino, after, asked);
      for (const entry of page) {
        if (seen++ >= offset) entries.push(result(parentPath, entry));
      }
      if (page.length < asked) break;
      after = page.at(-1)?.name;
    }
    return entries;
  });
}

function result(parentPath: string, { name, kind, size, mtime }: Listed): WorkspaceDirentResult {
  return {
    name,
    parentPath,
    size,
    mtime,
    isFile: kind === "file",
    isDirectory: kind === "dir",
    isSymbolicLink: kind === "symlink",
  };
}
