/** `symlink`, `readlink` and `link`: names that lead to other names, and further names of one inode. */

import { FsError } from "../fs-error.ts";
import type { InodeStore } from "../inode-store.ts";
import { endsWithSlash } from "./path.ts";
import { attempt, existing, resolve, resolveNew } from "./resolve.ts";

const LINK_MODE = 0o777;

/** Makes a link to any text, which need not lead anywhere. `EEXIST` where anything is, `ENOENT` for an empty target. */
export function symlink(store: InodeStore, target: string, path: string): void {
  attempt({ syscall: "symlink", path: target, dest: path }, () => {
    if (typeof target !== "string" || target.includes("\0")) {
      throw new FsError("EINVAL", { detail: "the target must be a string without a NUL" });
    }
    const { parent, name, slash } = resolveNew(store, path);
    if (target === "" || slash) throw new FsError("ENOENT");
    store.create(parent, name, { kind: "symlink", mode: LINK_MODE, target });
  });
}

/** The text of a link; `EINVAL` for anything else. */
export function readlink(store: InodeStore, path: string): string {
  return attempt({ syscall: "readlink", path }, () =>
    store.readlink(existing(resolve(store, path, { follow: endsWithSlash(path) })).ino),
  );
}

/** Gives what has a path, links unfollowed, one more name. `EPERM` for a directory, `EEXIST` where anything is. */
export function link(store: InodeStore, path: string, newPath: string): void {
  attempt({ syscall: "link", path, dest: newPath }, () => {
    const { ino } = existing(resolve(store, path, { follow: false }));
    const { parent, name, slash } = resolveNew(store, newPath);
    if (slash) throw new FsError("ENOENT");
    store.link(ino, parent, name);
  });
}
