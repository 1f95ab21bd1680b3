/** Inodes of a store, as real files. */

import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import type { Attr, MemoryStore } from "@cloudflare/dofs";
import { kindOf } from "../fuse/file-mode.ts";
import { encodeName } from "../fuse/kernel/name-bytes.ts";

const PIECE = 1 << 20;

export class RealWriter {
  readonly #store: MemoryStore;
  readonly #root: string;
  readonly #mountPoint: string;

  constructor(store: MemoryStore, root: string, mountPoint: string) {
    this.#store = store;
    this.#root = root;
    this.#mountPoint = mountPoint;
  }

  remove(path: Buffer): void {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (stats.isDirectory()) rmSync(path, { recursive: true, force: true });
    else rmSync(path, { force: true });
  }

  /** Makes what is at a path like the inode; `known` says that it has shown this inode before. */
  write(path: Buffer, attr: Attr, known: boolean): void {
    let stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats !== undefined && kindOf(Number(stats.mode)) !== attr.kind) {
      this.remove(path);
      stats = undefined;
    }
    if (attr.kind === "dir") {
      if (stats !== undefined && !known) this.remove(path);
      if (stats === undefined || !known) mkdirSync(path);
      chmodSync(path, attr.mode);
    } else if (attr.kind === "symlink") {
      const target = this.#store.readlink(attr.ino);
      if (stats !== undefined && readlinkSync(path, "utf8") !== target) this.remove(path);
      if (stats === undefined || readlinkSync(path, "utf8") !== target) symlinkSync(target, path);
      this.times(path, attr);
    } else if (attr.kind === "file") {
      this.#file(path, attr, stats);
      chmodSync(path, attr.mode);
      this.times(path, attr);
    }
  }

  /** To a quarter of a microsecond: Node takes seconds in one number. */
  times(path: Buffer, { mtime, mtimeNs }: Attr): void {
    const seconds = mtime / 1000 + mtimeNs / 1e9;
    lutimesSync(path, seconds, seconds);
  }

  #file(path: Buffer, attr: Attr, stats: BigIntStats | undefined): void {
    const other = attr.nlink > 1 ? this.#otherName(path, attr) : undefined;
    if (other !== undefined) {
      const theirs = lstatSync(other, { bigint: true });
      if (stats?.ino !== theirs.ino) {
        this.remove(path);
        linkSync(other, path);
      }
    }
    // What has several names keeps its inode.
    if (other !== undefined || (stats !== undefined && attr.nlink > 1)) {
      this.#contents(path, attr);
      return;
    }
    // In one step, for whoever reads it meanwhile.
    const fresh = Buffer.concat([path.subarray(0, path.lastIndexOf("/") + 1), encodeName(`.computerd-${attr.ino}`)]);
    this.#contents(fresh, attr);
    renameSync(fresh, path);
  }

  #contents(path: Buffer, { ino, size }: Attr): void {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
    const file = openSync(path, flags, 0o600);
    try {
      for (let at = 0; at < size; at += PIECE) {
        const bytes = this.#store.read(ino, at, PIECE);
        if (!(bytes instanceof Uint8Array)) throw new Error("contents of a file are not here");
        for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done);
      }
    } finally {
      closeSync(file);
    }
  }

  /** Another name of the inode at which it is a real file. */
  #otherName(path: Buffer, attr: Attr): Buffer | undefined {
    for (const name of this.#store.paths(attr.ino)) {
      if (!name.startsWith(`${this.#root}/`)) continue;
      const real = Buffer.concat([Buffer.from(this.#mountPoint), encodeName(name.slice(this.#root.length))]);
      if (!real.equals(path) && lstatSync(real, { throwIfNoEntry: false })?.isFile() === true) return real;
    }
    return undefined;
  }
}
