/** Contents of the files of a directory: small ones come many at a time. */

import { FsError, INLINE_BYTES, type Ino, type InodeStore, type NodeKind } from "@cloudflare/dofs";

/** Bytes read at once, about. */
const BATCH = 4 * 1024 * 1024;

interface Entry {
  readonly ino: Ino;
  readonly kind: NodeKind | null;
  readonly size: number;
}

export class ReadAhead {
  readonly #store: InodeStore;
  readonly #entries: readonly Entry[];
  readonly #largest: number;
  #batch: ReadonlyMap<Ino, Uint8Array> = new Map();
  #end = 0;

  /** Of files over `largest` bytes nothing is read. */
  constructor(store: InodeStore, entries: readonly Entry[], largest: number) {
    this.#store = store;
    this.#entries = entries;
    this.#largest = largest;
  }

  /** The whole contents of a file among the entries, asked for in their order; undefined where it is too large. */
  read(at: number): Uint8Array | undefined {
    const entry = this.#entries[at];
    if (entry === undefined || entry.size > this.#largest) return undefined;
    if (at >= this.#end) this.#fill(at);
    const bytes = this.#batch.get(entry.ino) ?? this.#store.read(entry.ino, 0, entry.size);
    if (bytes instanceof Uint8Array) return bytes;
    throw new FsError("EIO", { detail: "the file's contents are not here" });
  }

  #fill(at: number): void {
    const inos: Ino[] = [];
    let bytes = 0;
    for (this.#end = at; this.#end < this.#entries.length && bytes < BATCH; this.#end++) {
      const entry = this.#entries[this.#end];
      if (entry?.kind !== "file" || entry.size > INLINE_BYTES || entry.size > this.#largest) continue;
      inos.push(entry.ino);
      bytes += entry.size;
    }
    this.#batch = this.#store.readSmall(inos);
  }
}
