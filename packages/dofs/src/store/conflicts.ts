/** Changes that both sides made: which an entry would lose, and where the losing version is kept. */

import type { ApplyOptions, ChangeEntry, Conflict } from "../changes.ts";
import { FsError } from "../fs-error.ts";
import { join } from "./names.ts";
import { makeParents, placeOf } from "./places.ts";
import type { InodeRow, Rows } from "./rows.ts";
import { sameContents } from "./same-contents.ts";
import type { TreeEditor } from "./tree-editor.ts";

const PAGE = 512;

export class Conflicts {
  readonly #edit: TreeEditor;
  readonly #rows: Rows;
  readonly #peer: string;
  readonly #base: number | undefined;
  readonly #directory: string;
  #removed: Set<string> | undefined;
  /** Directories taken away here that the sender's entries bring back. */
  readonly #broughtBack = new Set<string>();

  constructor(edit: TreeEditor, { peer, base, conflictDir }: ApplyOptions) {
    if (base !== undefined && conflictDir === undefined) {
      throw new FsError("EINVAL", { detail: "apply with a base needs a conflictDir to keep the losing versions in" });
    }
    this.#edit = edit;
    this.#rows = edit.rows;
    this.#peer = peer;
    this.#base = base;
    this.#directory = conflictDir ?? "";
  }

  /** Saves what the entry is about to overwrite and the sender has not seen. */
  resolve(entry: ChangeEntry): Conflict[] {
    if (this.#base === undefined) return [];
    const { path } = entry;
    const row = this.#edit.rowAt(path);
    if (row === undefined) {
      if (entry.kind === "delete") return [];
      const kept = this.#keepInTheWay(path);
      return kept.length === 0 && this.#removedHere(path) ? [{ path }] : kept;
    }
    if (row.kind !== "dir") return this.#differs(row, path, entry) ? [this.#keep(row, path)] : [];
    if (entry.kind === "dir" && !entry.fresh) return [];
    return this.#keepTree(row, path);
  }

  /** Saves what stands where a directory on the way to the path has to be. */
  #keepInTheWay(path: string): Conflict[] {
    for (let end = path.indexOf("/", 1); end > 0; end = path.indexOf("/", end + 1)) {
      const above = path.slice(0, end);
      const row = this.#edit.rowAt(above);
      if (row === undefined) return [];
      if (row.kind !== "dir") return this.#changedHere(row, above) ? [this.#keep(row, above)] : [];
    }
    return [];
  }

  #keepTree(directory: InodeRow, path: string): Conflict[] {
    const kept: Conflict[] = [];
    for (let after: string | undefined; ; ) {
      const page = this.#rows.list(directory.ino, after, PAGE);
      for (const { name, row } of page) {
        const child = join(path, name);
        if (row.kind === "dir") kept.push(...this.#keepTree(row, child));
        else if (this.#changedHere(row, child)) kept.push(this.#keep(row, child));
      }
      if (page.length < PAGE) return kept;
      after = page.at(-1)?.name;
    }
  }

  #differs(row: InodeRow, path: string, entry: ChangeEntry): boolean {
    if (!this.#changedHere(row, path)) return false;
    if (entry.kind === "symlink") return row.target !== entry.target;
    return entry.kind !== "file" || row.kind !== "file" || !sameContents(this.#rows, row, entry);
  }

  /** Whether what is at the path is not what the sender knows there: it was changed here, or came here with a directory. */
  #changedHere(row: InodeRow, path: string): boolean {
    if (this.#isOurs(row.rev)) return true;
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const above = this.#edit.rowAt(path.slice(0, end));
      if (above !== undefined && above.placed > row.rev && this.#isOurs(above.placed)) return true;
    }
    return false;
  }

  #isOurs(rev: number): boolean {
    return rev > this.#base! && this.#rows.logRow(rev)?.origin !== this.#peer;
  }

  #keep(row: InodeRow, path: string): Conflict {
    const kept = `${this.#directory}${path}.r${row.rev}`;
    const place = placeOf(this.#edit, kept) ?? makeParents(this.#edit, kept, row.mtime);
    if (this.#rows.dirent(place.parent, place.name) !== undefined) return { path, kept };
    const { kind, mode, mtime, mtimeNs, target } = row;
    const contents = kind === "file" ? this.#rows.contents.describe(row) : undefined;
    this.#edit.add(place, { kind, mode, mtime, mtimeNs, target }, row.size, (copy) =>
      contents === undefined ? { size: row.size } : this.#rows.contents.adopt(copy, row.size, contents),
    );
    return { path, kept };
  }

  /** Whether what was here, or a directory above it, was taken away since the base and is still gone. */
  #removedHere(path: string): boolean {
    const removed = this.#removedPaths();
    if (removed.has(path)) return true;
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const above = path.slice(0, end);
      if (!removed.has(above)) continue;
      // One that was made anew here is another directory, and nothing in it was taken away.
      if (this.#edit.rowAt(above) === undefined) this.#broughtBack.add(above);
      if (this.#broughtBack.has(above)) return true;
    }
    return false;
  }

  #removedPaths(): ReadonlySet<string> {
    if (this.#removed === undefined) {
      this.#removed = new Set();
      for (let from = this.#base! + 1; ; ) {
        const log = this.#rows.log(from, PAGE);
        for (const { place, origin } of log) {
          if (place === null || origin === this.#peer) continue;
          for (const directory of this.#edit.paths(place.parent)) this.#removed.add(join(directory, place.name));
        }
        if (log.length < PAGE) break;
        from = log.at(-1)!.rev + 1;
      }
    }
    return this.#removed;
  }
}
