/** A store as RPC and exec reach it: asynchronous batches, so that the store can live in the thread that serves the mount. */

import type {
  ApplyOptions,
  ApplyOutcome,
  ChangeCursor,
  ChangeEntry,
  ChangePage,
  Chunk,
  InodeStore,
  PeerState,
} from "@cloudflare/dofs";
import { cutPage, type PageLimits } from "./cut-page.ts";
import { withholdLocal } from "./withhold.ts";

export interface FacadeApplyOptions extends ApplyOptions {
  /** Leaves alone what changed here after this revision and not by the peer; such paths come back as `withheld`. */
  readonly keepSince?: number;
  /** The place in the peer's stream reached by this batch, remembered in the same transaction. */
  readonly received?: ChangeCursor;
}

export interface FacadeOutcome extends ApplyOutcome {
  readonly withheld: string[];
}

/** Every call is one batch and atomic; errors are those of the store. */
export interface StoreFacade {
  rev(): Promise<number>;
  entry(path: string): Promise<ChangeEntry | null>;
  changes(after: ChangeCursor, limits: PageLimits): Promise<ChangePage>;
  apply(entries: readonly ChangeEntry[], options: FacadeApplyOptions): Promise<FacadeOutcome>;
  missingChunks(hashes: readonly Uint8Array[]): Promise<Uint8Array[]>;
  putChunks(chunks: readonly Chunk[]): Promise<void>;
  /** Those of the chunks whose bytes are here, in the order asked for. */
  getChunks(hashes: readonly Uint8Array[]): Promise<Chunk[]>;
  peer(id: string): Promise<PeerState | undefined>;
  /** Changes one half or both of what is remembered of a peer; a half never set before is the start. */
  setPeer(id: string, state: Partial<PeerState>): Promise<void>;
  /** As {@link InodeStore.setReadOnlyRoots}. */
  setReadOnlyRoots(paths: readonly string[]): Promise<void>;
}

/** The facade of a store in the same thread. */
export function localFacade(store: InodeStore): StoreFacade {
  return {
    rev: async () => store.rev(),
    entry: async (path) => store.entry(path),
    changes: async (after, limits) => cutPage(store, after, limits),
    apply: async (entries, options) => applyBatch(store, entries, options),
    missingChunks: async (hashes) => store.missingChunks(hashes),
    putChunks: async (chunks) => store.putChunks(chunks),
    getChunks: async (hashes) => getChunks(store, hashes),
    peer: async (id) => store.peer(id),
    setPeer: async (id, state) => mergePeer(store, id, state),
    setReadOnlyRoots: async (paths) => store.setReadOnlyRoots(paths),
  };
}

/** Those of the chunks whose bytes the store has. */
export function getChunks(store: InodeStore, hashes: readonly Uint8Array[]): Chunk[] {
  const chunks: Chunk[] = [];
  for (const hash of hashes) {
    const bytes = store.getChunk(hash);
    if (bytes !== undefined) chunks.push({ hash, bytes });
  }
  return chunks;
}

/** Changes one half or both of what a store remembers of a peer. */
export function mergePeer(store: InodeStore, id: string, state: Partial<PeerState>): void {
  const known = store.peer(id);
  store.setPeer(id, {
    sent: state.sent ?? known?.sent ?? { rev: 0, path: null },
    received: state.received ?? known?.received ?? { rev: 0, path: null },
  });
}

/** Applies a batch and remembers how far the peer's stream has come, both or neither. */
export function applyBatch(
  store: InodeStore,
  entries: readonly ChangeEntry[],
  options: FacadeApplyOptions,
): FacadeOutcome {
  const { keepSince, received, ...rest } = options;
  return store.transaction(() => {
    const { entries: rows, withheld } =
      keepSince === undefined
        ? { entries, withheld: [] }
        : withholdLocal(store, entries, { peer: rest.peer, since: keepSince, root: rest.root ?? "/" });
    const outcome = store.apply(rows, rest);
    if (received !== undefined) mergePeer(store, rest.peer, { received });
    return { ...outcome, withheld };
  });
}
