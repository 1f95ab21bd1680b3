/** Where a path's last name stands, for entries that come with whole paths. */

import { ROOT_INO } from "../inode-store.ts";
import type { Place } from "./rows.ts";
import type { TreeEditor } from "./tree-editor.ts";

const DIRECTORY_MODE = 0o755;

/** The place a path names; undefined where a directory on the way is missing or is something else. */
export function placeOf(edit: TreeEditor, path: string): Place | undefined {
  const cut = path.lastIndexOf("/");
  const parent = edit.rowAt(path.slice(0, cut));
  return parent?.kind === "dir" ? { parent: parent.ino, name: path.slice(cut + 1) } : undefined;
}

/** Makes the directories that lead to a path, in place of what is there and is none. */
export function makeParents(edit: TreeEditor, path: string, mtime: number): Place {
  const names = path.slice(1).split("/");
  const last = names.pop()!;
  let at = ROOT_INO;
  for (const name of names) {
    const there = edit.rows.dirent(at, name);
    if (there?.kind === "dir") {
      at = there.ino;
      continue;
    }
    const place = { parent: at, name };
    if (there !== undefined) edit.remove(there.ino, place);
    at = edit.add(place, { kind: "dir", mode: DIRECTORY_MODE, mtime, mtimeNs: 0, target: undefined }, 0).ino;
  }
  return { parent: at, name: last };
}
