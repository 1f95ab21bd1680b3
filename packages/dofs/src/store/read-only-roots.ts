/** The directories under which nothing may change, checked at every mutation of the port. */

import { FsError } from "../fs-error.ts";
import type { Ino } from "../inode-store.ts";
import { isUnder, join } from "./names.ts";
import type { InodeRow } from "./rows.ts";

export class ReadOnlyRoots {
  readonly #pathsOf: (ino: Ino) => string[];
  #roots: readonly string[] = [];

  constructor(pathsOf: (ino: Ino) => string[]) {
    this.#pathsOf = pathsOf;
  }

  set(paths: readonly string[]): void {
    this.#roots = [...paths];
  }

  get all(): readonly string[] {
    return this.#roots;
  }

  /** The root that makes a path read-only. */
  over(path: string): string | undefined {
    return this.#roots.find((root) => isUnder(path, root));
  }

  /** `EROFS` where an entry of this directory is about to change. */
  refusePlace(directory: InodeRow, name: string): void {
    if (this.#roots.length === 0) return;
    const path = this.#pathsOf(directory.ino)[0];
    if (path === undefined) return;
    if (this.over(path) !== undefined) throw new FsError("EROFS");
    if (this.#roots.includes(join(path, name))) throw new FsError("EBUSY");
  }

  /** `EROFS` where the inode itself is about to change. */
  refuseInode(row: InodeRow): void {
    if (this.#roots.length === 0) return;
    if (this.#pathsOf(row.ino).some((path) => this.over(path) !== undefined)) throw new FsError("EROFS");
  }

  /** `EBUSY` where a directory that a root lies in is about to go or move. */
  refuseRemoval(row: InodeRow): void {
    if (this.#roots.length === 0 || row.kind !== "dir") return;
    const path = this.#pathsOf(row.ino)[0];
    if (path !== undefined && this.#roots.some((root) => isUnder(root, path))) throw new FsError("EBUSY");
  }
}
