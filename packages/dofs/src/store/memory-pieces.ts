/** Bytes of up to a chunk that can be written, in the heap or in a cell of the backing. */

import type { Backing, CellPlace } from "./backing.ts";
import { CHUNK_BYTES } from "./chunks.ts";

/** A hash on its way or there: of the first `length` bytes, zeros where there are fewer. */
export interface Sum {
  readonly length: number;
  hash: Uint8Array | undefined;
}

export interface Piece {
  /** Undefined once the bytes stand in a cell. */
  heap: Uint8Array | undefined;
  /** 0 as long as they stand in the heap. */
  cell: number;
  length: number;
  /** Gone with every change of the bytes, so that one which arrives late goes nowhere. */
  sum: Sum | undefined;
}

/** Where bytes can be read by who hashes them. */
export type PieceSource = { readonly bytes: Uint8Array } | { readonly place: CellPlace; readonly length: number };

/** Longer pieces always go to the backing. */
const MOST_IN_HEAP = 16 * 1024;
/** What the heap takes of the shorter ones, in bytes, where there is a backing. */
const HEAP_BYTES = 24 << 20;
/** What an array costs beside its bytes. */
const ARRAY_BYTES = 200;

const NO_BYTES = new Uint8Array(0);
let zeros: Uint8Array | undefined;
let scratch: Uint8Array | undefined;

/** Reads and writes pieces, and decides where their bytes stand. Without a backing all of them stand in the heap. */
export class Pieces {
  readonly #backing: Backing | undefined;
  #heapBytes = 0;

  constructor(backing: Backing | undefined) {
    this.#backing = backing;
  }

  make(): Piece {
    return { heap: NO_BYTES, cell: 0, length: 0, sum: undefined };
  }

  of(bytes: Uint8Array): Piece {
    const piece = this.make();
    this.write(piece, 0, bytes);
    return piece;
  }

  copy(piece: Piece): Piece {
    return this.of(this.bytes(piece));
  }

  /** Its bytes, to keep or for a moment: they change with the next call. */
  bytes({ heap, cell, length }: Piece): Uint8Array {
    if (heap !== undefined) return heap.subarray(0, length);
    scratch ??= new Uint8Array(CHUNK_BYTES);
    this.#backing!.read(cell, 0, scratch, 0, length);
    return scratch.subarray(0, length);
  }

  source({ heap, cell, length }: Piece): PieceSource {
    return heap === undefined ? { place: this.#backing!.place(cell), length } : { bytes: heap.slice(0, length) };
  }

  /** Copies bytes that are there to a place in `out`. */
  read({ heap, cell }: Piece, start: number, out: Uint8Array, at: number, length: number): void {
    if (heap === undefined) this.#backing!.read(cell, start, out, at, length);
    else out.set(heap.subarray(start, start + length), at);
  }

  /** Writes bytes; what lies between the piece's end and them becomes zeros. After an error its length is what it was. */
  write(piece: Piece, start: number, bytes: Uint8Array): void {
    const end = start + bytes.length;
    piece.sum = undefined;
    this.#makeRoom(piece, end);
    if (piece.heap !== undefined) {
      if (start > piece.length) piece.heap.fill(0, piece.length, start);
      piece.heap.set(bytes, start);
    } else {
      const backing = this.#backing!;
      if (start > piece.length) backing.write(piece.cell, piece.length, blank(start - piece.length));
      backing.write(piece.cell, start, bytes);
    }
    if (end > piece.length) piece.length = end;
  }

  /** Makes bytes that are there zeros. */
  clear(piece: Piece, start: number, end: number): void {
    const length = Math.min(end, piece.length) - start;
    if (length > 0) this.write(piece, start, blank(length));
  }

  /** Makes it shorter. */
  cut(piece: Piece, length: number): void {
    if (length >= piece.length) return;
    piece.length = length;
    piece.sum = undefined;
  }

  free(piece: Piece): void {
    if (piece.heap === undefined) this.#backing!.free(piece.cell);
    else this.#heapBytes -= taken(piece.heap);
    piece.heap = NO_BYTES;
    piece.cell = 0;
    piece.length = 0;
    piece.sum = undefined;
  }

  #makeRoom(piece: Piece, end: number): void {
    const { heap } = piece;
    if (heap === undefined) {
      if (end > this.#backing!.capacity(piece.cell)) this.#moveToCell(piece, end);
    } else if (end > heap.length) {
      const size = heap.length === 0 ? end : Math.min(CHUNK_BYTES, Math.max(end, heap.length * 2));
      if (this.#backing !== undefined && (end > MOST_IN_HEAP || this.#heapBytes + size > HEAP_BYTES)) {
        this.#moveToCell(piece, end);
        return;
      }
      const grown = new Uint8Array(size);
      grown.set(heap.subarray(0, piece.length));
      piece.heap = grown;
      this.#heapBytes += taken(grown) - taken(heap);
    }
  }

  #moveToCell(piece: Piece, end: number): void {
    const backing = this.#backing!;
    const cell = backing.allocate(end);
    const { heap, cell: before } = piece;
    try {
      if (piece.length > 0) backing.write(cell, 0, this.bytes(piece));
    } catch (error) {
      backing.free(cell);
      throw error;
    }
    if (heap === undefined) backing.free(before);
    else this.#heapBytes -= taken(heap);
    piece.heap = undefined;
    piece.cell = cell;
  }
}

function taken(heap: Uint8Array): number {
  return heap.length === 0 ? 0 : heap.length + ARRAY_BYTES;
}

function blank(length: number): Uint8Array {
  zeros ??= new Uint8Array(CHUNK_BYTES);
  return zeros.subarray(0, length);
}
