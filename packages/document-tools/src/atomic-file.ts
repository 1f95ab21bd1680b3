/** Puts a finished file in another's place in one step, so that a failed run leaves the old one as it was. */

import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, lstatSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";

/** A file on its way to `target`: write `path`, then `commit`, or `discard`. */
export interface PendingFile {
  readonly path: string;
  exists(): boolean;
  commit(): void;
  discard(): void;
}

/**
 * A new file name beside `target`, with its extension, to be renamed over it. A link is followed: its target is what
 * changes. Undefined where a rename would be wrong: `target` is a device, a pipe or a directory, or its folder is absent.
 */
export function pendingFile(target: string): PendingFile | undefined {
  const place = finalPlace(target);
  if (place === undefined) return undefined;
  const extension = extname(place.path);
  const stem = basename(place.path, extension);
  const path = join(dirname(place.path), `.${stem.slice(0, 100)}.${randomBytes(6).toString("hex")}${extension}`);
  return {
    path,
    exists: () => existsSync(path),
    commit: () => {
      if (place.mode !== undefined) chmodSync(path, place.mode);
      renameSync(path, place.path);
    },
    discard: () => rmSync(path, { force: true }),
  };
}

/** Writes `bytes` to `target` in one step where that can be done, plainly where it cannot. Throws the error of the system. */
export function writeFileAtomically(target: string, bytes: Uint8Array | string): void {
  const pending = pendingFile(target);
  if (pending === undefined) {
    writeFileSync(target, bytes);
    return;
  }
  try {
    writeFileSync(pending.path, bytes);
    pending.commit();
  } catch (error) {
    pending.discard();
    throw error;
  }
}

function finalPlace(target: string): { path: string; mode?: number } | undefined {
  try {
    if (lstatSync(target, { throwIfNoEntry: false }) === undefined) {
      return statSync(dirname(target)).isDirectory() ? { path: target } : undefined;
    }
    const path = realpathSync(target);
    const stats = statSync(path);
    return stats.isFile() ? { path, mode: stats.mode & 0o7777 } : undefined;
  } catch {
    return undefined;
  }
}
