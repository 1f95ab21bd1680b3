/** A workspace's store and a computer's, joined by a session over sockets in memory. */

import { createHash } from "node:crypto";
import { type InodeStore, MemoryStore } from "@cloudflare/dofs";
import {
  type ContentsFetcher,
  connectDaemon,
  type DaemonRPC,
  type DaemonSession,
  type LazyContents,
  localFacade,
  PROTOCOL_VERSION,
  type ShellRPC,
  SyncDriver,
  type SyncDriverOptions,
  SyncServer,
  serveDaemon,
} from "../src/index.ts";
import { type SocketPair, socketPair } from "./socket-pair.ts";
import { mkdir } from "./tree.ts";

export const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash("sha256").update(bytes).digest());

/** A clock that never says the same time twice. */
export function clock(start: number = 1_700_000_000_000): () => number {
  let now = start;
  return () => ++now;
}

/** A store with an empty `/workspace`. */
export function memoryStore(now: () => number = clock()): MemoryStore {
  const store = new MemoryStore({ sha256, now });
  mkdir(store, "/workspace");
  return store;
}

const noShell: ShellRPC = {
  exec: () => Promise.reject(new Error("no shell")),
  getExec: () => Promise.reject(new Error("no shell")),
  killExec: () => Promise.reject(new Error("no shell")),
  disposeExec: () => Promise.reject(new Error("no shell")),
};

/** A daemon over a store, as far as sync goes. */
export function daemonOf(store: InodeStore, parts: Partial<DaemonRPC> & { runtimeId?: string } = {}): DaemonRPC {
  const { runtimeId = "runtime-1", ...rest } = parts;
  return {
    hello: async () => ({ protocol: PROTOCOL_VERSION, runtimeId, mount: "fuse" }),
    sync: new SyncServer({ store: localFacade(store) }),
    shell: noShell,
    ...rest,
  };
}

export interface Joined {
  readonly session: DaemonSession;
  readonly driver: SyncDriver;
}

export interface JoinOptions {
  readonly protocol?: string;
  readonly pair?: SocketPair;
  readonly daemon?: DaemonRPC;
  readonly driver?: Partial<SyncDriverOptions>;
  /** Given where the computer is to fetch contents when they are first read. */
  readonly contents?: LazyContents;
  readonly fetcher?: ContentsFetcher;
}

export async function join(workspace: InodeStore, computer: InodeStore, options: JoinOptions = {}): Promise<Joined> {
  const pair = options.pair ?? socketPair(options.protocol);
  const { contents, fetcher } = options;
  const served = serveDaemon(pair.server, options.daemon ?? daemonOf(computer));
  fetcher?.attach(served);
  const session = await connectDaemon(pair.client, contents === undefined ? {} : { contents });
  const { runtimeId } = session.hello;
  const driver = new SyncDriver({ store: workspace, rpc: session.rpc.sync, runtimeId, contents, ...options.driver });
  return { session, driver };
}
