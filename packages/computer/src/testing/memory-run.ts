/** One run of the computer in memory: what it has said, and a signal for its command. */

import { type RunEnd, RunLog } from "../computer/run-log.ts";

export class MemoryRun extends RunLog {
  readonly #abort = new AbortController();

  /** Aborted when the run is killed or out of time. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  override end(end: RunEnd): void {
    const cutShort = !this.over && end.ended !== undefined;
    super.end(end);
    if (cutShort) this.#abort.abort();
  }
}
