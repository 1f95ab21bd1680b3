/** Contents on their way into a store in memory. */

import { FsError } from "../fs-error.ts";
import type { Stage } from "../inode-store.ts";
import { CHUNK_BYTES } from "./chunks.ts";
import type { Piece, Pieces } from "./memory-pieces.ts";

export class MemoryStage implements Stage {
  size = 0;
  open = true;
  readonly #pieces: Pieces;
  #slots: Piece[] = [];

  constructor(pieces: Pieces) {
    this.#pieces = pieces;
  }

  append(bytes: Uint8Array): void {
    if (!this.open) throw new FsError("EBADF", { detail: "the stage was consumed or discarded" });
    for (let offset = 0; offset < bytes.length; ) {
      const index = Math.floor(this.size / CHUNK_BYTES);
      const at = this.size % CHUNK_BYTES;
      const part = bytes.subarray(offset, offset + CHUNK_BYTES - at);
      if (this.#slots[index] === undefined) {
        const made = this.#pieces.make();
        // A list of one has no room for more, as most files need none.
        if (index === 0) this.#slots = [made];
        else this.#slots.push(made);
      }
      this.#pieces.write(this.#slots[index]!, at, part);
      this.size += part.length;
      offset += part.length;
    }
  }

  discard(): void {
    for (const piece of this.take()) this.#pieces.free(piece);
  }

  /** What was appended, which is no longer the stage's. */
  take(): Piece[] {
    const slots = this.#slots;
    this.#slots = [];
    this.open = false;
    return slots;
  }
}
