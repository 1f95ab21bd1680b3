/** Room for contents outside of the heap, as a MemoryStore asks for it: cells of a few sizes, read and written in place. */

/** Where a cell stands for who reads it elsewhere: an open file, and the offset in it. */
export interface CellPlace {
  readonly file: number;
  readonly position: number;
}

/** Cells are numbered from 1. What stands in one is undefined until it is written. Errors are `ENOSPC` and `EIO`. */
export interface Backing {
  /** How many bytes more the disk takes. */
  readonly freeBytes: number;
  /** A cell of at least so many bytes, of which a chunk has most. */
  allocate(bytes: number): number;
  /** How many bytes the cell takes. */
  capacity(cell: number): number;
  free(cell: number): void;
  /** Reads `length` bytes from `start` on to the place `at` in `out`. */
  read(cell: number, start: number, out: Uint8Array, at: number, length: number): void;
  write(cell: number, start: number, bytes: Uint8Array): void;
  place(cell: number): CellPlace;
}
