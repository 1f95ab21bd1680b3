/** Attributes of an inode as the kernel takes them. */

import type { Attr, MemoryStore } from "@cloudflare/dofs";
import { modeOf } from "../file-mode.ts";
import type { Frame } from "./frame.ts";
import { Attributes, AttrOut, EntryOut } from "./protocol.ts";

/** The kernel may keep what it knows until it is told otherwise: in seconds, some thirty years. */
export const FOREVER = 1_000_000_000;

const SECTOR = 512;
/** What a directory is said to take, as on a disk: programs take one without a size for one that cannot be read. */
const BLOCK = 4096;
/** What programs are advised to read and write at a time, in bytes. */
const ADVISED_BYTES = 65_536;
/** The same for directories, which the C library reads in pieces of this size: more names in one request. */
const ADVISED_LISTING_BYTES = 131_072;

export function putAttributes(frame: Frame, at: number, attr: Attr, store: MemoryStore): void {
  const isDirectory = attr.kind === "dir";
  const taken = isDirectory ? BLOCK : attr.kind === "file" ? Math.ceil(store.allocated(attr.ino) / BLOCK) * BLOCK : 0;
  frame.putU64(at + Attributes.ino, attr.ino);
  frame.putU64(at + Attributes.size, isDirectory ? BLOCK : attr.size);
  frame.putU64(at + Attributes.blocks, taken / SECTOR);
  putTime(frame, at + Attributes.atime, at + Attributes.atimensec, attr.atime, attr.atimeNs);
  putTime(frame, at + Attributes.mtime, at + Attributes.mtimensec, attr.mtime, attr.mtimeNs);
  putTime(frame, at + Attributes.ctime, at + Attributes.ctimensec, attr.ctime, attr.ctimeNs);
  frame.putU32(at + Attributes.mode, modeOf(attr));
  frame.putU32(at + Attributes.nlink, attr.nlink);
  frame.putU32(at + Attributes.uid, attr.uid);
  frame.putU32(at + Attributes.gid, attr.gid);
  frame.putU32(at + Attributes.rdev, attr.rdev);
  frame.putU32(at + Attributes.blksize, isDirectory ? ADVISED_LISTING_BYTES : ADVISED_BYTES);
  frame.putU32(at + Attributes.flags, 0);
}

export function putEntry(frame: Frame, at: number, node: number, attr: Attr, store: MemoryStore): void {
  frame.putU64(at + EntryOut.nodeid, node);
  frame.putU64(at + EntryOut.generation, 0);
  frame.putU64(at + EntryOut.entryValid, FOREVER);
  frame.putU64(at + EntryOut.attrValid, FOREVER);
  frame.putU32(at + EntryOut.entryValidNsec, 0);
  frame.putU32(at + EntryOut.attrValidNsec, 0);
  putAttributes(frame, at + EntryOut.attr, attr, store);
}

/** An entry that says there is nothing of that name, and may be kept. */
export function putNoEntry(frame: Frame, at: number): void {
  frame.clear(at, EntryOut.BYTES);
  frame.putU64(at + EntryOut.entryValid, FOREVER);
}

export function putAttrOut(frame: Frame, at: number, attr: Attr, store: MemoryStore): void {
  frame.putU64(at + AttrOut.attrValid, FOREVER);
  frame.putU32(at + AttrOut.attrValidNsec, 0);
  frame.putU32(at + AttrOut.dummy, 0);
  putAttributes(frame, at + AttrOut.attr, attr, store);
}

function putTime(frame: Frame, at: number, nanosecondsAt: number, ms: number, ns: number): void {
  const seconds = Math.floor(ms / 1000);
  frame.putU64(at, seconds);
  frame.putU32(nanosecondsAt, (ms - seconds * 1000) * 1_000_000 + ns);
}
