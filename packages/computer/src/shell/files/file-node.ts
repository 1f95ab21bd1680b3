/** What is told of a file, in the interpreter's words. */

import type { FsStat } from "just-bash";
import type { FileNode } from "./wire.ts";

/** What a `stat` gives. */
export function statOf(node: FileNode): FsStat {
  return {
    isFile: node.kind === "file",
    isDirectory: node.kind === "dir",
    isSymbolicLink: node.kind === "symlink",
    mode: node.mode,
    size: node.size,
    mtime: new Date(node.mtime),
    ino: node.ino,
    dev: 1,
  };
}

/** Nothing is there. */
export function nothing(path: string): FileNode {
  return { path, kind: null, ino: 0, mode: 0, size: 0, mtime: 0, nlink: 0 };
}
