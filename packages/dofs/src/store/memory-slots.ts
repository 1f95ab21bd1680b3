/** The slots of one chunk each that a file in memory is made of, and what is read from them. */

import { CHUNK_BYTES } from "./chunks.ts";
import type { Piece, Pieces } from "./memory-pieces.ts";

/** Bytes nobody changes any more. Without a piece they are known by hash only; without a hash they belong to a snapshot. */
export interface SharedChunk {
  readonly key: string | undefined;
  readonly hash: Uint8Array | undefined;
  piece: Piece | undefined;
  /** How many slots, pins and snapshots have it. */
  refs: number;
}

/** A piece is the file's own, as long as it is written to. Bytes beyond its length and absent slots read as zeros. */
export type Slot = Piece | SharedChunk;

export type Slots = (Slot | undefined)[];

export function isShared(slot: Slot): slot is SharedChunk {
  return "refs" in slot;
}

/** A slot's bytes; undefined for a hole, and for what is not here. */
export function pieceOf(slot: Slot | undefined): Piece | undefined {
  return slot === undefined || !isShared(slot) ? slot : slot.piece;
}

/** The hashes of the chunks in a range whose bytes are not here. With `size`, chunks that the range covers whole do not count. */
export function missingIn(slots: Slots, offset: number, length: number, size?: number): Uint8Array[] {
  const absent: Uint8Array[] = [];
  if (length === 0) return absent;
  const last = Math.floor((offset + length - 1) / CHUNK_BYTES);
  for (let index = Math.floor(offset / CHUNK_BYTES); index <= last; index++) {
    const slot = slots[index];
    if (slot === undefined || !isShared(slot) || slot.piece !== undefined) continue;
    const start = index * CHUNK_BYTES;
    const covered = size !== undefined && offset <= start && offset + length >= Math.min(start + CHUNK_BYTES, size);
    if (!covered) absent.push(slot.hash!);
  }
  return absent;
}

/** The last chunk where something beyond it would make it longer and its bytes are not here: its hash would no longer be its own. */
export function absentTail(slots: Slots, size: number, beyond: number): Uint8Array[] {
  if (beyond <= size || size % CHUNK_BYTES === 0) return [];
  return missingIn(slots, size - 1, 1);
}

export function copyOut(pieces: Pieces, slots: Slots, offset: number, length: number): Uint8Array {
  const out = new Uint8Array(length);
  copyInto(pieces, slots, offset, length, out, 0, true);
  return out;
}

/** Copies a range to a place in `out`; what reads as zeros is left alone where `out` is known to be `blank`. */
export function copyInto(
  pieces: Pieces,
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
    const piece = pieceOf(slots[index]);
    const here = piece === undefined ? 0 : Math.max(0, Math.min(piece.length - start, part));
    if (here > 0) pieces.read(piece!, start, out, at + done, here);
    if (!blank && here < part) out.fill(0, at + done + here, at + done + part);
    done += part;
  }
}

/** The bytes that slots take up, holes left out; a last chunk counts as far as it is written. */
export function allocatedBytes(slots: Slots): number {
  let bytes = 0;
  for (const slot of slots) if (slot !== undefined) bytes += pieceOf(slot)?.length ?? CHUNK_BYTES;
  return bytes;
}

/** The first offset from `offset` on, below `size`, that lies in data or in a hole; `size` where there is none. */
export function seekSlots(slots: Slots, offset: number, size: number, data: boolean): number {
  for (let at = offset; at < size; at = (Math.floor(at / CHUNK_BYTES) + 1) * CHUNK_BYTES) {
    if ((slots[Math.floor(at / CHUNK_BYTES)] !== undefined) === data) return at;
  }
  return size;
}
