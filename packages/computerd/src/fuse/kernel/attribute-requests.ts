/** Requests about what inodes say of themselves, and about the whole. */

import type { Attr, AttrChange } from "@cloudflare/dofs";
import { dropSetIds, withoutSetIds } from "./file-requests.ts";
import { IN_BODY, OUT_BODY, SETATTR_VALID, SetattrIn, StatfsOut } from "./protocol.ts";
import type { Served } from "./served.ts";

const PERMISSIONS = 0o7777;
const BLOCK = 4096;
const NAME_BYTES = 255;

type Change = { -readonly [Key in keyof AttrChange]: AttrChange[Key] };

export function getattr(served: Served): void {
  served.attributes(served.store.getattr(served.ino));
}

export function setattr(served: Served): void {
  const { store, request, ino } = served;
  const valid = request.u32(IN_BODY + SetattrIn.valid);
  const has = (bit: number): boolean => (valid & bit) !== 0;
  const change: Change = {};
  if (has(SETATTR_VALID.MODE)) change.mode = request.u32(IN_BODY + SetattrIn.mode) & PERMISSIONS;
  if (has(SETATTR_VALID.UID)) change.uid = request.u32(IN_BODY + SetattrIn.uid);
  if (has(SETATTR_VALID.GID)) change.gid = request.u32(IN_BODY + SetattrIn.gid);
  if (has(SETATTR_VALID.ATIME)) {
    const time = has(SETATTR_VALID.ATIME_NOW) ? now() : timeAt(served, SetattrIn.atime, SetattrIn.atimensec);
    change.atime = time.ms;
    change.atimeNs = time.ns;
  }
  if (has(SETATTR_VALID.MTIME)) {
    const time = has(SETATTR_VALID.MTIME_NOW) ? now() : timeAt(served, SetattrIn.mtime, SetattrIn.mtimensec);
    setModified(change, time);
  }
  const before = store.getattr(ino);
  const newOwner = has(SETATTR_VALID.UID) || has(SETATTR_VALID.GID);
  if (has(SETATTR_VALID.KILL_SUIDGID) || newOwner) dropSetIds(served, ino);
  if (newOwner && before.kind !== "dir" && change.mode !== undefined) change.mode = withoutSetIds(change.mode);
  if (!has(SETATTR_VALID.SIZE)) {
    served.attributes(store.setattr(ino, change));
    return;
  }
  const size = request.u64(IN_BODY + SetattrIn.size);
  change.size = size;
  served.whenHere<Attr>(
    ino,
    () => {
      const { size: was } = store.getattr(ino);
      // The piece that is cut or made longer has to be here; asking for a byte of it says whether it is.
      const needed = Math.min(size, was);
      const piece = size === was || needed === 0 ? new Uint8Array(0) : store.read(ino, needed - 1, 1);
      // Emptying what is empty changes it, as make and others understand a file's time.
      if (size === was && change.mtime === undefined) setModified(change, now());
      return "absent" in piece ? piece : store.setattr(ino, change);
    },
    (attr, unique) => {
      served.attributes(attr, unique);
      served.changed(ino);
    },
  );
}

export function statfs(served: Served): void {
  const { reply, store } = served;
  const { totalBytes, freeBytes, inodes } = store.statfs();
  const free = Math.floor(freeBytes / BLOCK);
  reply.clear(OUT_BODY, StatfsOut.BYTES);
  reply.putU64(OUT_BODY + StatfsOut.blocks, Math.floor(totalBytes / BLOCK));
  reply.putU64(OUT_BODY + StatfsOut.bfree, free);
  reply.putU64(OUT_BODY + StatfsOut.bavail, free);
  // There is no table of inodes that could fill up before the bytes do.
  reply.putU64(OUT_BODY + StatfsOut.files, inodes + free);
  reply.putU64(OUT_BODY + StatfsOut.ffree, free);
  reply.putU32(OUT_BODY + StatfsOut.bsize, BLOCK);
  reply.putU32(OUT_BODY + StatfsOut.frsize, BLOCK);
  reply.putU32(OUT_BODY + StatfsOut.namelen, NAME_BYTES);
  served.done(StatfsOut.BYTES);
}

function setModified(change: Change, { ms, ns }: { ms: number; ns: number }): void {
  change.mtime = ms;
  change.mtimeNs = ns;
}

function timeAt({ request }: Served, seconds: number, nanoseconds: number): { ms: number; ns: number } {
  const ns = request.u32(IN_BODY + nanoseconds);
  return { ms: request.i64(IN_BODY + seconds) * 1000 + Math.floor(ns / 1_000_000), ns: ns % 1_000_000 };
}

function now(): { ms: number; ns: number } {
  const time = preciseNow();
  const ms = Math.floor(time);
  return { ms, ns: Math.floor((time - ms) * 1_000_000) };
}

/** Milliseconds since 1970, finer than `Date.now`: files that are made one after the other have times that say so. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}
