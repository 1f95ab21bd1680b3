/** Brings contents that are not here from whichever workspace is connected, waiting through one that has to connect again. */

import { type Chunk, hashKey } from "@cloudflare/dofs";
import { ComputerError } from "./computer-error.ts";
import type { ContentsRPC } from "./wire.ts";

/** A connection over which contents can be asked for. */
export interface ContentsSession {
  readonly contents: ContentsRPC;
  readonly closed: Promise<void>;
}

/** How long a read waits for a connection and an answer, in milliseconds. */
export const CONTENTS_PATIENCE_MS = 30_000;

/** Chunks of one question, at most 1 MiB. */
const QUESTION = 4;

export class ContentsFetcher {
  readonly #patienceMs: number;
  readonly #sessions = new Set<ContentsSession>();
  /** Chunks that were asked for and have not come: who needs one of them waits for the same answer. */
  readonly #underWay = new Map<string, Promise<readonly Chunk[]>>();
  #arrival = Promise.withResolvers<void>();

  constructor({ patienceMs = CONTENTS_PATIENCE_MS }: { readonly patienceMs?: number } = {}) {
    this.#patienceMs = patienceMs;
  }

  /** Asks this connection from now on, until it ends or a newer one comes. */
  attach(session: ContentsSession): void {
    this.#sessions.add(session);
    void session.closed.then(() => this.#sessions.delete(session));
    this.#arrival.resolve();
    this.#arrival = Promise.withResolvers();
  }

  /** Those of the chunks that the workspace has. `ETIMEOUT` where no workspace answers in time; otherwise what the workspace says. */
  async fetch(hashes: readonly Uint8Array[]): Promise<Chunk[]> {
    const wanted = new Map(hashes.map((hash) => [hashKey(hash), hash]));
    const waiting = new Set<Promise<readonly Chunk[]>>();
    const ask: Uint8Array[] = [];
    for (const [key, hash] of wanted) {
      const underWay = this.#underWay.get(key);
      if (underWay === undefined) ask.push(hash);
      else waiting.add(underWay);
    }
    for (let at = 0; at < ask.length; at += QUESTION) waiting.add(this.#start(ask.slice(at, at + QUESTION)));
    const answers = await Promise.all(waiting);
    return answers.flat().filter(({ hash }) => wanted.delete(hashKey(hash)));
  }

  #start(hashes: Uint8Array[]): Promise<readonly Chunk[]> {
    const answer = this.#ask(hashes).finally(() => {
      for (const hash of hashes) this.#underWay.delete(hashKey(hash));
    });
    for (const hash of hashes) this.#underWay.set(hashKey(hash), answer);
    return answer;
  }

  async #ask(hashes: Uint8Array[]): Promise<readonly Chunk[]> {
    const late = Promise.withResolvers<"late">();
    const timer = setTimeout(() => late.resolve("late"), this.#patienceMs);
    const refused = new Map<ContentsSession, unknown>();
    try {
      for (;;) {
        const arrival = this.#arrival.promise.then(() => "next" as const);
        const session = [...this.#sessions].reverse().find((open) => !refused.has(open));
        if (session === undefined && this.#sessions.size > 0) throw [...refused.values()].at(-1);
        const outcome = await Promise.race([
          late.promise,
          arrival,
          ...(session === undefined ? [] : [answerOf(session, hashes)]),
        ]);
        if (outcome === "late") {
          throw new ComputerError("ETIMEOUT", `no workspace gave the contents within ${this.#patienceMs} ms`);
        }
        if (outcome === "next") continue;
        if ("chunks" in outcome) return outcome.chunks;
        refused.set(outcome.session, outcome.error);
      }
    } finally {
      clearTimeout(timer);
    }
  }
}

type Answer = { readonly chunks: readonly Chunk[] } | { readonly session: ContentsSession; readonly error: unknown };

/** What a connection answers; `next` where it has ended. */
async function answerOf(session: ContentsSession, hashes: Uint8Array[]): Promise<Answer | "next"> {
  const closed = session.closed.then(() => "next" as const);
  try {
    return await Promise.race([closed, session.contents.getChunks(hashes).then((chunks) => ({ chunks }))]);
  } catch (error) {
    // A call that fails because its connection does fails a moment before that is told.
    const settled = new Promise<Answer>((resolve) => setTimeout(resolve, 0, { session, error }));
    return Promise.race([closed, settled]);
  }
}
