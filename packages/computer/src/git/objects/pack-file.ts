/** A pack: objects read from where they begin, by ranges, however large the pack is. */

import type { Buffer } from "node:buffer";
import { applyDelta } from "./delta.ts";
import { compressedBound, inflate } from "./inflate.ts";
import { hexOf, type ObjectType, OID_BYTES } from "./object-id.ts";
import type { Windows } from "./windows.ts";

export interface GitObject {
  readonly type: ObjectType;
  readonly data: Uint8Array;
}

export const TYPES: Readonly<Record<number, ObjectType>> = { 1: "commit", 2: "tree", 3: "blob", 4: "tag" };
export const OFS_DELTA = 6;
export const REF_DELTA = 7;

/** What stands before the compressed bytes of an object. */
export interface EntryHeader {
  readonly kind: number;
  /** Bytes of what is compressed: of the object, or of the delta. */
  readonly size: number;
  /** Where the base of a delta begins, or its name. */
  readonly base: number | string | undefined;
  /** Bytes of this header. */
  readonly length: number;
}

/** The longest that a header can be. */
export const HEADER_MAX = 40;
/** Bases of deltas that are kept, in bytes. */
const BASES_BYTES = 4 * 1024 * 1024;

export function parseEntryHeader(bytes: Uint8Array, offset: number): EntryHeader {
  let at = 0;
  let byte = bytes[at++]!;
  const kind = (byte >> 4) & 7;
  let size = byte & 15;
  for (let shift = 4; byte & 0x80; shift += 7) {
    byte = bytes[at++]!;
    size += (byte & 0x7f) * 2 ** shift;
  }
  if (kind === OFS_DELTA) {
    byte = bytes[at++]!;
    let back = byte & 0x7f;
    while (byte & 0x80) {
      byte = bytes[at++]!;
      back = (back + 1) * 128 + (byte & 0x7f);
    }
    return { kind, size, base: offset - back, length: at };
  }
  if (kind === REF_DELTA) return { kind, size, base: hexOf(bytes, at), length: at + OID_BYTES };
  return { kind, size, base: undefined, length: at };
}

/** Where the objects of a pack begin. */
export interface PackOffsets {
  offset(oid: string): number | undefined;
}

export class PackFile<Index extends PackOffsets = PackOffsets> {
  readonly index: Index;
  readonly #windows: Windows;
  readonly #bases = new Map<number, GitObject>();
  #basesBytes = 0;

  constructor(index: Index, windows: Windows) {
    this.index = index;
    this.#windows = windows;
  }

  /** The object that begins at an offset; `outside` finds the base of a delta that is not in this pack. */
  read(offset: number, outside: (oid: string) => GitObject | undefined): GitObject {
    const chain: { delta: Buffer; offset: number }[] = [];
    let at = offset;
    let object: GitObject | undefined;
    while (object === undefined) {
      object = this.#bases.get(at);
      if (object !== undefined) break;
      const header = this.#header(at);
      const data = this.#inflated(at + header.length, header.size);
      const type = TYPES[header.kind];
      if (type !== undefined) object = { type, data };
      else {
        chain.push({ delta: data, offset: at });
        const base = typeof header.base === "string" ? this.index.offset(header.base) : header.base;
        if (base !== undefined) at = base;
        else object = outside(String(header.base));
        if (base === undefined && object === undefined)
          throw new Error(`the base ${header.base} of a delta is missing`);
      }
    }
    if (chain.length > 0) this.#keep(at, object);
    for (const { delta, offset: made } of chain.reverse()) {
      object = { type: object.type, data: applyDelta(object.data, delta) };
      this.#keep(made, object);
    }
    return object;
  }

  /** Lets go of what was read, but for the index. */
  clear(): void {
    this.#windows.clear();
    this.#bases.clear();
    this.#basesBytes = 0;
  }

  #header(offset: number): EntryHeader {
    return parseEntryHeader(this.#windows.read(offset, HEADER_MAX), offset);
  }

  #inflated(offset: number, size: number): Buffer {
    return inflate(this.#windows.read(offset, compressedBound(size)), size).data;
  }

  #keep(offset: number, object: GitObject): void {
    if (object.data.length > BASES_BYTES / 4 || this.#bases.has(offset)) return;
    this.#bases.set(offset, object);
    this.#basesBytes += object.data.length;
    for (const [old, { data }] of this.#bases) {
      if (this.#basesBytes <= BASES_BYTES) break;
      this.#bases.delete(old);
      this.#basesBytes -= data.length;
    }
  }
}
