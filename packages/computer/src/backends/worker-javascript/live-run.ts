/** A run that is kept: its events for whoever reads them, now or later, each from where it wants. */

import { ComputerError } from "@cloudflare/computer-rpc";
import type { WorkspaceRuntimeEvent } from "../../runtime/event.ts";
import { EVENTS_MAX, type JournalRun, type RunEnd, type RunJournal } from "./run-journal.ts";

/** Events read from the journal at once. */
const PAGE = 16;
/** Room for what the host itself has to say at the end. */
const EVENTS_OF_SCRIPT = EVENTS_MAX / 8;

export class LiveRun {
  readonly #journal: RunJournal;
  readonly #row: JournalRun;
  readonly #waiting = new Set<() => void>();
  #readers = 0;
  #forgotten = false;

  constructor(journal: RunJournal, row: JournalRun) {
    this.#journal = journal;
    this.#row = row;
  }

  get id(): string {
    return this.#row.id;
  }

  get over(): boolean {
    return this.#row.end !== undefined;
  }

  /** Milliseconds since 1970; undefined while it runs. */
  get endedAt(): number | undefined {
    return this.#row.endedAt;
  }

  /** Whether the script has said as much as it may, in events. */
  get full(): boolean {
    return this.#row.events >= EVENTS_OF_SCRIPT;
  }

  say(name: "stdout" | "stderr", value: Uint8Array): void {
    if (this.over || this.#forgotten || value.length === 0) return;
    this.#journal.say(this.#row, name, value);
    this.#wake();
  }

  /** The first end is the one that counts. */
  end(end: RunEnd, now: number): void {
    if (this.over || this.#forgotten) return;
    this.#journal.end(this.#row, end, now);
    this.#wake();
  }

  forget(): void {
    if (this.#forgotten) return;
    this.#forgotten = true;
    this.#journal.forget(this.#row);
    this.#wake();
  }

  /** The events with a `seq` above `after` and those to come; with `"tail"` only those to come, and of a run that is over its exit. */
  events(after: number | "tail", maxReaders: number): ReadableStream<WorkspaceRuntimeEvent> {
    if (this.#readers >= maxReaders) {
      throw new ComputerError(
        "EUNAVAILABLE",
        `Run ${this.id} has ${maxReaders} readers already (maxExecutionSubscribers): dispose of a handle first.`,
      );
    }
    this.#readers += 1;
    const left = once(() => {
      this.#readers -= 1;
    });
    let next = after === "tail" ? this.#row.events : after + 1;
    let page: WorkspaceRuntimeEvent[] = [];
    return new ReadableStream<WorkspaceRuntimeEvent>(
      {
        pull: async (controller) => {
          try {
            if (page.length === 0) page = await this.#read(next);
          } catch (error) {
            left();
            throw error;
          }
          const event = page.shift();
          if (event !== undefined) {
            next = event.seq + 1;
            controller.enqueue(event);
          }
          if (event !== undefined && event.name !== "exit") return;
          left();
          controller.close();
        },
        cancel: left,
      },
      { highWaterMark: 0 },
    );
  }

  /** Waits until there is an event at `seq`; none where the exit lies before it. */
  async #read(seq: number): Promise<WorkspaceRuntimeEvent[]> {
    for (;;) {
      if (this.#forgotten) {
        throw new ComputerError("EEXEC_LOST", `Run ${this.id} was disposed of while its events were read.`);
      }
      if (seq < this.#row.events) return this.#journal.read(this.#row, seq, PAGE);
      const { end } = this.#row;
      if (end !== undefined)
        return seq > this.#row.events ? [] : [{ ...end, id: this.id, seq: this.#row.events, name: "exit" }];
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}

function once(fn: () => void): () => void {
  let done = false;
  return () => {
    if (!done) fn();
    done = true;
  };
}
