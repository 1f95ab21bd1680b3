/** Watching a path, with listeners or as an iterable. Nothing is polled: the store calls once a transaction is through. */

import type { InodeStore } from "../inode-store.ts";
import { ChangeFollower, type WatchOptions } from "./change-follower.ts";
import { Emitter } from "./emitter.ts";
import type { WatchEvent } from "./watch-events.ts";

export interface WatchHandle {
  close(): void;
}

interface WatcherEvents {
  change: [eventType: WatchEvent["eventType"], filename: string];
  /** The store no longer knows what happened since the revision asked for: look at everything again. */
  reset: [];
  close: [];
  [name: string]: unknown[];
}

/** A watch with listeners, as `fs.watch` gives one. Its events come in a later microtask than the change. */
export class Watcher extends Emitter<WatcherEvents> implements WatchHandle {
  readonly #follower: ChangeFollower;
  #scheduled = false;
  #ended = false;

  constructor(store: InodeStore, path: string, options: WatchOptions = {}) {
    super();
    this.#follower = new ChangeFollower(store, path, options, () => this.#schedule());
    if (this.#follower.due || this.#follower.closed) this.#schedule();
  }

  /** Everything up to this revision has been told: the `since` of a watch that goes on from here. */
  get rev(): number {
    return this.#follower.rev;
  }

  close(): void {
    this.#follower.close();
    this.#schedule();
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
    queueMicrotask(() => this.#run());
  }

  #run(): void {
    this.#scheduled = false;
    for (const event of this.#follower.take()) {
      if (this.#follower.closed) break;
      if (event.reset) this.emit("reset");
      else this.emit("change", event.eventType, event.filename);
    }
    if (!this.#follower.closed || this.#ended) return;
    this.#ended = true;
    this.emit("close");
  }
}

/**
 * A watch as an iterable, which ends when its loop is left or the signal comes. What happens while nobody asks is told as one:
 * however slow the reader, no more is kept than what changed.
 */
export class WatchIterable implements AsyncIterableIterator<WatchEvent> {
  readonly #follower: ChangeFollower;
  #events: WatchEvent[] = [];
  #rev: number;
  #waiting: (() => void)[] = [];

  constructor(store: InodeStore, path: string, options: WatchOptions = {}) {
    this.#follower = new ChangeFollower(store, path, options, () => {
      for (const wake of this.#waiting.splice(0)) wake();
    });
    this.#rev = this.#follower.rev;
  }

  /** Everything up to this revision has been given: the `since` of a watch that goes on from here. */
  get rev(): number {
    return this.#events.length > 0 ? this.#rev : this.#follower.rev;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<WatchEvent, undefined>> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) return { value: event, done: false };
      if (this.#follower.closed) return { value: undefined, done: true };
      if (this.#follower.due) {
        this.#rev = this.#follower.rev;
        this.#events = this.#follower.take();
      } else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async return(): Promise<IteratorResult<WatchEvent, undefined>> {
    this.#events = [];
    this.#follower.close();
    for (const wake of this.#waiting.splice(0)) wake();
    return { value: undefined, done: true };
  }
}
