/** Attributes and totals as fuse-native takes them. */

import type { Attr, StatFs } from "@cloudflare/dofs";
import { modeOf } from "./file-mode.ts";
import type { FuseStat, FuseStatFs } from "./fuse-native.ts";

const BLOCK = 4096;

export function statOf(attr: Attr): FuseStat {
  const { ino, nlink, uid, gid, rdev, size, atime, mtime, ctime } = attr;
  const blocks = attr.kind === "file" ? Math.ceil(size / 512) : 0;
  return { mode: modeOf(attr), ino, nlink, uid, gid, rdev, size, blksize: BLOCK, blocks, atime, mtime, ctime };
}

export function statFsOf({ totalBytes, freeBytes, inodes }: StatFs): FuseStatFs {
  const blocks = Math.floor(totalBytes / BLOCK);
  const free = Math.floor(freeBytes / BLOCK);
  // There is no table of inodes that could fill up before the bytes do.
  return {
    bsize: BLOCK,
    frsize: BLOCK,
    blocks,
    bfree: free,
    bavail: free,
    files: inodes + free,
    ffree: free,
    favail: free,
    namemax: 255,
  };
}
