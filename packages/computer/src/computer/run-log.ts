/** What a run has said, for whoever listens now or asks again. */

import type { RunCutShort, WorkspaceRuntimeEvent, WorkspaceRuntimeValue } from "../runtime/event.ts";

export interface RunEnd {
  readonly code: number;
  readonly result?: WorkspaceRuntimeValue | undefined;
  readonly ended?: RunCutShort | undefined;
}

export class RunLog {
  readonly id: string;
  readonly #events: WorkspaceRuntimeEvent[] = [];
  readonly #waiting = new Set<() => void>();
  #over = false;

  constructor(id: string) {
    this.id = id;
  }

  get over(): boolean {
    return this.#over;
  }

  /** What a run says after its end is dropped. */
  say(name: "stdout" | "stderr", value: Uint8Array): void {
    if (!this.#over) this.#add({ id: this.id, seq: this.#events.length, name, value });
  }

  /** The first end is the one that counts. */
  end({ code, result, ended }: RunEnd): void {
    if (this.#over) return;
    this.#over = true;
    this.#add({
      id: this.id,
      seq: this.#events.length,
      name: "exit",
      code,
      ...(result === undefined ? {} : { result }),
      ...(ended === undefined ? {} : { ended }),
    });
  }

  /** The events with a `seq` above `after` and those to come; with `"tail"` only those to come, and of a run that is over its exit. */
  events(after: number | "tail" = -1): ReadableStream<WorkspaceRuntimeEvent> {
    let next = after === "tail" ? this.#events.length - (this.#over ? 1 : 0) : after + 1;
    return new ReadableStream<WorkspaceRuntimeEvent>(
      {
        pull: async (controller) => {
          while (this.#events.length <= next && !this.#over) {
            await new Promise<void>((resolve) => this.#waiting.add(resolve));
          }
          const event = this.#events[next++];
          if (event !== undefined) controller.enqueue(event);
          if (event === undefined || event.name === "exit") controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  }

  #add(event: WorkspaceRuntimeEvent): void {
    this.#events.push(event);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
