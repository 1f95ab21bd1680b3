/** What goes around a run on a computer with its own copy of the files: a push before it, a pull after it. */

import { ComputerError, type SyncProgress, type SyncResult } from "@cloudflare/computer-rpc";
import type { ExecSyncResult, SkippedEntry } from "../runtime/result.ts";
import { reported } from "../sync/reported.ts";
import type { ComputerHost } from "./computer.ts";
import type { Line } from "./line.ts";
import type { SyncOutcome } from "./run.ts";

/** Brings the computer's files up to date; the number of changes sent. `ESYNC` says that nothing was started. */
export async function pushBefore(
  redialling: <T>(work: (line: Line) => Promise<T>) => Promise<T>,
  computer: string,
  host: ComputerHost,
): Promise<{ line: Line; pushed: number }> {
  return host.observer.span("workspace.push", { "computer.id": computer }, async (span) => {
    try {
      return await redialling(async (line) => {
        const { driver } = line;
        if (driver === undefined) return { line, pushed: 0 };
        const result = await finished(reported(driver.push(), host));
        // A line that nothing was said over may have broken unnoticed; now that can be mended, once the command is sent it cannot.
        if (result.roundTrips === 0) await line.rpc.sync.watermarks();
        span.setAttribute("sync.entries", result.entries);
        span.setAttribute("sync.bytes", result.bytes);
        return { line, pushed: result.entries };
      });
    } catch (error) {
      throw new ComputerError(
        "ESYNC",
        `The command was not started: the files could not be brought to computer ${computer}. ${words(error)}`,
        { cause: error },
      );
    }
  });
}

/** Takes over what the run changed. It never throws: what could not be taken over is pending, and the next pull goes on from there. */
export async function pullAfter(line: Line, computer: string, host: ComputerHost): Promise<SyncOutcome> {
  const { driver } = line;
  if (driver === undefined) return complete(undefined, line);
  let seen: SyncProgress | undefined;
  try {
    return await host.observer.span("workspace.pull", { "computer.id": computer }, async (span) => {
      const result = await finished(reported(driver.pull(), host), (progress) => {
        seen = progress;
      });
      span.setAttribute("sync.entries", result.entries);
      span.setAttribute("sync.bytes", result.bytes);
      return complete(result, line);
    });
  } catch (error) {
    line.brokenBy(error);
    return pending({ computer, line, progress: seen, error: words(error) });
  }
}

/** What is said of a run whose changes were not taken over, or not all of them. */
export function pending(what: {
  readonly computer: string;
  readonly line: Line;
  readonly progress?: SyncProgress | undefined;
  readonly error?: string;
}): SyncOutcome {
  const { computer, line, progress, error } = what;
  const applied = progress?.entries ?? 0;
  const sync: ExecSyncResult = {
    status: "pending",
    applied,
    skipped: [],
    backend: computer,
    ...(error === undefined ? {} : { error }),
    ...(line.runtimeId === undefined ? {} : { runtimeId: line.runtimeId }),
    ...(progress === undefined ? {} : { targetCursor: progress.targetCursor }),
  };
  return { applied, skipped: [], sync };
}

/** Runs a push or pull to its end. */
async function finished(
  steps: AsyncGenerator<SyncProgress, SyncResult>,
  each: (progress: SyncProgress) => void = () => {},
): Promise<SyncResult> {
  for (;;) {
    const step = await steps.next();
    if (step.done === true) return step.value;
    each(step.value);
  }
}

function complete(result: SyncResult | undefined, line: Line): SyncOutcome {
  const applied = result?.entries ?? 0;
  const skipped: SkippedEntry[] = [];
  const leftOut: { path: string; reason: string }[] = [];
  for (const { path, op, reason, mountRoot } of result?.refused ?? []) {
    if (reason === "read-only") skipped.push({ path, op, reason, mountRoot });
    else leftOut.push({ path, reason });
  }
  const conflicts = result?.conflicts ?? [];
  const sync: ExecSyncResult = {
    status: "complete",
    applied,
    skipped,
    ...(conflicts.length === 0 ? {} : { conflicts: [...conflicts] }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
    ...(line.mount === undefined ? {} : { mount: line.mount }),
  };
  return { applied, skipped, sync };
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
