/** A bounded map that forgets what was not asked for lately, in whole generations and so at no cost for a hit. */

export class GenerationCache<Key, Value> {
  readonly #limit: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  /** Keeps at least the `limit` keys used last, at most twice as many. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    if (this.#young.size >= this.#limit && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  delete(key: Key): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  /** How many entries are held. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
