/** Taking over another store's entries: each as a change of its own, a bad one passed over and reported. */

import type { ApplyOptions, ApplyOutcome, ChangeEntry, Conflict, Refused } from "../changes.ts";
import { isFsError } from "../fs-error.ts";
import { Conflicts } from "./conflicts.ts";
import { checkName, isUnder } from "./names.ts";
import { makeParents, placeOf } from "./places.ts";
import type { ReadOnlyRoots } from "./read-only-roots.ts";
import type { InodeRow, Place, Rows } from "./rows.ts";
import { sameContents } from "./same-contents.ts";
import type { TreeEditor } from "./tree-editor.ts";

/** What ends a whole batch instead of being one entry's own fault. */
const FATAL = new Set(["ENOSPC", "EIO"]);

type Reason = Refused["reason"];

/** Why one entry is not applied. */
class Refusal {
  readonly reason: Reason;
  readonly mountRoot: string;

  constructor(reason: Reason, mountRoot = "") {
    this.reason = reason;
    this.mountRoot = mountRoot;
  }
}

export function applyEntries(
  edit: TreeEditor,
  readOnly: ReadOnlyRoots,
  entries: readonly ChangeEntry[],
  options: ApplyOptions,
): ApplyOutcome {
  const { rows } = edit;
  const root = options.root ?? "/";
  const outcome = { applied: 0, refused: [] as Refused[], conflicts: [] as Conflict[] };
  const conflicts = new Conflicts(edit, options);
  for (const entry of entries) {
    const path = typeof entry?.path === "string" ? entry.path : "";
    try {
      checkPath(path, root, rows.full);
      const mountRoot = options.overReadOnly ? undefined : readOnly.over(path);
      if (mountRoot !== undefined) throw new Refusal("read-only", mountRoot);
      checkContents(entry, rows, options);
      rows.transaction(() => {
        const there = edit.rowAt(path);
        if (!options.overReadOnly && there !== undefined && (entry.kind !== "dir" || entry.fresh))
          readOnly.refuseRemoval(there);
        outcome.conflicts.push(...conflicts.resolve(entry));
        applyOne(edit, entry, root);
      });
      outcome.applied++;
    } catch (error) {
      if (!(error instanceof Refusal) && (!isFsError(error) || FATAL.has(error.code))) throw error;
      const { reason, mountRoot } = error instanceof Refusal ? error : reasonOf(error);
      outcome.refused.push({ path, op: entry?.kind === "delete" ? "delete" : "write", reason, mountRoot });
    }
  }
  return outcome;
}

function reasonOf(error: Error & { code: string }): Refusal {
  if (error.code === "EROFS" || error.code === "EBUSY") return new Refusal("read-only");
  return new Refusal(error.code === "ENOTSUP" || error.code === "EILSEQ" ? "unsupported" : "bad-entry");
}

function checkPath(path: string, root: string, anyBytes: boolean): void {
  if (!path.startsWith("/")) throw new Refusal("bad-path");
  if (path !== "/") {
    for (const name of path.slice(1).split("/")) {
      try {
        checkName(name, anyBytes);
      } catch {
        throw new Refusal("bad-path");
      }
    }
  }
  if (!isUnder(path, root)) throw new Refusal("outside-root");
}

function checkContents(entry: ChangeEntry, rows: Rows, options: ApplyOptions): void {
  if (entry.kind === "delete") return;
  if (!Number.isSafeInteger(entry.mode) || !Number.isSafeInteger(entry.mtime)) throw new Refusal("bad-entry");
  if (
    entry.kind === "symlink" &&
    (typeof entry.target !== "string" || entry.target === "" || entry.target.includes("\0"))
  ) {
    throw new Refusal("bad-entry");
  }
  if (entry.kind !== "file") return;
  const { chunks, data, size } = entry;
  if (!Number.isSafeInteger(size) || size < 0 || !Array.isArray(chunks)) throw new Refusal("bad-entry");
  const told = data?.length ?? chunks.reduce((sum, chunk) => sum + chunk.size, 0);
  if (told !== size) throw new Refusal("bad-entry");
  if (options.allowAbsent || chunks.length === 0) return;
  if (rows.contents.missing(chunks.map(({ hash }) => hash)).length > 0) throw new Refusal("missing-chunks");
}

