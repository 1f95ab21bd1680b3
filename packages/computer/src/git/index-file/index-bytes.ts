/** Writes an index: version 2, or 3 where an entry needs it. */

import { Buffer } from "node:buffer";
import { bytesOfOid, OID_BYTES, sha1 } from "../objects/object-id.ts";
import { cacheTreeBytes } from "./cache-tree.ts";
import type { GitIndex } from "./git-index.ts";
import type { IndexEntry } from "./index-entry.ts";

const NAME_MAX = 0xfff;

export function indexBytes(index: GitIndex): Buffer {
  const { entries } = index;
  const version = entries.some(isExtended) ? 3 : 2;
  const header = Buffer.alloc(12);
  header.write("DIRC", 0, "latin1");
  header.writeUInt32BE(version, 4);
  header.writeUInt32BE(entries.length, 8);
  const parts = [header, ...entries.map(entryBytes)];
  if (index.trees.size > 0) {
    const trees = cacheTreeBytes(index.trees);
    const head = Buffer.from("TREE\0\0\0\0", "latin1");
    head.writeUInt32BE(trees.length, 4);
    parts.push(head, trees);
  }
  const body = Buffer.concat(parts);
  return Buffer.concat([body, sha1().update(body).digest()]);
}

function isExtended(entry: IndexEntry): boolean {
  return entry.skipWorktree || entry.intentToAdd;
}

function entryBytes(entry: IndexEntry): Buffer {
  const extended = isExtended(entry);
  const length = Buffer.byteLength(entry.path);
  const fixed = 40 + OID_BYTES + 2 + (extended ? 2 : 0);
  const bytes = Buffer.alloc(Math.floor((fixed + length + 8) / 8) * 8);
  const { stamp } = entry;
  const numbers = [
    ...[stamp.ctime, stamp.ctimeNs, stamp.mtime, stamp.mtimeNs, stamp.dev, stamp.ino],
    ...[entry.mode, stamp.uid, stamp.gid, stamp.size],
  ];
  for (const [i, number] of numbers.entries()) bytes.writeUInt32BE(number, i * 4);
  bytesOfOid(entry.oid).copy(bytes, 40);
  const flags =
    (entry.assumeValid ? 0x8000 : 0) | (extended ? 0x4000 : 0) | (entry.stage << 12) | Math.min(length, NAME_MAX);
  bytes.writeUInt16BE(flags, 40 + OID_BYTES);
  if (extended) {
    bytes.writeUInt16BE((entry.skipWorktree ? 0x4000 : 0) | (entry.intentToAdd ? 0x2000 : 0), 40 + OID_BYTES + 2);
  }
  bytes.write(entry.path, fixed, "utf8");
  return bytes;
}
