/** Requests about names: looked up, made, moved, removed and listed. */

import { type Attr, FsError, type Ino } from "@cloudflare/dofs";
import { kindOf, modeOf } from "../file-mode.ts";
import { putEntry, putNoEntry } from "./attributes.ts";
import { decodeName, encodeName } from "./name-bytes.ts";
import {
  CreateIn,
  Dirent,
  DirentPlus,
  EntryOut,
  IN_BODY,
  InHeader,
  LinkIn,
  MkdirIn,
  MknodIn,
  OpenOut,
  OUT_BODY,
  RENAME_FLAGS,
  ReadIn,
  Rename2In,
  RenameIn,
} from "./protocol.ts";
import type { Served } from "./served.ts";

const PERMISSIONS = 0o7777;
const SET_GROUP = 0o2000;
const TYPE_SHIFT = 12;
/** `.` and `..` come first; the entries' own numbers follow. */
const DOTS = 2;

/** The text that starts `at` bytes into the body and ends with a NUL. */
function nameAt({ request }: Served, at: number): string {
  const start = IN_BODY + at;
  return decodeName(request.bytes, start, request.bytes.indexOf(0, start));
}

/** A name in the directory that the request is about. */
function ownName(served: Served, at: number): string {
  const name = nameAt(served, at);
  // The kernel resolves these itself; nothing has such a name.
  if (name === "." || name === "..") throw new FsError("EINVAL");
  return name;
}

export function lookup(served: Served): void {
  const found = served.store.lookup(served.ino, nameAt(served, 0));
  if (found === undefined) {
    putNoEntry(served.reply, OUT_BODY);
    served.done(EntryOut.BYTES);
  } else served.entry(found);
}

export function mknod(served: Served): void {
  const mode = served.request.u32(IN_BODY + MknodIn.mode);
  make(served, ownName(served, MknodIn.BYTES), mode, { rdev: served.request.u32(IN_BODY + MknodIn.rdev) });
}

export function mkdir(served: Served): void {
  const mode = served.request.u32(IN_BODY + MkdirIn.mode);
  make(served, ownName(served, MkdirIn.BYTES), (mode & PERMISSIONS) | modeOf({ kind: "dir", mode: 0 }), {});
}

export function symlink(served: Served): void {
  const name = ownName(served, 0);
  const target = nameAt(served, served.request.bytes.indexOf(0, IN_BODY) + 1 - IN_BODY);
  make(served, name, modeOf({ kind: "symlink", mode: 0o777 }), { target });
}

function make(served: Served, name: string, mode: number, more: { rdev?: number; target?: string }): void {
  served.entry(
    served.store.create(served.ino, name, { kind: kindOf(mode), ...more, ...ownership(served, served.ino, mode) }),
  );
}

/** Who a new inode belongs to; in a directory with the set-group bit that is the directory's group. */
function ownership({ store, request }: Served, parent: Ino, mode: number): { uid: number; gid: number; mode: number } {
  const directory = store.getattr(parent);
  const inherits = (directory.mode & SET_GROUP) !== 0;
  const isDirectory = kindOf(mode) === "dir";
  return {
    uid: request.u32(InHeader.uid),
    gid: inherits ? directory.gid : request.u32(InHeader.gid),
    mode: (mode & PERMISSIONS) | (inherits && isDirectory ? SET_GROUP : 0),
  };
}

/** A file without a name, open from the start. */
export function tmpfile(served: Served): void {
  const { store, request, reply } = served;
  const parent = served.ino;
  const mode = request.u32(IN_BODY + CreateIn.mode);
  const { mtime, mtimeNs } = store.getattr(parent);
  const attr = store.transaction(() => {
    let name = ".tmpfile";
    while (store.lookup(parent, name) !== undefined) name += "_";
    const made = store.create(parent, name, { kind: "file", ...ownership(served, parent, mode) });
    store.hold(made.ino);
    store.unlink(parent, name);
    // Nothing that shows in the directory has changed.
    store.setattr(parent, { mtime, mtimeNs });
    return store.getattr(made.ino);
  });
  served.nodes.told(attr.ino);
  store.release(attr.ino);
  putEntry(reply, OUT_BODY, attr.ino, attr, store);
  reply.clear(OUT_BODY + EntryOut.BYTES, OpenOut.BYTES);
  served.done(EntryOut.BYTES + OpenOut.BYTES);
}

