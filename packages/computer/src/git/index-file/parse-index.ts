/** Reads an index of version 2, 3 or 4. */

import { Buffer } from "node:buffer";
import { UnsupportedError } from "../git-error.ts";
import { hexOf, OID_BYTES, viewOf } from "../objects/object-id.ts";
import { type CacheTree, parseCacheTree } from "./cache-tree.ts";
import { GitIndex, type IndexTime } from "./git-index.ts";
import type { IndexEntry } from "./index-entry.ts";

const FIXED = 40 + OID_BYTES + 2;
const EXTENDED = 0x4000;
const SKIP_WORKTREE = 0x4000;
const INTENT_TO_ADD = 0x2000;

/** `EUNSUPPORTED` for a version or a required extension that is not known here. */
export function parseIndex(data: Uint8Array, time: IndexTime): GitIndex {
  const bytes = viewOf(data);
  const version = bytes.length < 12 ? 0 : bytes.readUInt32BE(4);
  if (bytes.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) {
    throw new UnsupportedError(`an index of version ${version}`);
  }
  const entries: IndexEntry[] = [];
  let at = 12;
  let previous = Buffer.alloc(0);
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const start = at;
    const flags = bytes.readUInt16BE(start + 40 + OID_BYTES);
    const extended = flags & EXTENDED ? bytes.readUInt16BE(start + FIXED) : 0;
    at = start + FIXED + (flags & EXTENDED ? 2 : 0);
    let path: string;
    if (version === 4) {
      const [strip, next] = offsetNumber(bytes, at);
      const nul = bytes.indexOf(0, next);
      previous = Buffer.concat([previous.subarray(0, previous.length - strip), bytes.subarray(next, nul)]);
      path = previous.toString("utf8");
      at = nul + 1;
    } else {
      const nul = bytes.indexOf(0, at);
      path = bytes.toString("utf8", at, nul);
      at = start + Math.floor((nul - start + 8) / 8) * 8;
    }
    entries.push({
      path,
      mode: bytes.readUInt32BE(start + 24),
      oid: hexOf(bytes, start + 40),
      stage: (flags >> 12) & 3,
      stamp: {
        ctime: bytes.readUInt32BE(start),
        ctimeNs: bytes.readUInt32BE(start + 4),
        mtime: bytes.readUInt32BE(start + 8),
        mtimeNs: bytes.readUInt32BE(start + 12),
        dev: bytes.readUInt32BE(start + 16),
        ino: bytes.readUInt32BE(start + 20),
        uid: bytes.readUInt32BE(start + 28),
        gid: bytes.readUInt32BE(start + 32),
        size: bytes.readUInt32BE(start + 36),
      },
      assumeValid: (flags & 0x8000) !== 0,
      skipWorktree: (extended & SKIP_WORKTREE) !== 0,
      intentToAdd: (extended & INTENT_TO_ADD) !== 0,
    });
  }
  let trees: CacheTree = new Map();
  while (at < bytes.length - OID_BYTES) {
    const name = bytes.toString("latin1", at, at + 4);
    const size = bytes.readUInt32BE(at + 4);
    if (name === "TREE") trees = parseCacheTree(bytes.subarray(at + 8, at + 8 + size));
    else if (name === "link") throw new UnsupportedError("a split index");
    else if (name[0]! > "Z") throw new UnsupportedError(`an index with the extension ${JSON.stringify(name)}`);
    at += 8 + size;
  }
  return new GitIndex(entries, trees, time);
}

/** A number in the encoding of offsets in packs. */
function offsetNumber(bytes: Buffer, start: number): [number, number] {
  let at = start;
  let byte = bytes[at++]!;
  let value = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes[at++]!;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return [value, at];
}
