/** Hashes contents in a thread of their own, which is started when there is something to hash. */

import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Unhashed } from "@cloudflare/dofs";

const PROGRAM = join(import.meta.dirname, "hash-contents.ts");

/** What the thread is asked, and what it answers. */
export interface HashQuestion {
  readonly id: number;
  readonly wanted: readonly Unhashed[];
}
export type HashAnswer =
  | { readonly id: number; readonly hashes: readonly Uint8Array[] }
  | { readonly id: number; readonly message: string };

interface Waiting {
  resolve(hashes: readonly Uint8Array[]): void;
  reject(error: Error): void;
}

export class HashThread {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #last = 0;
  #closed = false;

  /** The hashes in the order of `wanted`; rejects where what is wanted cannot be read, and once the thread is closed. */
  hash(wanted: readonly Unhashed[]): Promise<readonly Uint8Array[]> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new Error("The thread that hashes has ended."));
        return;
      }
      const id = ++this.#last;
      this.#waiting.set(id, { resolve, reject });
      this.#worker ??= this.#start();
      this.#worker.postMessage({ id, wanted } satisfies HashQuestion);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
    this.#rejectAll(new Error("The thread that hashes has ended."));
  }

  #start(): Worker {
    const worker = new Worker(PROGRAM, { execArgv: [] });
    // It waits for questions, and nobody has to wait for it.
    worker.unref();
    worker.on("message", (answer: HashAnswer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if ("hashes" in answer) waiting?.resolve(answer.hashes);
      else waiting?.reject(new Error(answer.message));
    });
    worker.on("error", (error) => {
      this.#worker = undefined;
      this.#rejectAll(error instanceof Error ? error : new Error(String(error)));
    });
    return worker;
  }

  #rejectAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
