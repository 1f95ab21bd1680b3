/** Time that moves on only when nothing else happens any more. */

interface Timer {
  at: number;
  readonly everyMs: number | undefined;
  readonly run: () => void;
}

/** Turns of the event loop without any activity after which nothing more is expected before time moves on. */
const QUIET_TURNS = 4;

export class FakeClock {
  now = 1_700_000_000_000;
  /** Counts everything that happens; whoever does something adds to it. */
  activity = 0;
  readonly #timers = new Map<number, Timer>();
  #last = 0;

  /** Puts this clock's timers in place of the global ones; returns the way back. */
  install(): () => void {
    const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
    const start = (everyMs: number | undefined, run: () => void, ms: number): number => {
      this.#timers.set(++this.#last, { at: this.now + Math.max(1, ms), everyMs, run });
      return this.#last;
    };
    const stop = (timer: number): void => void this.#timers.delete(timer);
    Object.assign(globalThis, {
      setTimeout: (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
        start(undefined, () => run(...args), ms),
      setInterval: (run: () => void, ms: number) => start(ms, run, ms),
      clearTimeout: stop,
      clearInterval: stop,
    });
    return () => Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval });
  }

  /** Lets things happen until the promise is settled. Fails where it is not within so many milliseconds of this clock. */
  async until<T>(what: string, promise: Promise<T>, withinMs: number): Promise<T> {
    let settled = false;
    const note = (): void => {
      settled = true;
    };
    promise.then(note, note);
    const end = this.now + withinMs;
    for (let quiet = 0; !settled; ) {
      const before = this.activity;
      await new Promise((resolve) => setImmediate(resolve));
      quiet = this.activity === before ? quiet + 1 : 0;
      if (settled || quiet < QUIET_TURNS) continue;
      quiet = 0;
      if (this.now > end || !this.#tick()) throw new Error(`${what} hangs`);
    }
    return promise;
  }

  #tick(): boolean {
    const [next] = [...this.#timers].sort(([, a], [, b]) => a.at - b.at);
    if (next === undefined) return false;
    const [id, timer] = next;
    this.now = Math.max(this.now, timer.at);
    if (timer.everyMs === undefined) this.#timers.delete(id);
    else timer.at += timer.everyMs;
    this.activity++;
    timer.run();
    return true;
  }
}
