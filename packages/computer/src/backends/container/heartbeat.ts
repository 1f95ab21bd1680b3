/** Asks a daemon again and again whether it is still there. */

import type { DaemonSession } from "@cloudflare/computer-rpc";

export interface HeartbeatOptions {
  /** Milliseconds between two questions; 0 asks nothing. */
  readonly intervalMs: number;
  /** Called where a command runs, or ran since the last question. */
  readonly inUse: () => void;
}

/** A daemon that does not answer any more ends its session, so that runs go on over another. Returns the way to stop. */
export function heartbeat(session: DaemonSession, { intervalMs, inUse }: HeartbeatOptions): () => void {
  if (intervalMs === 0) return () => {};
  const timer = setInterval(() => {
    session.rpc.hello().then(
      ({ idleMs }) => {
        if (idleMs !== undefined && idleMs <= intervalMs) inUse();
      },
      () => session.close(),
    );
  }, intervalMs);
  const stop = (): void => clearInterval(timer);
  session.closed.then(stop, stop);
  return stop;
}
