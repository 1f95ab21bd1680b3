/** The way into a container: the daemon's health, then its WebSocket. */

import {
  CBOR_PROTOCOL,
  ComputerError,
  type ConnectOptions,
  carrierOf,
  connectDaemon,
  type DaemonSession,
  socketTransport,
} from "@cloudflare/computer-rpc";
import type { ContainerReach } from "./container-reach.ts";

/** Times in milliseconds. */
export interface HealthOptions {
  readonly port: number;
  readonly probeTimeoutMs: number;
  readonly retryInitialDelayMs: number;
  readonly retryMaxDelayMs: number;
  /** When to give up, in milliseconds since 1970. */
  readonly deadline: number;
}

/** Waits until the daemon says that it is healthy. `EUNREACHABLE` where it does not by the deadline, or says what it lacks. */
export async function waitForHealth(container: ContainerReach, options: HealthOptions): Promise<void> {
  let delay = options.retryInitialDelayMs;
  for (;;) {
    const why = await probe(container, options.port, options.probeTimeoutMs);
    if (why === undefined) return;
    const left = options.deadline - Date.now();
    if (left <= 0 || !(await container.api.status()).running)
      throw new ComputerError("EUNREACHABLE", `The daemon in the container does not come up: ${why}.`);
    await new Promise((resolve) => setTimeout(resolve, Math.min(delay, left)));
    delay = Math.min(Math.max(2 * delay, 1), options.retryMaxDelayMs);
  }
}

/** Opens a session with the daemon. */
export async function dialDaemon(
  container: ContainerReach,
  { port, secret, ...options }: { readonly port: number; readonly secret: string } & ConnectOptions,
): Promise<DaemonSession> {
  const headers = { Authorization: `Bearer ${secret}`, "Sec-WebSocket-Protocol": CBOR_PROTOCOL };
  const response = await container.upgrade(port, secret, "http://computer/api", headers);
  const socket = response.webSocket;
  if (socket === null) {
    const words = (await response.text()).slice(0, 300);
    const code = response.status === 401 || response.status === 403 ? "EUNAUTHORIZED" : "EUNREACHABLE";
    throw new ComputerError(code, `The daemon in the container answered ${response.status} to a WebSocket. ${words}`);
  }
  socket.accept();
  const carrier = carrierOf(response.headers.get("Sec-WebSocket-Protocol"));
  return connectDaemon(socketTransport(socket, carrier), options);
}

/** Why the daemon is not healthy; undefined where it is. */
async function probe(container: ContainerReach, port: number, timeoutMs: number): Promise<string | undefined> {
  // Not by a signal, which does not travel over RPC.
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve(`it does not answer for ${timeoutMs} ms`), timeoutMs);
  const answer = container.api.fetchPort(port, "http://computer/health").then(
    async (response) => {
      const words = (await response.text()).slice(0, 300);
      return response.ok ? undefined : `it answers ${response.status} ${words}`;
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
