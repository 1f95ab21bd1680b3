/** Operations on a store through the path API's verbs. */

import { chmod } from "../../src/filesystem/chmod.ts";
import { link, readlink, symlink } from "../../src/filesystem/links.ts";
import { mkdir } from "../../src/filesystem/mkdir.ts";
import { readdir } from "../../src/filesystem/readdir.ts";
import { rename } from "../../src/filesystem/rename.ts";
import { existing, resolve } from "../../src/filesystem/resolve.ts";
import { rm, rmdir, unlink } from "../../src/filesystem/rm.ts";
import { lstat, stat, type WorkspaceStatResult } from "../../src/filesystem/stat.ts";
import { writeFile } from "../../src/filesystem/write-file.ts";
import { isFsError } from "../../src/fs-error.ts";
import { type Attr, type Ino, type InodeStore, ROOT_INO } from "../../src/inode-store.ts";
import { content, type Operation } from "./operation.ts";
import { fingerprint, type Tree, type TreeNode } from "./tree.ts";

/** Does the operation; gives what came of it, the code of an error included. Paths are taken below `base`. */
export function runOnStore(store: InodeStore, operation: Operation, base = ""): string {
  try {
    return perform(store, operation, base);
  } catch (error) {
    if (isFsError(error)) return error.code;
    throw error;
  }
}

function perform(store: InodeStore, operation: Operation, base: string): string {
  const path = base + operation.path;
  const inode = () => existing(resolve(store, path));
  switch (operation.op) {
    case "write":
      writeFile(store, path, content(operation.size, operation.salt), { exclusive: operation.exclusive });
      return "ok";
    case "writeAt":
      store.write(writable(inode()), operation.offset, content(operation.size, operation.salt));
      return "ok";
    case "truncate":
      store.setattr(writable(inode()), { size: operation.size });
      return "ok";
    case "mkdir":
      mkdir(store, path);
      return "ok";
    case "mkdirp":
      return mkdir(store, path, { recursive: true })?.slice(base.length) ?? "nothing made";
    case "rename":
      rename(store, path, base + operation.to);
      return "ok";
    case "link":
      link(store, path, base + operation.to);
      return "ok";
    case "symlink":
      symlink(store, operation.target, path);
      return "ok";
    case "rm":
      rm(store, path, operation);
      return "ok";
    case "unlink":
      unlink(store, path);
      return "ok";
    case "rmdir":
      rmdir(store, path);
      return "ok";
    case "chmod":
      chmod(store, path, operation.mode);
      return "ok";
    case "utimes":
      store.setattr(inode().ino, { mtime: operation.mtime });
      return "ok";
    case "read":
      return readWhole(store, inode().ino);
    case "readdir":
      return readdir(store, path)
        .map((entry) => entry.name)
        .join(" ");
    case "stat":
      return described(stat(store, path));
    case "lstat":
      return described(lstat(store, path));
    case "readlink":
      return readlink(store, path);
  }
}

function writable(attr: Attr): Ino {
  return attr.ino;
}

function described({ mode, size, isFile, isDirectory }: WorkspaceStatResult): string {
  const kind = isFile ? "file" : isDirectory ? "dir" : "symlink";
  return `${kind} ${mode.toString(8)} ${size}`;
}

function readWhole(store: InodeStore, ino: Ino): string {
  const { size } = store.getattr(ino);
  const bytes = store.read(ino, 0, Math.max(1, size));
  return bytes instanceof Uint8Array ? fingerprint(bytes) : "absent";
}

/** The whole tree below a directory. */
export function treeOfStore(store: InodeStore, top: Ino = ROOT_INO): Tree {
  const tree: Tree = new Map();
  const firstNames = new Map<Ino, string>();
  const visit = (directory: Ino, prefix: string) => {
    for (const { name, attr } of store.readdir(directory, undefined, 10_000)) {
      const path = `${prefix}/${name}`;
      const node: TreeNode = { kind: attr.kind, mode: attr.mode, mtime: attr.mtime };
      if (attr.kind === "file") {
        node.content = readWhole(store, attr.ino);
        node.nlink = attr.nlink;
        const first = firstNames.get(attr.ino);
        if (first === undefined) firstNames.set(attr.ino, path);
        else node.sameAs = first;
      }
      if (attr.kind === "symlink") node.target = store.readlink(attr.ino);
      tree.set(path, node);
      if (attr.kind === "dir") visit(attr.ino, path);
    }
  };
  visit(top, "");
  return tree;
}
