/** The names of a directory in the order in which they came, each under a number that only rises: a place to read on from. */

export class EntryOrder {
  #names: (string | undefined)[] = [];
  #numbers: number[] = [];
  #index = new Map<string, number>();
  #next = 1;

  constructor(names: Iterable<string>) {
    for (const name of names) this.add(name);
  }

  add(name: string): void {
    if (this.#index.has(name)) return;
    this.#index.set(name, this.#names.length);
    this.#names.push(name);
    this.#numbers.push(this.#next++);
  }

  delete(name: string): void {
    const index = this.#index.get(name);
    if (index === undefined) return;
    this.#index.delete(name);
    this.#names[index] = undefined;
    if (this.#names.length > 2 * this.#index.size + 64) this.#close();
  }

  /** Calls `visit` with each name numbered above `after`, until it says false. */
  scan(after: number, visit: (name: string, number: number) => boolean): void {
    let low = 0;
    let high = this.#numbers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#numbers[middle]! <= after) low = middle + 1;
      else high = middle;
    }
    for (let index = low; index < this.#names.length; index++) {
      const name = this.#names[index];
      if (name !== undefined && !visit(name, this.#numbers[index]!)) return;
    }
  }

  /** Closes the gaps that names have left; the others keep their numbers. */
  #close(): void {
    const numbers = this.#numbers.filter((_, index) => this.#names[index] !== undefined);
    this.#names = this.#names.filter((name) => name !== undefined);
    this.#numbers = numbers;
    this.#index = new Map(this.#names.map((name, index) => [name!, index]));
  }
}
