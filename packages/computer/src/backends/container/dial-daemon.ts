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
import type { IWorkspaceContainerAPI } from "./container-api.ts";

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
export async function waitForHealth(api: IWorkspaceContainerAPI, options: HealthOptions): Promise<void> {
  let delay = options.retryInitialDelayMs;
  for (;;) {
    const why = await probe(api, options.port, options.probeTimeoutMs);
    if (why === undefined) return;
    const left = options.deadline - Date.now();
    if (left <= 0) throw new ComputerError("EUNREACHABLE", `The daemon in the container does not come up: ${why}.`);
    await new Promise((resolve) => setTimeout(resolve, Math.min(delay, left)));
    delay = Math.min(Math.max(2 * delay, 1), options.retryMaxDelayMs);
  }
}

/** Opens a session with the daemon. */
export async function dialDaemon(
  api: IWorkspaceContainerAPI,
  { port, secret, ...options }: { readonly port: number; readonly secret: string } & ConnectOptions,
): Promise<DaemonSession> {
  const response = await api.fetchPort(port, "http://computer/api", {
    headers: { Upgrade: "websocket", Authorization: `Bearer ${secret}`, "Sec-WebSocket-Protocol": CBOR_PROTOCOL },
  });
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
async function probe(api: IWorkspaceContainerAPI, port: number, timeoutMs: number): Promise<string | undefined> {
  try {
    const response = await api.fetchPort(port, "http://computer/health", { signal: AbortSignal.timeout(timeoutMs) });
    const words = (await response.text()).slice(0, 300);
    return response.ok ? undefined : `it answers ${response.status} ${words}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
