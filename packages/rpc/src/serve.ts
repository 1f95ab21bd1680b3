/** The daemon's end of a session. */

import { type AnyRpcTransport, RpcSession, RpcTarget } from "capnweb";
import { rebuildError } from "./computer-error.ts";
import { type LiveTargets, liveTargets } from "./live-targets.ts";
import { type SocketLike, socketTransport } from "./transport.ts";
import type { ContentsRPC, DaemonRPC, OutboundRPC, ShellRPC, SyncPagesRPC, SyncRPC } from "./wire.ts";

/** One connected workspace, as the daemon sees it. */
export interface ServedSession extends Disposable {
  /** Resolves when the connection has ended, however it ended. */
  readonly closed: Promise<void>;
  /** The contents of the workspace, where it gives any. */
  readonly contents: ContentsRPC;
  /** The workspace's gateway for what commands ask for, where it has one. */
  readonly outbound: OutboundRPC;
  /** What the session holds open for the other side; both are 0 while nothing is under way. */
  live(): LiveTargets;
  /** Ends the connection; calls under way fail on the other side with `ECONNECTION_LOST`. */
  close(): void;
}

/**
 * Answers a workspace's calls over a WebSocket (accepted; the carrier is the one its subprotocol says) or any transport.
 *
 * @example
 * webSocketServer.on("connection", (socket) => serveDaemon(socket, { hello, sync: new SyncServer({ store }), shell }));
 */
export function serveDaemon(target: SocketLike | AnyRpcTransport, daemon: DaemonRPC): ServedSession {
  const transport = "receive" in target ? target : socketTransport(target);
  const session = new RpcSession<RpcTarget & ContentsRPC & OutboundRPC>(transport, new DaemonTarget(daemon));
  const remote = session.getRemoteMain();
  const closed = Promise.withResolvers<void>();
  remote.onRpcBroken(() => closed.resolve());
  const close = (): void => remote[Symbol.dispose]();
  return {
    closed: closed.promise,
    contents: { getChunks: (hashes) => plain(remote.getChunks(hashes)) },
    outbound: {
      outbound: (request) => plain(remote.outbound(request)),
      outboundMore: (id) => plain(remote.outboundMore(id)),
      outboundEnd: async (id) => {
        try {
          await remote.outboundEnd(id);
        } catch (error) {
          throw rebuildError(error);
        }
      },
    },
    live: () => liveTargets(session),
    close,
    [Symbol.dispose]: close,
  };
}

/** An answer of plain data, with errors of our classes. */
async function plain<T extends object>(call: PromiseLike<T & Disposable>): Promise<T> {
  try {
    const answer = await call;
    answer[Symbol.dispose]();
    return answer;
  } catch (error) {
    throw rebuildError(error);
  }
}

// Only what these classes list can be reached from outside, whatever else the daemon's objects have.

class DaemonTarget extends RpcTarget {
  readonly #daemon: DaemonRPC;
  readonly #sync: SyncTarget;
  readonly #shell: ShellTarget;

  constructor(daemon: DaemonRPC) {
    super();
    this.#daemon = daemon;
    this.#sync = new SyncTarget(daemon.sync);
    this.#shell = new ShellTarget(daemon.shell);
  }

  hello(): ReturnType<DaemonRPC["hello"]> {
    return this.#daemon.hello();
  }

  get sync(): SyncTarget {
    return this.#sync;
  }

  get shell(): ShellTarget {
    return this.#shell;
  }
}

type Sync = SyncRPC & SyncPagesRPC;

class SyncTarget extends RpcTarget implements Sync {
  readonly #sync: Sync;

  constructor(sync: Sync) {
    super();
    this.#sync = sync;
  }

  push(input: Parameters<Sync["push"]>[0]): ReturnType<Sync["push"]> {
    return this.#sync.push(input);
  }

  fetchChanges(input: Parameters<Sync["fetchChanges"]>[0]): ReturnType<Sync["fetchChanges"]> {
    return this.#sync.fetchChanges(input);
  }

  watermarks(input?: Parameters<Sync["watermarks"]>[0]): ReturnType<Sync["watermarks"]> {
    return this.#sync.watermarks(input);
  }

  readEntry(path: string): ReturnType<Sync["readEntry"]> {
    return this.#sync.readEntry(path);
  }

  hasObjects(hashes: Uint8Array[]): ReturnType<Sync["hasObjects"]> {
    return this.#sync.hasObjects(hashes);
  }

  fetchObjects(hashes: Uint8Array[]): ReturnType<Sync["fetchObjects"]> {
    return this.#sync.fetchObjects(hashes);
  }

  pushObjects(objects: Parameters<Sync["pushObjects"]>[0]): ReturnType<Sync["pushObjects"]> {
    return this.#sync.pushObjects(objects);
  }

  pullPage(request: Parameters<Sync["pullPage"]>[0]): ReturnType<Sync["pullPage"]> {
    return this.#sync.pullPage(request);
  }

  pushPage(page: Parameters<Sync["pushPage"]>[0]): ReturnType<Sync["pushPage"]> {
    return this.#sync.pushPage(page);
  }

  getChunks(hashes: Uint8Array[]): ReturnType<Sync["getChunks"]> {
    return this.#sync.getChunks(hashes);
  }

  putChunks(chunks: Parameters<Sync["putChunks"]>[0]): ReturnType<Sync["putChunks"]> {
    return this.#sync.putChunks(chunks);
  }
}

class ShellTarget extends RpcTarget implements ShellRPC {
  readonly #shell: ShellRPC;

  constructor(shell: ShellRPC) {
    super();
    this.#shell = shell;
  }

  exec(input: Parameters<ShellRPC["exec"]>[0]): ReturnType<ShellRPC["exec"]> {
    return this.#shell.exec(input);
  }

  getExec(input: Parameters<ShellRPC["getExec"]>[0]): ReturnType<ShellRPC["getExec"]> {
    return this.#shell.getExec(input);
  }

  killExec(input: Parameters<ShellRPC["killExec"]>[0]): ReturnType<ShellRPC["killExec"]> {
    return this.#shell.killExec(input);
  }

  disposeExec(input: Parameters<ShellRPC["disposeExec"]>[0]): ReturnType<ShellRPC["disposeExec"]> {
    return this.#shell.disposeExec(input);
  }
}
