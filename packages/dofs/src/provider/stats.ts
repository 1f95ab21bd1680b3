/** `Stats` and `Dirent` as Node's `fs` gives them. */

import type { Attr, NodeKind } from "../inode-store.ts";

/** The type bits of a mode. */
const TYPE_BITS: Record<NodeKind, number> = {
  fifo: 0o010000,
  char: 0o020000,
  dir: 0o040000,
  block: 0o060000,
  file: 0o100000,
  symlink: 0o120000,
  socket: 0o140000,
};

const BLOCK_BYTES = 4_096;
const SECTOR_BYTES = 512;
const NS_PER_MS = 1_000_000;

interface FileTypes {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isBlockDevice(): boolean;
  isCharacterDevice(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
}

interface StatNumbers<N extends number | bigint> {
  dev: N;
  mode: N;
  nlink: N;
  uid: N;
  gid: N;
  rdev: N;
  blksize: N;
  ino: N;
  size: N;
  blocks: N;
  atimeMs: N;
  mtimeMs: N;
  ctimeMs: N;
  birthtimeMs: N;
}

interface StatDates {
  atime: Date;
  mtime: Date;
  ctime: Date;
  /** As `ctime`: the time of birth is not kept. */
  birthtime: Date;
}

export interface VirtualStatsLike extends StatNumbers<number>, StatDates, FileTypes {}

/** What `{ bigint: true }` asks for: integers, and the times in nanoseconds too. */
export interface VirtualBigIntStatsLike extends StatNumbers<bigint>, StatDates, FileTypes {
  atimeNs: bigint;
  mtimeNs: bigint;
  ctimeNs: bigint;
  birthtimeNs: bigint;
}

export interface VirtualDirentLike extends FileTypes {
  name: string;
  parentPath: string;
  /** As `parentPath`, as in Node. */
  path: string;
}

export interface StatOptions {
  bigint?: boolean | undefined;
}

/** The questions that both kinds of object answer, each by what the thing is; `undefined` is nothing. */
class Kind implements FileTypes {
  readonly #kind: NodeKind | undefined;

  constructor(kind: NodeKind | undefined) {
    this.#kind = kind;
  }

  isFile(): boolean {
    return this.#kind === "file";
  }
  isDirectory(): boolean {
    return this.#kind === "dir";
  }
  isSymbolicLink(): boolean {
    return this.#kind === "symlink";
  }
  isBlockDevice(): boolean {
    return this.#kind === "block";
  }
  isCharacterDevice(): boolean {
    return this.#kind === "char";
  }
  isFIFO(): boolean {
    return this.#kind === "fifo";
  }
  isSocket(): boolean {
    return this.#kind === "socket";
  }
}

/** A directory entry; `parentPath` is the directory's path as it was asked for. */
export function dirent(name: string, parentPath: string, kind: NodeKind): VirtualDirentLike {
  return Object.assign(new Kind(kind), { name, parentPath, path: parentPath });
}

/** An inode's attributes as `Stats`. */
export function stats(attr: Attr): VirtualStatsLike {
  const ctimeMs = milliseconds(attr.ctime, attr.ctimeNs);
  const ctime = new Date(attr.ctime);
  return Object.assign(new Kind(attr.kind), {
    dev: 0,
    mode: TYPE_BITS[attr.kind] | attr.mode,
    nlink: attr.nlink,
    uid: attr.uid,
    gid: attr.gid,
    rdev: attr.rdev,
    blksize: BLOCK_BYTES,
    ino: attr.ino,
    size: attr.size,
    blocks: Math.ceil(attr.size / SECTOR_BYTES),
    atimeMs: milliseconds(attr.atime, attr.atimeNs),
    mtimeMs: milliseconds(attr.mtime, attr.mtimeNs),
    ctimeMs,
    birthtimeMs: ctimeMs,
    atime: new Date(attr.atime),
    mtime: new Date(attr.mtime),
    ctime,
    birthtime: ctime,
  });
}

/** The same in integers, with the times to the nanosecond. */
export function bigIntStats(attr: Attr): VirtualBigIntStatsLike {
  const { atime, mtime, ctime, birthtime, ...rest } = stats(attr);
  const integers = integersOf(rest);
  const ctimeNs = nanoseconds(attr.ctime, attr.ctimeNs);
  return Object.assign(new Kind(attr.kind), integers, {
    ...{ atime, mtime, ctime, birthtime },
    atimeNs: nanoseconds(attr.atime, attr.atimeNs),
    mtimeNs: nanoseconds(attr.mtime, attr.mtimeNs),
    ctimeNs,
    birthtimeNs: ctimeNs,
  });
}

/** The `Stats` of nothing, all zeros, as `watchFile` gives them. */
export function noStats(): VirtualStatsLike {
  const zero = new Date(0);
  return Object.assign(new Kind(undefined), {
    ...{ dev: 0, mode: 0, nlink: 0, uid: 0, gid: 0, rdev: 0, blksize: 0, ino: 0, size: 0, blocks: 0 },
    ...{ atimeMs: 0, mtimeMs: 0, ctimeMs: 0, birthtimeMs: 0 },
    ...{ atime: zero, mtime: zero, ctime: zero, birthtime: zero },
  });
}

function integersOf(numbers: StatNumbers<number>): StatNumbers<bigint> {
  const integer = (key: keyof StatNumbers<number>) => BigInt(Math.trunc(numbers[key]));
  return {
    dev: integer("dev"),
    mode: integer("mode"),
    nlink: integer("nlink"),
    uid: integer("uid"),
    gid: integer("gid"),
    rdev: integer("rdev"),
    blksize: integer("blksize"),
    ino: integer("ino"),
    size: integer("size"),
    blocks: integer("blocks"),
    atimeMs: integer("atimeMs"),
    mtimeMs: integer("mtimeMs"),
    ctimeMs: integer("ctimeMs"),
    birthtimeMs: integer("birthtimeMs"),
  };
}

function milliseconds(ms: number, ns: number): number {
  return ms + ns / NS_PER_MS;
}

function nanoseconds(ms: number, ns: number): bigint {
  return BigInt(ms) * BigInt(NS_PER_MS) + BigInt(ns);
}
