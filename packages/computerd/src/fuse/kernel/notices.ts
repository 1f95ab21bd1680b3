/** What the kernel is told after a change from outside: which inodes and names it must look at anew. */

import type { Ino, Touched } from "@cloudflare/dofs";
import { encodeName } from "./name-bytes.ts";
import type { NodeTable } from "./node-table.ts";
import { NOTICES, NotifyInvalEntry, NotifyInvalInode, OUT_BODY, OutHeader } from "./protocol.ts";

/** The notices of changes, for what the kernel knows; nothing else needs any. */
export function noticesOf(
  { inodes, places }: Touched,
  nodes: NodeTable,
): { ino: Ino | undefined; bytes: Uint8Array }[] {
  const notices: { ino: Ino | undefined; bytes: Uint8Array }[] = [];
  const told = new Set(inodes);
  for (const { parent } of places) told.add(parent);
  for (const { parent, name } of uniquePlaces(places)) {
    if (nodes.knows(parent)) notices.push({ ino: undefined, bytes: entryNotice(nodes.node(parent), name) });
  }
  for (const ino of told) if (nodes.knows(ino)) notices.push({ ino, bytes: inodeNotice(nodes.node(ino)) });
  return notices;
}

function uniquePlaces(places: Touched["places"]): Touched["places"] {
  return [...new Map(places.map((place) => [`${place.parent}/${place.name}`, place])).values()];
}

/** Attributes and all contents. */
function inodeNotice(node: number): Buffer {
  const notice = Buffer.alloc(OUT_BODY + NotifyInvalInode.BYTES);
  putHeader(notice, NOTICES.INVAL_INODE);
  notice.writeBigUInt64LE(BigInt(node), OUT_BODY + NotifyInvalInode.ino);
  return notice;
}

function entryNotice(parent: number, name: string): Buffer {
  const bytes = encodeName(name);
  const notice = Buffer.alloc(OUT_BODY + NotifyInvalEntry.BYTES + bytes.length + 1);
  putHeader(notice, NOTICES.INVAL_ENTRY);
  notice.writeBigUInt64LE(BigInt(parent), OUT_BODY + NotifyInvalEntry.parent);
  notice.writeUInt32LE(bytes.length, OUT_BODY + NotifyInvalEntry.namelen);
  notice.set(bytes, OUT_BODY + NotifyInvalEntry.BYTES);
  return notice;
}

function putHeader(notice: Buffer, kind: number): void {
  notice.writeUInt32LE(notice.length, OutHeader.len);
  notice.writeInt32LE(kind, OutHeader.error);
}
