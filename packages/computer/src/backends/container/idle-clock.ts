/** Ends what nobody uses. */

export class IdleClock {
  readonly #onIdle: () => void;
  #ms = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastUse = 0;
  #users = 0;

  /** `onIdle` is called once for each `start`, when nothing was used for long enough. */
  constructor(onIdle: () => void) {
    this.#onIdle = onIdle;
  }

  /** Counts from now on, in milliseconds. */
  start(ms: number): void {
    this.#ms = ms;
    this.#lastUse = Date.now();
    this.#wait(ms);
  }

  /** What is used while `work` is done. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#users++;
    try {
      return await work;
    } finally {
      this.#users--;
      this.#lastUse = Date.now();
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(ms: number): void {
    this.stop();
    this.#timer = setTimeout(() => {
      const left = this.#users > 0 ? this.#ms : this.#lastUse + this.#ms - Date.now();
      if (left > 0) return this.#wait(left);
      this.stop();
      this.#onIdle();
    }, ms);
  }
}
