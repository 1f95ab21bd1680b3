/** `rename`: a new place for a file or a whole directory, replacing what it may replace. */

import { FsError } from "../fs-error.ts";
import type { InodeStore } from "../inode-store.ts";
import { endsWithSlash, normalizePath } from "./path.ts";
import { attempt, existing, resolve } from "./resolve.ts";

/**
 * Moves what has the old path, links unfollowed, to the new one. A file replaces a file, a directory an empty directory.
 *
 * `ENOENT`, `EISDIR`, `ENOTDIR`, `ENOTEMPTY`; `EINVAL` into its own subtree; `EBUSY` for `/` and for the root of a mount.
 */
export function rename(store: InodeStore, oldPath: string, newPath: string): void {
  attempt({ syscall: "rename", path: oldPath, dest: newPath }, () => {
    const from = resolve(store, normalizePath(oldPath), { follow: false });
    const to = resolve(store, normalizePath(newPath), { follow: false });
    const moved = existing(from);
    if (from.name === "" || to.name === "") throw new FsError("EBUSY", { detail: "the root cannot be renamed" });
    if ((endsWithSlash(oldPath) || endsWithSlash(newPath)) && moved.kind !== "dir") throw new FsError("ENOTDIR");
    store.rename(from.parent, from.name, to.parent, to.name);
  });
}
