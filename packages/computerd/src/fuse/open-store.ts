/** The store that a driver keeps and shows. */

import { createHash } from "node:crypto";
import { type Attr, FsError, type Ino, MemoryStore, type MemoryStoreOptions, ROOT_INO } from "@cloudflare/dofs";

/** An empty store in memory with the directory `root` in it, and that directory's inode. */
export function openStore(
  root: string,
  options: Omit<MemoryStoreOptions, "sha256"> = {},
): { store: MemoryStore; root: Ino } {
  const store = new MemoryStore({ ...options, sha256: (bytes) => createHash("sha256").update(bytes).digest() });
  let directory: Pick<Attr, "ino" | "kind"> = { ino: ROOT_INO, kind: "dir" };
  for (const name of root.split("/")) {
    if (name === "") continue;
    directory = store.lookup(directory.ino, name) ?? store.create(directory.ino, name, { kind: "dir", mode: 0o755 });
  }
  if (directory.kind !== "dir") throw new FsError("ENOTDIR", { path: root });
  return { store, root: directory.ino };
}
