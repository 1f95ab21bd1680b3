/** The index of a pack: where in it each object begins. Small ones are read whole, of large ones the parts that are asked for. */

import type { Buffer } from "node:buffer";
import { UnsupportedError } from "../git-error.ts";
import { bytesOfOid, hexOf, OID_BYTES, viewOf } from "./object-id.ts";

const MAGIC = 0xff744f63;
const HEADER = 8;
const FANOUT = 1024;
const TRAILER = 2 * OID_BYTES;
/** An index up to this many bytes is read in one go. */
const WHOLE_BYTES = 2 * 1024 * 1024;

/** Reads bytes of the file from an offset. */
export type ReadRange = (offset: number, length: number) => Uint8Array;

export class PackIndex {
  /** How many objects the pack has. */
  readonly count: number;
  readonly #read: ReadRange;
  readonly #fanout: Buffer;
  readonly #buckets = new Map<number, Buffer>();

  constructor(read: ReadRange, size: number) {
    const first = viewOf(read(0, Math.min(size, size <= WHOLE_BYTES ? size : HEADER + FANOUT)));
    if (first.length < HEADER + FANOUT || first.readUInt32BE(0) !== MAGIC || first.readUInt32BE(4) !== 2) {
      throw new UnsupportedError("a pack index that is not of version 2");
    }
    this.#fanout = first.subarray(HEADER, HEADER + FANOUT);
    this.count = this.#fanout.readUInt32BE(FANOUT - 4);
    if (size < HEADER + FANOUT + this.count * 28 + TRAILER)
      throw new UnsupportedError("a pack index that is cut short");
    this.#read = first.length === size ? (offset, length) => first.subarray(offset, offset + length) : read;
  }

  /** Where an object begins in the pack; undefined where it is not in it. */
  offset(oid: string): number | undefined {
    const key = bytesOfOid(oid);
    const bucket = key[0]!;
    const [low, high] = this.#bounds(bucket);
    const names = this.#names(bucket, low, high);
    const at = search(names, key);
    if (at >= high - low || names.compare(key, 0, OID_BYTES, at * OID_BYTES, (at + 1) * OID_BYTES) !== 0)
      return undefined;
    return this.#offsetAt(low + at);
  }

  /** The names that begin with these hexadecimal digits, of which there are at least two. */
  withPrefix(prefix: string): string[] {
    const bucket = Number.parseInt(prefix.slice(0, 2), 16);
    const [low, high] = this.#bounds(bucket);
    const names = this.#names(bucket, low, high);
    const key = bytesOfOid(prefix.padEnd(2 * OID_BYTES, "0"));
    const found: string[] = [];
    for (let at = search(names, key); at < high - low; at++) {
      const oid = hexOf(names, at * OID_BYTES);
      if (!oid.startsWith(prefix)) break;
      found.push(oid);
    }
    return found;
  }

  /** Every name with its offset. */
  *all(): Generator<{ oid: string; offset: number }> {
    for (let bucket = 0; bucket < 256; bucket++) {
      const [low, high] = this.#bounds(bucket);
      const names = this.#names(bucket, low, high);
      for (let at = low; at < high; at++) {
        yield { oid: hexOf(names, (at - low) * OID_BYTES), offset: this.#offsetAt(at) };
      }
    }
  }

  #bounds(bucket: number): [number, number] {
    return [bucket === 0 ? 0 : this.#fanout.readUInt32BE((bucket - 1) * 4), this.#fanout.readUInt32BE(bucket * 4)];
  }

  #names(bucket: number, low: number, high: number): Buffer {
    const known = this.#buckets.get(bucket);
    if (known !== undefined) return known;
    const names = viewOf(this.#read(HEADER + FANOUT + low * OID_BYTES, (high - low) * OID_BYTES));
    this.#buckets.set(bucket, names);
    return names;
  }

  #offsetAt(at: number): number {
    const offsets = HEADER + FANOUT + this.count * (OID_BYTES + 4);
    const offset = viewOf(this.#read(offsets + at * 4, 4)).readUInt32BE(0);
    if (offset < 0x80000000) return offset;
    const large = offsets + this.count * 4 + (offset & 0x7fffffff) * 8;
    return Number(viewOf(this.#read(large, 8)).readBigUInt64BE(0));
  }
}

/** The first of the sorted names that is not below the key. */
function search(names: Buffer, key: Buffer): number {
  let low = 0;
  let high = names.length / OID_BYTES;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (names.compare(key, 0, OID_BYTES, middle * OID_BYTES, (middle + 1) * OID_BYTES) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
