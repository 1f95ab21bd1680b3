/** What was said, in the storage of the Durable Object: it outlives the object's memory and every computer. */

import type { ModelMessage } from "ai";

const PREFIX = "message:";

/** One message as a reader wants it. */
export interface Line {
  readonly role: "user" | "assistant";
  readonly text: string;
}

export class Conversation {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  async messages(): Promise<ModelMessage[]> {
    return [...(await this.#storage.list<ModelMessage>({ prefix: PREFIX })).values()];
  }

  /** Adds a whole turn or nothing of it, so that no question is kept without its answer. */
  async add(turn: readonly ModelMessage[]): Promise<void> {
    const last = await this.#storage.list({ prefix: PREFIX, reverse: true, limit: 1 });
    const next = Number([...last.keys()][0]?.slice(PREFIX.length) ?? -1) + 1;
    await this.#storage.transaction(async (transaction) => {
      for (const [index, message] of turn.entries()) {
        await transaction.put(`${PREFIX}${String(next + index).padStart(8, "0")}`, message);
      }
    });
  }

  /** The words, without the calls of tools. */
  async lines(): Promise<Line[]> {
    return (await this.messages()).flatMap(({ role, content }) => {
      if (role !== "user" && role !== "assistant") return [];
      const parts =
        typeof content === "string" ? [content] : content.map((part) => (part.type === "text" ? part.text : ""));
      const text = parts.join("").trim();
      return text === "" ? [] : [{ role, text }];
    });
  }
}
