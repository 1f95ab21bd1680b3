/** Events with their bytes as text: a character that two chunks share arrives whole. */

import type { WorkspaceRuntimeEvent } from "./event.ts";

/** Decodes the outputs of one run, each stream by itself. */
export class TextEvents {
  readonly #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  #added = 0;

  /**
   * The event as text. An exit may come with events before it, for bytes that were left of a character that never ended; they
   * take its `seq`, and it the next ones.
   */
  take(event: WorkspaceRuntimeEvent): WorkspaceRuntimeEvent<"utf8">[] {
    if (event.name !== "exit") {
      return [{ ...event, value: this.#decoders[event.name].decode(event.value, { stream: true }) }];
    }
    const rest = (["stdout", "stderr"] as const).flatMap((name) => {
      const value = this.#decoders[name].decode();
      return value === "" ? [] : [{ id: event.id, seq: event.seq + this.#added++, name, value }];
    });
    return [...rest, { ...event, seq: event.seq + this.#added }];
  }
}
