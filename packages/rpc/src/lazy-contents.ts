/** Contents that a computer knows by hash and fetches from the workspace when they are first read. */

import { type ChangeEntry, type Chunk, hashKey, type InodeStore } from "@cloudflare/dofs";
import { ComputerError } from "./computer-error.ts";
import { getChunks } from "./store-facade.ts";
import type { ContentsRPC } from "./wire.ts";

/** Chunks of one answer; each is at most 256 KiB. */
export const MOST_FETCHED_CHUNKS = 16;

/**
 * The workspace's answer to a computer's reads, over one connection.
 *
 * What the computer was told of is kept for it, though the workspace overwrites or removes the file meanwhile, until a push has told it of that
 * and a pull has shown that it has not given the file another name: otherwise a command that did, or that reads the file, would lose it.
 */
export class LazyContents implements ContentsRPC {
  /** What was asked for and given since this was made. */
  readonly count = { requests: 0, chunks: 0, bytes: 0 };
  readonly #store: InodeStore;
  readonly #held = new Map<string, { readonly hash: Uint8Array; readonly unpin: () => void }>();

  constructor(store: InodeStore) {
    this.#store = store;
  }

  /** Those of the chunks that are here. `EOPTION` for more than {@link MOST_FETCHED_CHUNKS} at once. */
  async getChunks(hashes: Uint8Array[]): Promise<Chunk[]> {
    if (hashes.length > MOST_FETCHED_CHUNKS) {
      throw new ComputerError("EOPTION", `ask for at most ${MOST_FETCHED_CHUNKS} chunks at once`);
    }
    const chunks = getChunks(this.#store, hashes);
    this.count.requests += 1;
    this.count.chunks += chunks.length;
    this.count.bytes += chunks.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    return chunks;
  }

  /** Keeps the contents that these entries name by hash. */
  hold(entries: readonly ChangeEntry[]): void {
    for (const entry of entries) {
      if (entry.kind !== "file") continue;
      for (const { hash } of entry.chunks) {
        const key = hashKey(hash);
        if (!this.#held.has(key)) this.#held.set(key, { hash, unpin: this.#store.pinChunks([hash]) });
      }
    }
  }

  /** Says that each side has all changes of the other: contents that no file has any more are let go. */
  caughtUp(): void {
    const held = [...this.#held];
    this.release();
    const hashes = held.map(([, { hash }]) => hash);
    const gone = new Set(this.#store.missingChunks(hashes).map(hashKey));
    for (const [key, { hash }] of held) {
      if (!gone.has(key)) this.#held.set(key, { hash, unpin: this.#store.pinChunks([hash]) });
    }
  }

  /** Lets everything go, when the connection has ended. */
  release(): void {
    for (const { unpin } of this.#held.values()) unpin();
    this.#held.clear();
  }
}
