/** Asks a daemon again and again whether it is still there. */

import type { DaemonSession } from "@cloudflare/computer-rpc";

/** A daemon that does not answer any more ends its session, so that runs go on over another. Returns the way to stop; 0 asks nothing. */
export function heartbeat(session: DaemonSession, intervalMs: number): () => void {
  if (intervalMs === 0) return () => {};
  const timer = setInterval(() => {
    session.rpc.hello().catch(() => session.close());
  }, intervalMs);
  const stop = (): void => clearInterval(timer);
  session.closed.then(stop, stop);
  return stop;
}
