/** The Durable Object of the model: the real store and session over a database that outlives it. */

import { type ContentsRPC, connectDaemon, serveDaemon } from "@cloudflare/computer-rpc";
import { Database, type DurableObjectStorageLike, SqlStore } from "@cloudflare/dofs";
import type { NodeStorage } from "@cloudflare/dofs/node";
import { heartbeat } from "../../src/backends/container/heartbeat.ts";
import type { BackendHandle } from "../../src/computer/backend.ts";
import type { ComputerHost } from "../../src/computer/computer.ts";
import { SyncedSession } from "../../src/computer/synced-session.ts";
import { noopObserver } from "../../src/observe/observer.ts";
import { createSyncLogger } from "../../src/sync/sync-logger.ts";
import { ModelConnection } from "./model-socket.ts";
import { sha256 } from "./random-tree.ts";
import type { World } from "./world.ts";

/** A few entries a page and a chunk a message, so that there are many steps. */
const LIMITS = { entries: 4, messageBytes: 1, liveBytes: 600_000 };

/** One life of the object. */
export class ModelObject {
  readonly store: SqlStore;
  readonly session: SyncedSession;
  /** Rejects when this life is over. */
  readonly over: Promise<never>;
  alive = true;
  readonly #world: World;
  readonly #end: (why: Error) => void;

  constructor(world: World, storage: NodeStorage) {
    this.#world = world;
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => {});
    this.over = promise;
    this.#end = reject;
    const db = new Database(this.#mortal(storage));
    this.store = SqlStore.open(db, { sha256, now: () => world.time() });
    const host = {
      db,
      store: this.store,
      observer: noopObserver,
      syncLogger: createSyncLogger({ enabled: false }),
      now: () => world.clock.now,
    } as Partial<ComputerHost> as ComputerHost;
    // Large contents are fetched when they are first read, or come along where they are few.
    const limits = { ...LIMITS, prefetch: world.next() < 0.7 ? 0 : 700_000 };
    this.session = new SyncedSession({ id: "computer", host, dial: () => this.#dial(), limits });
  }

  restart(): void {
    this.alive = false;
    this.#end(new Error("the object restarted"));
  }

  async #dial(): Promise<BackendHandle> {
    await this.#world.turn();
    // Nobody waits for what a life that is over has begun.
    if (!this.alive) return new Promise(() => {});
    const computer = this.#world.computer();
    const connection = new ModelConnection({
      beforeSend: () => void this.#world.fault("message", connection),
      active: () => void this.#world.clock.activity++,
    });
    this.#world.connected(connection);
    computer.fetcher.attach(serveDaemon(connection.far, computer.daemon));
    let source: ContentsRPC | undefined;
    const contents: ContentsRPC = { getChunks: async (hashes) => source?.getChunks(hashes) ?? [] };
    const session = await connectDaemon(connection.near, { contents });
    const stop = heartbeat(session, { intervalMs: 20_000, inUse: () => {} });
    return {
      rpc: session.rpc,
      runtimeId: session.hello.runtimeId,
      mount: session.hello.mount,
      closed: session.closed,
      fetchFrom: (from) => {
        source = from;
      },
      close: async () => {
        stop();
        session.close();
      },
    };
  }

  /** The storage with each statement that writes a step; a life that is over changes nothing any more. */
  #mortal(storage: NodeStorage): DurableObjectStorageLike {
    const nothing = { toArray: () => [] };
    return {
      sql: {
        exec: (query, ...bindings) => {
          if (!this.alive) return nothing;
          if (/^\s*(INSERT|UPDATE|DELETE)\b/i.test(query)) {
            const fault = this.#world.fault("storage");
            if (fault === "full" && !/^\s*DELETE/i.test(query))
              throw new Error("database or disk is full: SQLITE_FULL");
            if (!this.alive) throw new Error("the object restarted");
          }
          return storage.sql.exec(query, ...bindings);
        },
      },
      transactionSync: (closure) => storage.transactionSync(closure),
    };
  }
}
