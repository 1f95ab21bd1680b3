/** How many objects of ours other isolates hold on to. */

/**
 * Counts RPC targets that were made and not yet disposed.
 *
 * A target that was handed out several times is disposed once for each of its stubs, so each is counted by itself: what is asked for is
 * which targets live, not how many calls came.
 */
export class LiveTargets {
  readonly #live = new Set<object>();

  /** How many targets live now. */
  get count(): number {
    return this.#live.size;
  }

  add(target: object): void {
    this.#live.add(target);
  }

  /** Says whether this was the first time for this target. */
  remove(target: object): boolean {
    return this.#live.delete(target);
  }
}

/** The targets of this isolate. */
export const liveTargets: LiveTargets = new LiveTargets();
