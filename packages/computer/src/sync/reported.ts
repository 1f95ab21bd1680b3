/** A push or pull that tells a logger of each block and of the whole. */

import type { SyncProgress, SyncResult } from "@cloudflare/computer-rpc";
import type { SyncLogger } from "./sync-logger.ts";

export interface Reporting {
  readonly syncLogger: SyncLogger;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Gives the same steps on. A sync that is left early, or fails, is reported with what it did. */
export async function* reported(
  steps: AsyncGenerator<SyncProgress, SyncResult>,
  { syncLogger, now }: Reporting,
): AsyncGenerator<SyncProgress, SyncResult> {
  const began = now();
  let last: SyncProgress | undefined;
  let blockBegan = began;
  let blocks = 0;
  let worstBlockMs = 0;
  try {
    for (;;) {
      const step = await steps.next();
      if (step.done === true) return step.value;
      const progress = step.value;
      const blockMs = now() - blockBegan;
      blocks += 1;
      worstBlockMs = Math.max(worstBlockMs, blockMs);
      syncLogger.block({
        ...about(progress),
        entries: progress.entries - (last?.entries ?? 0),
        bytes: progress.bytes - (last?.bytes ?? 0),
        skipped: progress.skipped - (last?.skipped ?? 0),
        complete: progress.complete,
        blockMs,
        cursorRev: progress.cursor.rev,
        targetRev: progress.targetCursor.rev,
      });
      last = progress;
      yield progress;
      // The time that the reader of the steps took is not the sync's.
      blockBegan = now();
    }
  } finally {
    await steps.return?.(undefined as never);
    if (last !== undefined) {
      const { entries, bytes, skipped } = last;
      const totalMs = now() - began;
      syncLogger.operation({ ...about(last), blocks, entries, bytes, skipped, totalMs, worstBlockMs, restarts: 0 });
    }
  }
}

function about(
  progress: SyncProgress,
): Pick<SyncProgress, "backend" | "direction" | "mode" | "operationId" | "generation"> {
  const { backend, direction, mode, operationId, generation } = progress;
  return { backend, direction, mode, operationId, generation };
}
