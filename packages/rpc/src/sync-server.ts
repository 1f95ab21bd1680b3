/** The computer's answer to a workspace's push and pull, over a store that may live in another thread. */

import {
  type ChangeCursor,
  type ChangeEntry,
  type Chunk,
  FsError,
  hashKey,
  type Refused,
  START,
} from "@cloudflare/dofs";
import { ComputerError } from "./computer-error.ts";
import { checkEntries, pathFault } from "./entry-check.ts";
import type { StoreFacade } from "./store-facade.ts";
import { batches, pulled } from "./streams.ts";
import { entryBytes, MAX_PAGE_ENTRIES, SYNC_LIMITS, type SyncLimits } from "./sync-limits.ts";
import {
  type AppliedPage,
  type PageRequest,
  type PulledPage,
  type PushedPage,
  type SyncPagesRPC,
  type SyncRPC,
  WORKSPACE_ROOT,
} from "./wire.ts";

/** The peer that the workspace is in a computer's store. */
export const WORKSPACE_PEER = "workspace";

export interface SyncServerOptions {
  readonly store: StoreFacade;
  /** What is synced; default {@link WORKSPACE_ROOT}. */
  readonly root?: string;
  /** Contents that are not here are fetched when they are first read, so that pages may leave them out. Default: they may not. */
  readonly allowAbsent?: boolean;
  readonly limits?: Partial<SyncLimits>;
}

export class SyncServer implements SyncRPC, SyncPagesRPC {
  readonly #store: StoreFacade;
  readonly #root: string;
  readonly #allowAbsent: boolean;
  readonly #limits: SyncLimits;
  /** The last page that is being applied: a page of an older session must not be applied after one of a newer. */
  #applying: Promise<unknown> = Promise.resolve();

  constructor(options: SyncServerOptions) {
    this.#store = options.store;
    this.#root = options.root ?? WORKSPACE_ROOT;
    this.#allowAbsent = options.allowAbsent ?? false;
    this.#limits = { ...SYNC_LIMITS, ...options.limits };
  }

