/** Follows what changes under a path: knows when there is something to tell, and tells it when asked. */

import { checkCount } from "../filesystem/arguments.ts";
import { attempt, existing, resolve } from "../filesystem/resolve.ts";
import type { InodeStore } from "../inode-store.ts";
import { eventsSince, type WatchEvent, type Watched } from "./watch-events.ts";

export interface WatchOptions {
  /** What lies deeper counts too. */
  recursive?: boolean | undefined;
  /** Ends the watch. */
  signal?: AbortSignal | undefined;
  /** Without effect: nothing is polled. */
  interval?: number | undefined;
  /** Tell everything after this revision, as the watch's `rev` gave it. Default: from now on. */
  since?: number | undefined;
}

export class ChangeFollower {
  readonly #store: InodeStore;
  readonly #watched: Watched;
  readonly #unsubscribe: () => void;
  #rev: number;
  #due: boolean;
  #closed = false;

  /**
   * `wake` is called when there may be something to tell and when the watch ends; it must not take events in the same call, since the
   * one who changes something may still be at work. `ENOENT` where nothing is; `EINVAL` for a bad `since`.
   */
  constructor(store: InodeStore, path: string, options: WatchOptions, wake: () => void) {
    this.#store = store;
    this.#watched = attempt({ syscall: "watch", path }, () => {
      checkCount(options.since, "since");
      return watchedAt(store, path, options.recursive ?? false);
    });
    this.#rev = options.since ?? store.rev();
    this.#due = options.since !== undefined;
    this.#unsubscribe = store.subscribe(() => {
      this.#due = true;
      wake();
    });
    const { signal } = options;
    const abort = () => {
      this.close();
      wake();
    };
    if (signal?.aborted) this.close();
    else signal?.addEventListener("abort", abort, { once: true });
  }

  /** The revision up to which everything was taken. */
  get rev(): number {
    return this.#rev;
  }

  /** There may be something to take. */
  get due(): boolean {
    return this.#due;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** What happened since the last call. */
  take(): WatchEvent[] {
    if (!this.#due || this.#closed) return [];
    this.#due = false;
    const { events, rev } = eventsSince(this.#store, this.#watched, this.#rev);
    this.#rev = rev;
    return events;
  }

  close(): void {
    this.#closed = true;
    this.#unsubscribe();
  }
}

function watchedAt(store: InodeStore, path: string, recursive: boolean): Watched {
  const place = resolve(store, path);
  const attr = existing(place);
  if (attr.kind === "dir") return { directory: store.paths(attr.ino)[0]!, name: undefined, recursive };
  return { directory: store.paths(place.parent)[0]!, name: place.name, recursive: false };
}