function applyOne(edit: TreeEditor, entry: ChangeEntry, root: string): void {
  const { rows } = edit;
  if (entry.path === root) {
    applyRoot(edit, entry);
    return;
  }
  if (entry.kind === "delete") {
    const row = edit.rowAt(entry.path);
    if (row !== undefined) edit.remove(row.ino, placeOf(edit, entry.path)!);
    return;
  }
  const place = placeOf(edit, entry.path) ?? makeParents(edit, entry.path, entry.mtime);
  const there = rows.dirent(place.parent, place.name);
  const times = { mtime: entry.mtime, mtimeNs: entry.mtimeNs ?? 0 };
  const mode = entry.mode & 0o7777;
  if (entry.kind === "file") {
    applyFile(edit, entry, place, there);
    return;
  }
  const target = entry.kind === "symlink" ? entry.target : undefined;
  if (there?.kind === entry.kind && there.target === target) {
    if (entry.kind === "dir" && entry.fresh) clear(edit, there);
    const now = rows.inode(there.ino)!;
    if (!sameStamp(now, mode, times)) edit.change({ ...now, mode, ...times }, now);
    return;
  }
  if (there !== undefined) edit.remove(there.ino, place);
  const size = target === undefined ? 0 : new TextEncoder().encode(target).length;
  edit.add(place, { kind: entry.kind, mode, ...times, target }, size);
}

/** The root of a sync stays; an entry can empty it and stamp it. */
function applyRoot(edit: TreeEditor, entry: ChangeEntry): void {
  if (entry.kind !== "dir") throw new Refusal("bad-entry");
  const there = edit.rowAt(entry.path);
  if (there === undefined) {
    const place = placeOf(edit, entry.path) ?? makeParents(edit, entry.path, entry.mtime);
    edit.add(
      place,
      { kind: "dir", mode: entry.mode & 0o7777, mtime: entry.mtime, mtimeNs: entry.mtimeNs ?? 0, target: undefined },
      0,
    );
    return;
  }
  if (there.kind !== "dir") throw new Refusal("bad-entry");
  if (entry.fresh) clear(edit, there);
}

function applyFile(
  edit: TreeEditor,
  entry: ChangeEntry & { kind: "file" },
  place: Place,
  found: InodeRow | undefined,
): void {
  const { rows } = edit;
  let there = found;
  const mode = entry.mode & 0o7777;
  const times = { mtime: entry.mtime, mtimeNs: entry.mtimeNs ?? 0 };
  const from = entry.data === undefined ? { chunks: entry.chunks } : { chunks: [], data: entry.data };
  const twin = entry.sameAs === undefined ? undefined : edit.rowAt(entry.sameAs);
  if (twin?.kind === "file" && twin.ino !== there?.ino) {
    if (there !== undefined) edit.remove(there.ino, place);
    edit.addName(rows.inode(twin.ino)!, place);
    there = rows.inode(twin.ino);
  } else if (there !== undefined && (there.kind !== "file" || (there.nlink > 1 && entry.links === undefined))) {
    edit.remove(there.ino, place);
    there = undefined;
  }
  if (there === undefined) {
    const spec = { kind: "file" as const, mode, ...times, target: undefined };
    edit.add(place, spec, entry.size, (row) => rows.contents.adopt(row, entry.size, from));
    return;
  }
  const same = sameContents(rows, there, entry);
  if (same && sameStamp(there, mode, times)) return;
  const patch = same ? undefined : rows.contents.adopt(there, entry.size, from);
  edit.change({ ...there, mode, ...times, size: entry.size }, there, patch);
}

function sameStamp(row: InodeRow, mode: number, times: { mtime: number; mtimeNs: number }): boolean {
  return row.mode === mode && row.mtime === times.mtime && row.mtimeNs === times.mtimeNs;
}

function clear(edit: TreeEditor, directory: InodeRow): void {
  const { rows } = edit;
  for (;;) {
    const [child] = rows.list(directory.ino, undefined, 1);
    if (child === undefined) return;
    edit.remove(child.row.ino, { parent: directory.ino, name: child.name });
  }
}