  /** Entries are applied in bounded batches; after an error those before it stay, and the push can be repeated. */
  async push(input: { senderRev: number; senderCursor?: ChangeCursor; changes: ReadableStream<ChangeEntry> }): Promise<{
    rev: number;
    applied: number;
    refused: Refused[];
    withheld: string[];
    appliedPushCursor: ChangeCursor;
  }> {
    const refused: Refused[] = [];
    const withheld: string[] = [];
    let applied = 0;
    for await (const entries of batches(input.changes, this.#limits.entries, this.#limits.bytes, entryBytes)) {
      const outcome = await this.#apply(entries);
      applied += outcome.applied;
      refused.push(...outcome.refused);
      withheld.push(...outcome.withheld);
    }
    const appliedPushCursor = input.senderCursor ?? { rev: input.senderRev, path: null };
    await this.#store.setPeer(WORKSPACE_PEER, { received: appliedPushCursor });
    return { rev: await this.#store.rev(), applied, refused, withheld, appliedPushCursor };
  }

  /** The stream reads the store as it is consumed. Asking after a cursor says that everything before it has been taken over. */
  async fetchChanges(input: { after?: ChangeCursor; through?: ChangeCursor; ignore?: string[] }): Promise<{
    currentCursor: ChangeCursor;
    appliedPushCursor: ChangeCursor;
    stream: ReadableStream<ChangeEntry>;
  }> {
    const after = input.after ?? START;
    await this.#store.setPeer(WORKSPACE_PEER, { sent: after });
    const through = input.through ?? { rev: await this.#store.rev(), path: null };
    return {
      currentCursor: through,
      appliedPushCursor: (await this.#store.peer(WORKSPACE_PEER))?.received ?? START,
      stream: pulled(this.#changes(after, through, input.ignore ?? [])),
    };
  }

  async watermarks(): Promise<{ currentRev: number; pushRev: number; fetchCursor: ChangeCursor }> {
    const peer = await this.#store.peer(WORKSPACE_PEER);
    return {
      currentRev: await this.#store.rev(),
      pushRev: peer?.received.rev ?? 0,
      fetchCursor: peer?.sent ?? START,
    };
  }

  /** `EINVAL` for a path that is not absolute or not under the root. */
  async readEntry(path: string): Promise<ChangeEntry | null> {
    const fault = pathFault(path, this.#root);
    if (fault !== undefined) throw new FsError("EINVAL", { detail: fault, syscall: "readEntry", path });
    return this.#store.entry(path);
  }

  async hasObjects(hashes: Uint8Array[]): Promise<Uint8Array[]> {
    const missing = new Set((await this.#store.missingChunks(hashes)).map(hashKey));
    return hashes.filter((hash) => !missing.has(hashKey(hash)));
  }

  /** The stream fails with `ENOENT` at a chunk that is not here. */
  fetchObjects(hashes: Uint8Array[]): ReadableStream<Chunk> {
    return pulled(this.#chunks(hashes));
  }

  async pushObjects(objects: ReadableStream<Chunk>): Promise<void> {
    const size = (chunk: Chunk): number => chunk.bytes.byteLength;
    for await (const chunks of batches(objects, this.#limits.entries, this.#limits.messageBytes, size)) {
      await this.#store.putChunks(chunks);
    }
  }

  async pullPage(request: PageRequest): Promise<PulledPage> {
    const { after, entries, bytes, contents, ignore = [] } = request;
    await this.#store.setPeer(WORKSPACE_PEER, { sent: after });
    const rev = await this.#store.rev();
    const limits = { entries: Math.min(entries, MAX_PAGE_ENTRIES), bytes, contents, ignore };
    const page = await this.#store.changes(after, { ...limits, peer: WORKSPACE_PEER, root: this.#root });
    return { ...page, rev };
  }

  pushPage(page: PushedPage): Promise<AppliedPage> {
    const applied = this.#applying.then(() => this.#pushPage(page));
    this.#applying = applied.catch(() => undefined);
    return applied;
  }

  async getChunks(hashes: Uint8Array[]): Promise<Chunk[]> {
    return this.#store.getChunks(hashes);
  }

  async putChunks(chunks: Chunk[]): Promise<void> {
    await this.#store.putChunks(chunks);
  }

  async #pushPage({ entries, cursor, base, absent, readOnly }: PushedPage): Promise<AppliedPage> {
    if (entries.length > MAX_PAGE_ENTRIES) {
      throw new ComputerError("EOPTION", `a page has ${entries.length} entries, more than ${MAX_PAGE_ENTRIES}`);
    }
    if (readOnly !== undefined) await this.#store.setReadOnlyRoots(readOnly);
    const allowAbsent = this.#allowAbsent && absent === true;
    return { ...(await this.#apply(entries, allowAbsent, cursor, base)), rev: await this.#store.rev() };
  }

  async #apply(
    entries: readonly unknown[],
    allowAbsent = false,
    received?: ChangeCursor,
    base?: number,
  ): Promise<Omit<AppliedPage, "rev">> {
    const { good, refused } = checkEntries(entries, this.#root);
    const outcome = await this.#store.apply(good, {
      peer: WORKSPACE_PEER,
      root: this.#root,
      overReadOnly: true,
      allowAbsent,
      keepSince: base ?? (await this.#base()),
      ...(received === undefined ? {} : { received }),
    });
    const { applied, withheld } = outcome;
    return { applied, refused: [...refused, ...outcome.refused], withheld };
  }

  async #base(): Promise<number> {
    return (await this.#store.peer(WORKSPACE_PEER))?.sent.rev ?? 0;
  }

  async *#changes(after: ChangeCursor, through: ChangeCursor, ignore: readonly string[]): AsyncGenerator<ChangeEntry> {
    const { entries, bytes } = this.#limits;
    const limits = { entries, bytes, ignore, peer: WORKSPACE_PEER, root: this.#root };
    for (let cursor = after; ; ) {
      const page = await this.#store.changes(cursor, limits);
      for (const entry of page.entries) {
        if (entry.rev > through.rev) return;
        yield entry;
        if (entry.rev === through.rev && entry.path === through.path) return;
      }
      if (page.done) return;
      cursor = page.cursor;
    }
  }

  async *#chunks(hashes: readonly Uint8Array[]): AsyncGenerator<Chunk> {
    for (const hash of hashes) {
      const [chunk] = await this.#store.getChunks([hash]);
      if (chunk === undefined) {
        throw new FsError("ENOENT", { detail: `no chunk ${hashKey(hash)}`, syscall: "fetchObjects" });
      }
      yield chunk;
    }
  }
}
