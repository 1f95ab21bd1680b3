/** Contents on their way into SQLite, no more than one chunk of them in memory. */

import { FsError } from "../fs-error.ts";
import type { Stage } from "../inode-store.ts";
import { CHUNK_BYTES, chunkCount } from "./chunks.ts";

const NO_BYTES = new Uint8Array(0);

/** Contents that grow chunk by chunk under a number of their own, listed in `vfs_stage` until an inode takes it. */
export class SqlStage implements Stage {
  size = 0;
  open = true;
  /** Undefined while everything still fits in the pending bytes, and once an inode has the contents for good. */
  content: number | undefined;
  #pending: Uint8Array = NO_BYTES;
  #length = 0;
  readonly #flush: (stage: SqlStage, index: number, bytes: Uint8Array) => void;
  readonly #drop: (content: number) => void;

  constructor(flush: (stage: SqlStage, index: number, bytes: Uint8Array) => void, drop: (content: number) => void) {
    this.#flush = flush;
    this.#drop = drop;
  }

  /** What was appended and is not yet a chunk. */
  get pending(): Uint8Array {
    return this.#pending.subarray(0, this.#length);
  }

  append(bytes: Uint8Array): void {
    if (!this.open) throw new FsError("EBADF", { detail: "the stage was consumed or discarded" });
    for (let offset = 0; offset < bytes.length; ) {
      if (this.#length === CHUNK_BYTES) this.flush();
      const part = bytes.subarray(offset, offset + CHUNK_BYTES - this.#length);
      this.#reserve(this.#length + part.length);
      this.#pending.set(part, this.#length);
      this.#length += part.length;
      this.size += part.length;
      offset += part.length;
    }
  }

  flush(): void {
    if (this.#length === 0) return;
    this.#flush(this, chunkCount(this.size) - 1, this.pending);
    this.#length = 0;
  }

  /** Also after a transaction took the stage and was undone: then its chunks are still there. */
  discard(): void {
    this.close();
    const { content } = this;
    this.content = undefined;
    if (content !== undefined) this.#drop(content);
  }

  close(): void {
    this.open = false;
    this.#pending = NO_BYTES;
    this.#length = 0;
  }

  #reserve(length: number): void {
    if (length <= this.#pending.length) return;
    const grown = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(length, this.#pending.length * 2)));
    grown.set(this.pending);
    this.#pending = grown;
  }
}