export function link(served: Served): void {
  const ino = served.nodes.ino(served.request.u64(IN_BODY + LinkIn.oldnodeid));
  served.entry(served.store.link(ino, served.ino, ownName(served, LinkIn.BYTES)));
}

export function unlink(served: Served): void {
  served.store.unlink(served.ino, nameAt(served, 0));
  served.done(0);
}

export function rmdir(served: Served): void {
  served.store.rmdir(served.ino, nameAt(served, 0));
  served.done(0);
}

export function rename(served: Served): void {
  move(served, RenameIn.BYTES, 0);
}

export function rename2(served: Served): void {
  move(served, Rename2In.BYTES, served.request.u32(IN_BODY + Rename2In.flags));
}

function move(served: Served, namesAt: number, flags: number): void {
  const { store, request } = served;
  if ((flags & ~(RENAME_FLAGS.NOREPLACE | RENAME_FLAGS.EXCHANGE)) !== 0) throw new FsError("EINVAL");
  const newParent = served.nodes.ino(request.u64(IN_BODY + RenameIn.newdir));
  const name = ownName(served, namesAt);
  const newName = ownName(served, request.bytes.indexOf(0, IN_BODY + namesAt) + 1 - IN_BODY);
  store.rename(served.ino, name, newParent, newName, {
    noReplace: (flags & RENAME_FLAGS.NOREPLACE) !== 0,
    exchange: (flags & RENAME_FLAGS.EXCHANGE) !== 0,
  });
  served.done(0);
}

export function readlink(served: Served): void {
  const target = encodeName(served.store.readlink(served.ino));
  served.reply.bytes.set(target, OUT_BODY);
  served.done(target.length);
}

export function readdir(served: Served): void {
  list(served, false);
}

/** A listing that tells the kernel of each entry as a lookup does. */
export function readdirplus(served: Served): void {
  list(served, true);
}

function list(served: Served, plus: boolean): void {
  const { store, request, ino } = served;
  const room = OUT_BODY + request.u32(IN_BODY + ReadIn.size);
  const offset = request.u64(IN_BODY + ReadIn.offset);
  let end = OUT_BODY;
  const put = (name: string, attr: Attr, next: number): boolean => {
    const known = plus && next > DOTS;
    const written = putDirent(served, end, room, plus, known, name, attr, next);
    if (written === 0) return false;
    if (known) served.nodes.told(attr.ino);
    end += written;
    return true;
  };
  let fits = true;
  if (offset < 1) fits = put(".", store.getattr(ino), 1);
  if (fits && offset < DOTS) {
    fits = put("..", store.getattr(ino === served.root ? ino : store.parent(ino) || ino), DOTS);
  }
  if (fits) store.scan(ino, Math.max(0, offset - DOTS), (name, attr, number) => put(name, attr, number + DOTS));
  served.done(end - OUT_BODY);
}

/** Writes an entry where it fits and gives its length, 0 where it does not. */
function putDirent(
  { store, reply, nodes }: Served,
  at: number,
  room: number,
  plus: boolean,
  known: boolean,
  name: string,
  attr: Attr,
  next: number,
): number {
  const head = plus ? DirentPlus.BYTES : Dirent.BYTES;
  // The worst case is looked at first, so that nothing is written beyond the room.
  if (at + head + name.length > room) return 0;
  const isAscii = reply.bytes.write(name, at + head, "utf8") === name.length;
  let length = name.length;
  if (!isAscii) {
    const bytes = encodeName(name);
    length = bytes.length;
    if (at + head + length > room) return 0;
    reply.bytes.set(bytes, at + head);
  }
  const padded = (head + length + 7) & ~7;
  if (at + padded > room) return 0;
  reply.bytes.fill(0, at + head + length, at + padded);
  if (known) putEntry(reply, at + DirentPlus.entryOut, nodes.node(attr.ino), attr, store);
  else if (plus) reply.clear(at + DirentPlus.entryOut, EntryOut.BYTES);
  const dirent = plus ? at + DirentPlus.dirent : at;
  reply.putU64(dirent + Dirent.ino, attr.ino);
  reply.putU64(dirent + Dirent.off, next);
  reply.putU32(dirent + Dirent.namelen, length);
  reply.putU32(dirent + Dirent.type, modeOf(attr) >> TYPE_SHIFT);
  return padded;
}
