/** Takes a pack that was received into a repository: names its objects, and writes the index that goes with it. */

import type { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import type { Stage } from "@cloudflare/dofs";
import { GitError } from "../git-error.ts";
import { applyDelta } from "../objects/delta.ts";
import { compressedBound, inflate } from "../objects/inflate.ts";
import { hexOf, type ObjectType, OID_BYTES, oidOf, sha1 } from "../objects/object-id.ts";
import { HEADER_MAX, parseEntryHeader, TYPES } from "../objects/pack-file.ts";
import { type PackEntry, packIndexBytes } from "../objects/pack-writer.ts";
import { Windows } from "../objects/windows.ts";
import type { Repository } from "../repository/repository.ts";

const HEADER_BYTES = 12;
const READ_ONLY = 0o444;
const HASHED_AT_ONCE = 1024 * 1024;

interface Delta {
  readonly offset: number;
  readonly start: number;
  readonly size: number;
  readonly crc: number;
}

/** Writes a received pack. `EPACK` where it is damaged, or needs an object that is not here. */
export function installPack(repository: Repository, received: Stage): void {
  const { files, objects } = repository;
  const directory = objects.packDirectory;
  const temporary = `${directory}/tmp_pack_received`;
  files.remove(temporary);
  const { ino, size } = files.write(temporary, received, READ_ONLY);
  const windows = new Windows((offset, length) => files.range(ino, offset, length), size);
  const checksum = checksumOf(windows);
  const count = windows.read(8, 4).readUInt32BE(0);
  if (windows.read(0, 4).toString("latin1") !== "PACK" || windows.read(4, 4).readUInt32BE(0) !== 2)
    throw damaged("it is no pack");
  if (count === 0) {
    files.remove(temporary);
    return;
  }
  const entries = new Indexer(windows, count, (oid) => objects.find(oid)).run();
  const path = `${directory}/pack-${checksum.toString("hex")}`;
  if (files.stat(`${path}.pack`) !== undefined) files.remove(temporary);
  else {
    files.rename(temporary, `${path}.pack`);
    files.write(`${path}.idx`, packIndexBytes(entries, checksum), READ_ONLY);
  }
  objects.packsChanged();
}

function checksumOf(windows: Windows): Buffer {
  const end = windows.size - OID_BYTES;
  if (end < HEADER_BYTES) throw damaged("it is cut short");
  const hash = sha1();
  for (let at = 0; at < end; at += HASHED_AT_ONCE) hash.update(windows.read(at, Math.min(HASHED_AT_ONCE, end - at)));
  const checksum = hash.digest();
  if (hexOf(windows.read(end, OID_BYTES)) !== checksum.toString("hex")) throw damaged("its checksum is wrong");
  return checksum;
}

class Indexer {
  readonly #windows: Windows;
  readonly #count: number;
  readonly #outside: (oid: string) => { type: ObjectType; data: Uint8Array } | undefined;
  readonly #entries: PackEntry[] = [];
  readonly #bases = new Map<number, { type: ObjectType; start: number; size: number; oid: string }>();
  readonly #byOffset = new Map<number, Delta[]>();
  readonly #byName = new Map<string, Delta[]>();

  constructor(
    windows: Windows,
    count: number,
    outside: (oid: string) => { type: ObjectType; data: Uint8Array } | undefined,
  ) {
    this.#windows = windows;
    this.#count = count;
    this.#outside = outside;
  }

  run(): PackEntry[] {
    let at = HEADER_BYTES;
    for (let i = 0; i < this.#count; i++) at = this.#scan(at);
    for (const [offset, { type, start, size, oid }] of this.#bases) {
      if (!this.#byOffset.has(offset) && !this.#byName.has(oid)) continue;
      this.#resolve(offset, oid, { type, data: this.#inflated(start, size) });
    }
    for (const oid of [...this.#byName.keys()]) {
      const base = this.#outside(oid);
      if (base !== undefined) this.#resolve(-1, oid, base);
    }
    if (this.#entries.length !== this.#count) throw damaged("a delta in it has no base");
    return this.#entries;
  }

  /** Looks at one object; where the next one begins. */
  #scan(offset: number): number {
    const header = parseEntryHeader(this.#windows.read(offset, HEADER_MAX), offset);
    const start = offset + header.length;
    let taken: number;
    let data: Uint8Array;
    try {
      ({ taken, data } = inflate(this.#windows.read(start, compressedBound(header.size)), header.size));
    } catch (error) {
      throw damaged(`an object cannot be inflated (${error instanceof Error ? error.message : error})`);
    }
    const end = start + taken;
    const crc = crc32(this.#windows.read(offset, end - offset));
    const type = TYPES[header.kind];
    if (type !== undefined) {
      const oid = oidOf(type, data);
      this.#bases.set(offset, { type, start, size: header.size, oid });
      this.#entries.push({ oid, offset, crc });
    } else {
      const delta = { offset, start, size: header.size, crc };
      if (typeof header.base === "number") push(this.#byOffset, header.base, delta);
      else if (header.base !== undefined) push(this.#byName, header.base, delta);
      else throw damaged(`an object has the unknown type ${header.kind}`);
    }
    return end;
  }

  /** Makes all that is told as a difference from an object, and what is told as one from that. */
  #resolve(offset: number, oid: string, base: { type: ObjectType; data: Uint8Array }): void {
    const open = [{ offset, oid, ...base }];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const deltas = [...(this.#byOffset.get(at.offset) ?? []), ...(this.#byName.get(at.oid) ?? [])];
      this.#byOffset.delete(at.offset);
      this.#byName.delete(at.oid);
      for (const { offset: made, start, size, crc } of deltas) {
        const data = applyDelta(at.data, this.#inflated(start, size));
        const name = oidOf(at.type, data);
        this.#entries.push({ oid: name, offset: made, crc });
        if (this.#byOffset.has(made) || this.#byName.has(name))
          open.push({ offset: made, oid: name, type: at.type, data });
      }
    }
  }

  #inflated(start: number, size: number): Uint8Array {
    return inflate(this.#windows.read(start, compressedBound(size)), size).data;
  }
}

function push<K>(map: Map<K, Delta[]>, key: K, delta: Delta): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [delta]);
  else known.push(delta);
}

function damaged(why: string): GitError {
  return new GitError("EPACK", `the pack that was received is damaged: ${why}`);
}
