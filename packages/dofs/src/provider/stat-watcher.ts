/** `watchFile`: calls back with a path's attributes, new and old, when they changed. */

import { Emitter } from "./emitter.ts";
import type { VirtualStatsLike } from "./stats.ts";

export type StatListener = (curr: VirtualStatsLike, prev: VirtualStatsLike) => void;

interface StatWatcherEvents {
  change: [curr: VirtualStatsLike, prev: VirtualStatsLike];
  [name: string]: unknown[];
}

/** Looks at the path when the store says that something changed, not at intervals. */
export class StatWatcher extends Emitter<StatWatcherEvents> {
  readonly #read: () => VirtualStatsLike;
  readonly #unsubscribe: () => void;
  #last: VirtualStatsLike;
  #scheduled = false;
  #stopped = false;

  /** `read` gives the attributes now, `subscribe` calls back after changes. */
  constructor(read: () => VirtualStatsLike, subscribe: (listener: () => void) => () => void) {
    super();
    this.#read = read;
    this.#last = read();
    this.#unsubscribe = subscribe(() => this.#schedule());
  }

  stop(): void {
    this.#stopped = true;
    this.#unsubscribe();
  }

  /** Nothing here keeps a process alive. */
  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      if (!this.#stopped) this.#compare();
    });
  }

  #compare(): void {
    const last = this.#last;
    const now = this.#read();
    const same = (["ino", "size", "mode", "nlink", "mtimeMs", "ctimeMs"] as const).every(
      (key) => now[key] === last[key],
    );
    if (same) return;
    this.#last = now;
    this.emit("change", now, last);
  }
}
