/** The same operations on a real directory, through Node's fs. */

import * as fs from "node:fs";
import { join } from "node:path";
import { compareNames } from "../../src/store/names.ts";
import { content, type Operation } from "./operation.ts";
import { fingerprint, type Tree, type TreeNode } from "./tree.ts";

/** Does the operation below `root`; gives what came of it, the code of an error included. */
export function runOnLinux(root: string, operation: Operation): string {
  try {
    return perform(root, operation);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code;
  }
}

function perform(root: string, operation: Operation): string {
  const path = root + operation.path;
  switch (operation.op) {
    case "write":
      fs.writeFileSync(path, content(operation.size, operation.salt), {
        mode: 0o644,
        flag: operation.exclusive ? "wx" : "w",
      });
      return "ok";
    case "writeAt":
      return opened(path, "r+", (file) => {
        fs.writeSync(file, content(operation.size, operation.salt), 0, operation.size, operation.offset);
        return "ok";
      });
    case "truncate":
      fs.truncateSync(path, operation.size);
      return "ok";
    case "mkdir":
      fs.mkdirSync(path, 0o755);
      return "ok";
    case "mkdirp":
      return fs.mkdirSync(path, { recursive: true, mode: 0o755 })?.slice(root.length) ?? "nothing made";
    case "rename":
      fs.renameSync(path, root + operation.to);
      return "ok";
    case "link":
      fs.linkSync(path, root + operation.to);
      return "ok";
    case "symlink":
      fs.symlinkSync(operation.target, path);
      return "ok";
    case "rm":
      return remove(path, operation.recursive, operation.force);
    case "unlink":
      fs.unlinkSync(path);
      return "ok";
    case "rmdir":
      fs.rmdirSync(path);
      return "ok";
    case "chmod":
      fs.chmodSync(path, operation.mode);
      return "ok";
    case "utimes":
      fs.utimesSync(path, operation.mtime / 1000, operation.mtime / 1000);
      return "ok";
    case "read":
      return fingerprint(fs.readFileSync(path));
    case "readdir":
      return fs.readdirSync(path).sort(compareNames).join(" ");
    case "stat":
      return described(fs.statSync(path));
    case "lstat":
      return described(fs.lstatSync(path));
    case "readlink":
      return fs.readlinkSync(path);
  }
}

function remove(path: string, recursive: boolean, force: boolean): string {
  let stat: fs.Stats;
  try {
    stat = fs.lstatSync(path);
  } catch (error) {
    if (force && (error as NodeJS.ErrnoException).code === "ENOENT") return "ok";
    throw error;
  }
  if (!stat.isDirectory()) fs.unlinkSync(path);
  else if (recursive) fs.rmSync(path, { recursive: true });
  else fs.rmdirSync(path);
  return "ok";
}

function opened(path: string, flags: string, use: (file: number) => string): string {
  const file = fs.openSync(path, flags);
  try {
    return use(file);
  } finally {
    fs.closeSync(file);
  }
}

function described(stat: fs.Stats): string {
  const kind = stat.isFile() ? "file" : stat.isDirectory() ? "dir" : "symlink";
  return `${kind} ${(stat.mode & 0o7777).toString(8)} ${stat.isDirectory() ? 0 : stat.size}`;
}

/** The whole tree below a directory. */
export function treeOfLinux(root: string): Tree {
  const tree: Tree = new Map();
  const firstNames = new Map<number, string>();
  const visit = (directory: string) => {
    for (const name of fs.readdirSync(root + directory).sort(compareNames)) {
      const path = join(directory, name);
      const stat = fs.lstatSync(root + path);
      const kind = stat.isFile() ? "file" : stat.isDirectory() ? "dir" : "symlink";
      const node: TreeNode = { kind, mode: stat.mode & 0o7777 };
      if (kind === "file") {
        node.content = fingerprint(fs.readFileSync(root + path));
        node.nlink = stat.nlink;
        const first = firstNames.get(stat.ino);
        if (first === undefined) firstNames.set(stat.ino, path);
        else node.sameAs = first;
      }
      if (kind === "symlink") node.target = fs.readlinkSync(root + path);
      tree.set(path, node);
      if (kind === "dir") visit(path);
    }
  };
  visit("/");
  return tree;
}
