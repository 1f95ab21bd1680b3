/** Pauses inside commands that have much to do: in them timers run and a kill arrives. */

/** Lines of input between two pauses, some tens of milliseconds of work. */
const LINES = 16 * 1024;
/** Bytes of input between two pauses. */
const BYTES = 4 * 1024 * 1024;

let lines = 0;
let bytes = 0;
let pauses = 0;

/** How often commands of this isolate have paused: others may have run meanwhile. */
export function pausesSoFar(): number {
  return pauses;
}

/** Called before each line that a command works on. Rejects where the run was ended. */
export function line(signal: AbortSignal | undefined): Promise<void> | undefined {
  return ++lines % LINES === 0 ? pause(signal) : undefined;
}

/** Called with what a command has read. Rejects where the run was ended. */
export function taken(length: number, signal: AbortSignal | undefined): Promise<void> | undefined {
  bytes += length;
  if (bytes < BYTES) return undefined;
  bytes = 0;
  return pause(signal);
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  pauses++;
  if (signal?.aborted === true) throw new Error("the run was ended");
}
