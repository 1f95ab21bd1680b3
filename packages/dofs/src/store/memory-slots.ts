/** The slots of one chunk each that a file in memory is made of, and what is read from and written to them. */

import { CHUNK_BYTES } from "./chunks.ts";

/** Bytes nobody changes any more. Without bytes they are known by hash only; without a hash they belong to a snapshot. */
export interface SharedChunk {
  readonly key: string | undefined;
  readonly hash: Uint8Array | undefined;
  bytes: Uint8Array | undefined;
  refs: number;
}

/** A chunk of one file, as long as it is written to. Bytes beyond `length` and absent slots read as zeros. */
export interface OwnSlot {
  own: Uint8Array;
  length: number;
}

export type Slot = OwnSlot | { shared: SharedChunk };

export type Slots = (Slot | undefined)[];

/** The hashes of the chunks in a range whose bytes are not here. With `size`, chunks that the range covers whole do not count. */
export function missingIn(slots: Slots, offset: number, length: number, size?: number): Uint8Array[] {
  const absent: Uint8Array[] = [];
  if (length === 0) return absent;
  const last = Math.floor((offset + length - 1) / CHUNK_BYTES);
  for (let index = Math.floor(offset / CHUNK_BYTES); index <= last; index++) {
    const slot = slots[index];
    if (slot === undefined || !("shared" in slot) || slot.shared.bytes !== undefined) continue;
    const start = index * CHUNK_BYTES;
    const covered = size !== undefined && offset <= start && offset + length >= Math.min(start + CHUNK_BYTES, size);
    if (!covered) absent.push(slot.shared.hash!);
  }
  return absent;
}

/** The last chunk where something beyond it would make it longer and its bytes are not here: its hash would no longer be its own. */
export function absentTail(slots: Slots, size: number, beyond: number): Uint8Array[] {
  if (beyond <= size || size % CHUNK_BYTES === 0) return [];
  return missingIn(slots, size - 1, 1);
}

export function copyOut(slots: Slots, offset: number, length: number): Uint8Array {
  const out = new Uint8Array(length);
  copyInto(slots, offset, length, out, 0, true);
  return out;
}

/** Copies a range to a place in `out`; what reads as zeros is left alone where `out` is known to be `blank`. */
export function copyInto(
  slots: Slots,
  offset: number,
  length: number,
  out: Uint8Array,
  at: number,
  blank: boolean,
): void {
  for (let done = 0; done < length; ) {
    const index = Math.floor((offset + done) / CHUNK_BYTES);
    const start = (offset + done) % CHUNK_BYTES;
    const part = Math.min(CHUNK_BYTES - start, length - done);
    const slot = slots[index];
    const bytes = slot === undefined ? undefined : "own" in slot ? slot.own : slot.shared.bytes;
    const known = slot === undefined ? 0 : "own" in slot ? slot.length : (bytes?.length ?? 0);
    const here = Math.max(0, Math.min(known - start, part));
    if (here > 0) out.set(bytes!.subarray(start, start + here), at + done);
    if (!blank && here < part) out.fill(0, at + done + here, at + done + part);
    done += part;
  }
}

/** The bytes that slots take up, holes left out; a last chunk counts as far as it is written. */
export function allocatedBytes(slots: Slots): number {
  let bytes = 0;
  for (const slot of slots) {
    if (slot !== undefined) bytes += "own" in slot ? slot.length : (slot.shared.bytes?.length ?? CHUNK_BYTES);
  }
  return bytes;
}

/** The first offset from `offset` on, below `size`, that lies in data or in a hole; `size` where there is none. */
export function seekSlots(slots: Slots, offset: number, size: number, data: boolean): number {
  for (let at = offset; at < size; at = (Math.floor(at / CHUNK_BYTES) + 1) * CHUNK_BYTES) {
    if ((slots[Math.floor(at / CHUNK_BYTES)] !== undefined) === data) return at;
  }
  return size;
}

/** Writes into a slot, growing its buffer by doubling; what lies between its length and the write becomes zeros. */
export function putBytes(slot: OwnSlot, start: number, bytes: Uint8Array): void {
  const end = start + bytes.length;
  if (end > slot.own.length) {
    const grown = new Uint8Array(
      slot.own.length === 0 ? end : Math.min(CHUNK_BYTES, Math.max(end, slot.own.length * 2)),
    );
    grown.set(slot.own.subarray(0, slot.length));
    slot.own = grown;
  } else if (start > slot.length) {
    slot.own.fill(0, slot.length, start);
  }
  slot.own.set(bytes, start);
  slot.length = Math.max(slot.length, end);
}
