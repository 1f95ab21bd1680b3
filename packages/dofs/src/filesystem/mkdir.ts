/** `mkdir`: a new directory, with those above it where asked. */

import { FsError, isFsError } from "../fs-error.ts";
import type { InodeStore } from "../inode-store.ts";
import { permissionBits } from "./arguments.ts";
import { parsePath } from "./path.ts";
import { attempt, existing, resolve, resolveNew } from "./resolve.ts";

const DEFAULT_MODE = 0o755;

export interface MkdirOptions {
  /** Make missing parents too, and accept a directory that is there. */
  recursive?: boolean | undefined;
  /** Permission bits of what is made, default 0o755. */
  mode?: number | undefined;
}

/**
 * Makes a directory. With `recursive` gives the path of the topmost one made, undefined where all were there; all are made or none.
 *
 * `EEXIST` where anything is, `ENOENT` for a missing parent, `ENOTDIR` for a parent that is a file.
 */
export function mkdir(store: InodeStore, path: string, options: MkdirOptions = {}): string | undefined {
  return attempt({ syscall: "mkdir", path }, () => {
    const mode = permissionBits(options.mode ?? DEFAULT_MODE);
    if (options.recursive === true) return store.transaction(() => ensure(store, parsePath(path).names, mode));
    make(store, path, mode);
    return undefined;
  });
}

function make(store: InodeStore, path: string, mode: number): void {
  const { parent, name } = resolveNew(store, path);
  store.create(parent, name, { kind: "dir", mode });
}

function ensure(store: InodeStore, names: readonly string[], mode: number): string | undefined {
  const path = `/${names.join("/")}`;
  let made: string | undefined;
  try {
    if (isDirectory(store, path)) return undefined;
  } catch (error) {
    if (!isFsError(error, "ENOENT") || names.length < 2) throw error;
    made = ensure(store, names.slice(0, -1), mode);
    // Without this a dangling link at the end would look like a missing parent.
    if (made === undefined) throw error;
  }
  make(store, path, mode);
  return made ?? path;
}

/** False where nothing is but could be made; `ENOENT` for a missing parent or a dangling link, `EEXIST` for anything else. */
function isDirectory(store: InodeStore, path: string): boolean {
  const { attr } = resolve(store, path, { follow: false });
  if (attr === undefined) return false;
  if ((attr.kind === "symlink" ? existing(resolve(store, path)) : attr).kind === "dir") return true;
  throw new FsError("EEXIST");
}
