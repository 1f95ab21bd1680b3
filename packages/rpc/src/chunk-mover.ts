/** Moves the chunks that one side lacks, never holding more of them than the limit allows. */

import { type ChangeEntry, type Chunk, type ChunkRef, hashKey, type InodeStore, isFsError } from "@cloudflare/dofs";
import type { SyncLimits } from "./sync-limits.ts";
import type { SyncTraffic } from "./sync-progress.ts";
import type { SyncPagesRPC, SyncRPC } from "./wire.ts";

/** Hashes of one question; they are 32 bytes each. */
const QUESTION = 4_096;
/** Chunks of one message, however small they are said to be. */
const MESSAGE_CHUNKS = 64;

export interface Moved {
  chunks: number;
  bytes: number;
}

export class ChunkMover {
  readonly #store: InodeStore;
  readonly #rpc: SyncRPC & SyncPagesRPC;
  readonly #limits: SyncLimits;
  readonly #traffic: SyncTraffic;

  constructor(store: InodeStore, rpc: SyncRPC & SyncPagesRPC, limits: SyncLimits, traffic: SyncTraffic) {
    this.#store = store;
    this.#rpc = rpc;
    this.#limits = limits;
    this.#traffic = traffic;
  }

  /** Sends those chunks of the entries that the other side lacks. One that is gone from the store meanwhile is passed over. */
  async send(entries: readonly ChangeEntry[]): Promise<Moved> {
    const refs = chunksOf(entries);
    const there = new Set<string>();
    for (let at = 0; at < refs.length; at += QUESTION) {
      const hashes = refs.slice(at, at + QUESTION).map(({ hash }) => hash);
      this.#traffic.roundTrips++;
      for (const hash of await this.#rpc.hasObjects(hashes)) there.add(hashKey(hash));
    }
    const missing = refs.filter(({ hash }) => !there.has(hashKey(hash)));
    const moved = await this.#move(missing, async (group) => {
      const chunks = group.flatMap(({ hash }): Chunk[] => {
        const bytes = this.#store.getChunk(hash);
        return bytes === undefined ? [] : [{ hash, bytes }];
      });
      await this.#rpc.putChunks(chunks);
      return chunks;
    });
    this.#traffic.chunksPushed += moved.chunks;
    this.#traffic.bytesPushed += moved.bytes;
    return moved;
  }

  /** Fetches those chunks of the entries that the store lacks. One that the other side has no more, or not right, is passed over. */
  async fetch(entries: readonly ChangeEntry[]): Promise<Moved> {
    const refs = chunksOf(entries);
    const lacking = new Set(this.#store.missingChunks(refs.map(({ hash }) => hash)).map(hashKey));
    const missing = refs.filter(({ hash }) => lacking.has(hashKey(hash)));
    const moved = await this.#move(missing, async (group) => {
      const asked = new Set(group.map(({ hash }) => hashKey(hash)));
      const chunks = await this.#rpc.getChunks(group.map(({ hash }) => hash));
      return this.#take(chunks.filter(({ hash }) => asked.has(hashKey(hash))));
    });
    this.#traffic.chunksPulled += moved.chunks;
    this.#traffic.bytesPulled += moved.bytes;
    return moved;
  }

  /** Those of the chunks that are what their hashes say. */
  #take(chunks: Chunk[]): Chunk[] {
    try {
      this.#store.putChunks(chunks);
      return chunks;
    } catch (error) {
      if (!isFsError(error, "EINVAL")) throw error;
      return chunks.length === 1 ? [] : chunks.flatMap((chunk) => this.#take([chunk]));
    }
  }

  /** Runs one call for each group of chunks, several at a time while their bytes stay within the limit. */
  async #move(refs: readonly ChunkRef[], call: (group: readonly ChunkRef[]) => Promise<Chunk[]>): Promise<Moved> {
    const moved = { chunks: 0, bytes: 0 };
    const underWay = new Set<Promise<void>>();
    let failed: { error: unknown } | undefined;
    for (const group of groups(refs, this.#limits.messageBytes)) {
      const size = group.reduce((sum, chunk) => sum + chunk.size, 0);
      while (underWay.size > 0 && this.#traffic.liveBytes + size > this.#limits.liveBytes) await Promise.race(underWay);
      if (failed !== undefined) break;
      this.#traffic.liveBytes += size;
      this.#traffic.peakLiveBytes = Math.max(this.#traffic.peakLiveBytes, this.#traffic.liveBytes);
      this.#traffic.roundTrips++;
      const one = call(group)
        .then((chunks) => {
          moved.chunks += chunks.length;
          moved.bytes += chunks.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
        })
        .catch((error) => {
          failed ??= { error };
        })
        .finally(() => {
          this.#traffic.liveBytes -= size;
          underWay.delete(one);
        });
      underWay.add(one);
    }
    await Promise.all(underWay);
    if (failed !== undefined) throw failed.error;
    return moved;
  }
}

/** The chunks that entries name, each once. */
function chunksOf(entries: readonly ChangeEntry[]): ChunkRef[] {
  const refs = new Map<string, ChunkRef>();
  for (const entry of entries) {
    if (entry.kind === "file") for (const chunk of entry.chunks) refs.set(hashKey(chunk.hash), chunk);
  }
  return [...refs.values()];
}

function* groups(refs: readonly ChunkRef[], bytes: number): Generator<ChunkRef[]> {
  let group: ChunkRef[] = [];
  let size = 0;
  for (const ref of refs) {
    if (group.length > 0 && (size + ref.size > bytes || group.length >= MESSAGE_CHUNKS)) {
      yield group;
      group = [];
      size = 0;
    }
    group.push(ref);
    size += ref.size;
  }
  if (group.length > 0) yield group;
}
