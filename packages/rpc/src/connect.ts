/** The workspace's end of a session with a computer's daemon. */

import { type AnyRpcTransport, RpcSession, RpcTarget } from "capnweb";
import { ComputerError } from "./computer-error.ts";
import { DaemonClient, type DaemonMain } from "./daemon-client.ts";
import { type LiveTargets, liveTargets } from "./live-targets.ts";
import { type SocketLike, socketTransport } from "./transport.ts";
import {
  type ContentsRPC,
  type DaemonRPC,
  type Hello,
  type OutboundRequest,
  type OutboundRPC,
  PROTOCOL_VERSION,
} from "./wire.ts";

export interface ConnectOptions {
  /** How long one call may go without its answer, in milliseconds; default 60,000. The session is given up then. */
  readonly answerTimeoutMs?: number;
  /** Answers the daemon's questions for contents. */
  readonly contents?: ContentsRPC;
  /** Answers what commands ask for over HTTP; without it nothing goes out over the session. */
  readonly outbound?: OutboundRPC;
}

/** A live connection to a daemon. */
export interface DaemonSession extends Disposable {
  /** The daemon; its errors come as {@link ComputerError} and `FsError`. */
  readonly rpc: DaemonRPC;
  /** What the daemon said of itself. */
  readonly hello: Hello;
  /** Resolves when the connection has ended, however it ended. */
  readonly closed: Promise<void>;
  /** What the session holds open on either side; both are 0 while nothing is under way. */
  live(): LiveTargets;
  /** Ends the connection; calls under way fail with `ECONNECTION_LOST`. */
  close(): void;
}

const ANSWER_TIMEOUT_MS = 60_000;

/**
 * Opens a session over a WebSocket (in a Worker: accepted; the carrier is the one its subprotocol says) or any transport, and checks that
 * both sides speak the same version.
 *
 * Fails with `EPROTOCOL` where they do not, `ECONNECTION_LOST` where the connection ends first, and `ETIMEOUT`.
 *
 * @example
 * using session = await connectDaemon(socket);
 * const { events } = await session.rpc.shell.exec({ source: "uname" });
 */
export async function connectDaemon(
  target: SocketLike | AnyRpcTransport,
  options: ConnectOptions = {},
): Promise<DaemonSession> {
  const transport = "receive" in target ? target : socketTransport(target);
  const { contents, outbound } = options;
  const main = contents || outbound ? new WorkspaceTarget(contents, outbound) : undefined;
  const session = new RpcSession<DaemonMain>(transport, main);
  const stub = session.getRemoteMain();
  const client = new DaemonClient(stub, options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS);
  try {
    const hello = await client.rpc.hello();
    checkProtocol(hello);
    return {
      rpc: client.rpc,
      hello,
      closed: client.closed,
      live: () => liveTargets(session),
      close: () => client.close(),
      [Symbol.dispose]: () => client.close(),
    };
  } catch (error) {
    client.close();
    throw error;
  }
}

/** All that the daemon can reach of the workspace. */
class WorkspaceTarget extends RpcTarget implements ContentsRPC, OutboundRPC {
  readonly #contents: ContentsRPC | undefined;
  readonly #outbound: OutboundRPC | undefined;

  constructor(contents: ContentsRPC | undefined, outbound: OutboundRPC | undefined) {
    super();
    this.#contents = contents;
    this.#outbound = outbound;
  }

  async getChunks(hashes: Uint8Array[]): ReturnType<ContentsRPC["getChunks"]> {
    return (await this.#contents?.getChunks(hashes)) ?? [];
  }

  async outbound(request: OutboundRequest): ReturnType<OutboundRPC["outbound"]> {
    return this.#way().outbound(request);
  }

  async outboundMore(id: string): ReturnType<OutboundRPC["outboundMore"]> {
    return this.#way().outboundMore(id);
  }

  async outboundEnd(id: string): ReturnType<OutboundRPC["outboundEnd"]> {
    return this.#way().outboundEnd(id);
  }

  #way(): OutboundRPC {
    if (this.#outbound !== undefined) return this.#outbound;
    throw new ComputerError("EUNAVAILABLE", "this workspace's egress policy has no gateway");
  }
}

function checkProtocol({ protocol }: Hello): void {
  if (protocol === PROTOCOL_VERSION) return;
  const newer = protocol > PROTOCOL_VERSION;
  throw new ComputerError(
    "EPROTOCOL",
    `the workspace speaks protocol ${PROTOCOL_VERSION}, the computer's daemon protocol ${protocol}; upgrade ${
      newer ? "@cloudflare/computer in the Worker" : "computerd in the computer's image"
    }`,
  );
}
