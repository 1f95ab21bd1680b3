/** Calls the serving thread away from the kernel: a question about the mount that it has to answer wakes it. */

import { statfs } from "node:fs/promises";
import type { Worker } from "node:worker_threads";
import type { ToServer } from "./messages.ts";

/** Posts messages to a thread that sleeps in a read of the device. Nothing is done while there is nothing to post. */
export class Doorbell {
  readonly #worker: Worker;
  readonly #mountPoint: string;
  readonly #rung: Int32Array;
  #ringing = false;
  #again = false;

  constructor(worker: Worker, mountPoint: string, bell: SharedArrayBuffer) {
    this.#worker = worker;
    this.#mountPoint = mountPoint;
    this.#rung = new Int32Array(bell);
  }

  post(message: ToServer): void {
    this.#worker.postMessage(message);
    Atomics.store(this.#rung, 0, 1);
    this.#ring();
  }

  #ring(): void {
    if (this.#ringing) {
      this.#again = true;
      return;
    }
    this.#ringing = true;
    const rung = (): void => {
      this.#ringing = false;
      if (!this.#again) return;
      this.#again = false;
      this.#ring();
    };
    // Where nobody answers, the thread is not asleep: its end is told by itself.
    statfs(this.#mountPoint).then(rung, rung);
  }
}
