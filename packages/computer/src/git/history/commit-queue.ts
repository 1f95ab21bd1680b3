/** Commits in the order of their dates, the newest first; of one date in the order in which they came. */

import type { Commit } from "../objects/commit.ts";

export class CommitQueue {
  readonly #heap: { commit: Commit; order: number }[] = [];
  #next = 0;

  get size(): number {
    return this.#heap.length;
  }

  push(commit: Commit): void {
    const heap = this.#heap;
    heap.push({ commit, order: this.#next++ });
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!before(heap[at]!, heap[parent]!)) break;
      [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
      at = parent;
    }
  }

  pop(): Commit | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined) return undefined;
    if (heap.length > 0) {
      heap[0] = last;
      for (let at = 0; ; ) {
        const left = 2 * at + 1;
        if (left >= heap.length) break;
        const child = left + 1 < heap.length && before(heap[left + 1]!, heap[left]!) ? left + 1 : left;
        if (!before(heap[child]!, heap[at]!)) break;
        [heap[at], heap[child]] = [heap[child]!, heap[at]!];
        at = child;
      }
    }
    return first.commit;
  }

  *[Symbol.iterator](): Generator<Commit> {
    for (const { commit } of this.#heap) yield commit;
  }
}

function before(a: { commit: Commit; order: number }, b: { commit: Commit; order: number }): boolean {
  const difference = a.commit.committer.timestamp - b.commit.committer.timestamp;
  return difference > 0 || (difference === 0 && a.order < b.order);
}
