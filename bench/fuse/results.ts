/** What was measured: of each place and operation the times of all rounds, and what the kernel asked in the last. */

import { OPERATIONS } from "./operations.ts";

export interface Figures {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export class Results {
  readonly #ms = new Map<string, number[]>();
  readonly #asked = new Map<string, Readonly<Record<string, number>>>();

  add(place: string, id: string, ms: number, asked: Readonly<Record<string, number>>): void {
    const key = `${place} ${id}`;
    this.#ms.set(key, [...(this.#ms.get(key) ?? []), ms]);
    this.#asked.set(key, asked);
  }

  /** How many rounds had the operation. */
  rounds(place: string, id: string): number {
    return this.#ms.get(`${place} ${id}`)?.length ?? 0;
  }

  /** In the operation's own unit: MiB/s, µs or ms. */
  figures(place: string, id: string): Figures {
    const { times, rate } = OPERATIONS[id]!;
    const each = (ms: number): number => (rate ? times / (ms / 1000) : (ms / times) * (times > 1 ? 1000 : 1));
    const sorted = (this.#ms.get(`${place} ${id}`) ?? []).map(each).sort((a, b) => a - b);
    const at = (index: number): number => sorted[index] ?? Number.NaN;
    const median = (at((sorted.length - 1) >> 1) + at(sorted.length >> 1)) / 2;
    return { median, least: at(0), most: at(sorted.length - 1) };
  }

  /** What a place is to another in an operation: how many times as long it takes, or as fast it is where a rate is measured. */
  ratio(place: string, other: string, id: string): number {
    return this.figures(place, id).median / this.figures(other, id).median;
  }

  /** Requests of one such operation, by kind, the most frequent first. */
  requests(id: string): [kind: string, count: number][] {
    const { times } = OPERATIONS[id]!;
    return Object.entries(this.#asked.get(`kernel ${id}`) ?? {})
      .map(([kind, count]): [string, number] => [kind, count / times])
      .filter(([, count]) => count >= 0.05)
      .sort(([, a], [, b]) => b - a);
  }
}

/** What is aimed at in an operation and not reached: what it is, compared with the disk or, for a rate, with memory. */
export function missed(results: Results, id: string): number | undefined {
  const { aim, rate } = OPERATIONS[id]!;
  if (aim === undefined) return undefined;
  const reached = results.ratio("kernel", rate ? "memory" : "disk", id);
  return (rate ? reached < aim : reached > aim) ? reached : undefined;
}
