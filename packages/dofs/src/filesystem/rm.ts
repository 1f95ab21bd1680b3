/** `rm`, and the narrower `unlink` and `rmdir`: take names away. */

import { FsError, isFsError } from "../fs-error.ts";
import type { InodeStore } from "../inode-store.ts";
import { attempt, existing, type Place, resolve } from "./resolve.ts";

export interface RmOptions {
  /** Take a directory with all that is under it. */
  recursive?: boolean | undefined;
  /** Accept that nothing is there. */
  force?: boolean | undefined;
}

/** Removes a file, a link (not its target) or a directory. `ENOTEMPTY` for a full one without `recursive`, `EPERM` for `/`. One revision. */
export function rm(store: InodeStore, path: string, options: RmOptions = {}): void {
  attempt({ syscall: "rm", path }, () => {
    let place: Place;
    try {
      place = named(store, path);
    } catch (error) {
      if (options.force === true && isFsError(error, "ENOENT")) return;
      throw error;
    }
    if (options.recursive === true) store.removeTree(place.parent, place.name);
    else if (place.attr?.kind === "dir") store.rmdir(place.parent, place.name);
    else store.unlink(place.parent, place.name);
  });
}

/** Removes a name of anything but a directory: `EISDIR` for that. */
export function unlink(store: InodeStore, path: string): void {
  attempt({ syscall: "unlink", path }, () => {
    const { parent, name } = named(store, path);
    store.unlink(parent, name);
  });
}

/** Removes an empty directory; `ENOTDIR` for anything else, a link to a directory too. */
export function rmdir(store: InodeStore, path: string): void {
  attempt({ syscall: "rmdir", path }, () => {
    const { parent, name } = named(store, path);
    store.rmdir(parent, name);
  });
}

function named(store: InodeStore, path: string): Place {
  const place = resolve(store, path, { follow: false });
  existing(place);
  if (place.name === "") throw new FsError("EPERM", { detail: "the root cannot be removed" });
  return place;
}
