/** Packs as they are written: objects one after another, and the index that goes with them. */

import { Buffer } from "node:buffer";
import type { Hash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import { compareNames } from "@cloudflare/dofs";
import { bytesOfOid, type ObjectType, OID_BYTES, sha1 } from "./object-id.ts";
import type { GitObject } from "./pack-file.ts";

const KINDS: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };
/** Offsets from here on stand in a table of their own. */
const LARGE_OFFSET = 0x80000000;

/** An object of a pack as its index names it. */
export interface PackEntry {
  readonly oid: string;
  readonly offset: number;
  readonly crc: number;
}

export function packHeader(count: number): Buffer {
  const header = Buffer.alloc(12);
  header.write("PACK", 0, "latin1");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(count, 8);
  return header;
}

/** One object as it stands in a pack. */
export function packEntry({ type, data }: GitObject): Buffer {
  const head: number[] = [];
  let size = data.length;
  let byte = (KINDS[type] << 4) | (size & 15);
  size = Math.floor(size / 16);
  while (size > 0) {
    head.push(byte | 0x80);
    byte = size & 0x7f;
    size = Math.floor(size / 128);
  }
  head.push(byte);
  return Buffer.concat([Buffer.from(head), deflateSync(data)]);
}

/** Takes the pieces of a pack, of which the number of objects is known before, and says at the end what its index must say. */
export class PackWriter {
  readonly #hash: Hash = sha1();
  readonly #write: (piece: Uint8Array) => void;
  readonly entries: PackEntry[] = [];
  #offset = 0;

  constructor(count: number, write: (piece: Uint8Array) => void) {
    this.#write = write;
    this.#put(packHeader(count));
  }

  add(oid: string, entry: Uint8Array): void {
    this.entries.push({ oid, offset: this.#offset, crc: crc32(entry) });
    this.#put(entry);
  }

  /** Writes the end; the checksum that names the pack. */
  finish(): Buffer {
    const checksum = this.#hash.digest();
    this.#write(checksum);
    return checksum;
  }

  #put(piece: Uint8Array): void {
    this.#hash.update(piece);
    this.#offset += piece.length;
    this.#write(piece);
  }
}

/** An index of version 2 for these entries. */
export function packIndexBytes(entries: readonly PackEntry[], packChecksum: Uint8Array): Buffer {
  const sorted = entries.toSorted((a, b) => compareNames(a.oid, b.oid));
  const fanout = Buffer.alloc(1024);
  const names = Buffer.alloc(sorted.length * OID_BYTES);
  const crcs = Buffer.alloc(sorted.length * 4);
  const offsets = Buffer.alloc(sorted.length * 4);
  const large: number[] = [];
  let next = 0;
  for (const [i, { oid, offset, crc }] of sorted.entries()) {
    const name = bytesOfOid(oid);
    name.copy(names, i * OID_BYTES);
    crcs.writeUInt32BE(crc, i * 4);
    if (offset < LARGE_OFFSET) offsets.writeUInt32BE(offset, i * 4);
    else offsets.writeUInt32BE(LARGE_OFFSET + large.push(offset) - 1, i * 4);
    for (; next < name[0]!; next++) fanout.writeUInt32BE(i, next * 4);
  }
  for (; next < 256; next++) fanout.writeUInt32BE(sorted.length, next * 4);
  const far = Buffer.alloc(large.length * 8);
  for (const [i, offset] of large.entries()) far.writeBigUInt64BE(BigInt(offset), i * 8);
  const magic = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);
  const body = Buffer.concat([magic, fanout, names, crcs, offsets, far, packChecksum]);
  return Buffer.concat([body, sha1().update(body).digest()]);
}
