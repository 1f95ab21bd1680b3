/** The two ways between paths and inodes, down by names and up by parents; no link is followed. */

import { type Attr, type Ino, type InodeStore, type NodeKind, ROOT_INO } from "../inode-store.ts";
import { join } from "./names.ts";
import type { InodeRow, Place, Rows } from "./rows.ts";

/** A path that leads to a row now, and the newest revision that placed one of the directories above it. */
export interface Reached {
  readonly path: string;
  readonly placed: number;
}

/** What an absolute path of a store leads to, a link itself and not its target; undefined where nothing is. */
export function attrAt(store: Pick<InodeStore, "getattr" | "lookup">, path: string): Attr | undefined {
  return down(store.getattr(ROOT_INO), path, (directory, name) => store.lookup(directory, name));
}

/** As {@link attrAt}, of rows. */
export function rowAt(rows: Rows, path: string): InodeRow | undefined {
  return down(rows.inode(ROOT_INO), path, (directory, name) => rows.dirent(directory, name));
}

/** Every way to a row, its first name first; none where it no longer hangs in the tree. */
export function reach(rows: Rows, row: InodeRow): Reached[] {
  const reached: Reached[] = [];
  for (const { parent, name } of placesOf(rows, row)) {
    const directory = directoryAbove(rows, parent);
    if (directory !== undefined) reached.push({ path: join(directory.path, name), placed: directory.placed });
  }
  return reached;
}

/** The places of all of a row's names. */
export function placesOf(rows: Rows, row: InodeRow): Place[] {
  return row.nlink > 1 && row.kind !== "dir" ? [row, ...rows.otherNames(row.ino)] : [row];
}

/** The path of a directory, and the newest revision that placed it or one above it; undefined where it hangs in nothing. */
export function directoryAbove(rows: Rows, ino: Ino): Reached | undefined {
  let path = "";
  let placed = 0;
  for (let next = ino; next !== ROOT_INO; ) {
    const row = rows.inode(next);
    if (row === undefined || row.parent === 0) return undefined;
    path = `/${row.name}${path}`;
    placed = Math.max(placed, row.placed);
    next = row.parent;
  }
  return { path: path === "" ? "/" : path, placed };
}

function down<Node extends { readonly ino: Ino; readonly kind: NodeKind }>(
  top: Node | undefined,
  path: string,
  child: (directory: Ino, name: string) => Node | undefined,
): Node | undefined {
  let node = top;
  for (const name of path.split("/")) {
    if (name === "" || node === undefined) continue;
    node = node.kind === "dir" ? child(node.ino, name) : undefined;
  }
  return node;
}
