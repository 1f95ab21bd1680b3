/** Listeners by event name: the part of Node's EventEmitter that users of watchers call. */

type Listener<Args extends unknown[]> = (...args: Args) => void;

/** `Events` maps each event's name to the arguments its listeners get. */
export class Emitter<Events extends { [name: string]: unknown[] }> {
  readonly #listeners = new Map<keyof Events, Listener<never>[]>();

  on<E extends keyof Events>(event: E, listener: Listener<Events[E]>): this {
    this.#listeners.set(event, [...this.#of(event), listener]);
    return this;
  }

  addListener<E extends keyof Events>(event: E, listener: Listener<Events[E]>): this {
    return this.on(event, listener);
  }

  once<E extends keyof Events>(event: E, listener: Listener<Events[E]>): this {
    const once: Listener<Events[E]> = (...args) => {
      this.off(event, once);
      listener(...args);
    };
    return this.on(event, once);
  }

  off<E extends keyof Events>(event: E, listener: Listener<Events[E]>): this {
    const listeners = this.#of(event);
    const at = listeners.lastIndexOf(listener);
    if (at >= 0) this.#listeners.set(event, listeners.toSpliced(at, 1));
    return this;
  }

  removeListener<E extends keyof Events>(event: E, listener: Listener<Events[E]>): this {
    return this.off(event, listener);
  }

  removeAllListeners<E extends keyof Events>(event?: E): this {
    if (event === undefined) this.#listeners.clear();
    else this.#listeners.delete(event);
    return this;
  }

  listenerCount(event: keyof Events): number {
    return this.#of(event).length;
  }

  /** Calls the listeners there are at this moment, in the order they came; whether there were any. */
  emit<E extends keyof Events>(event: E, ...args: Events[E]): boolean {
    const listeners = this.#of(event) as Listener<Events[E]>[];
    for (const listener of listeners) listener(...args);
    return listeners.length > 0;
  }

  #of(event: keyof Events): Listener<never>[] {
    return this.#listeners.get(event) ?? [];
  }
}
