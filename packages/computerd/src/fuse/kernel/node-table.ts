/** The inodes the kernel knows, by how often it was told of each: what it knows lives, with a name or without. */

import type { Ino, MemoryStore } from "@cloudflare/dofs";
import { ROOT_NODE } from "./protocol.ts";

export class NodeTable {
  readonly #store: MemoryStore;
  readonly #root: Ino;
  readonly #counts = new Map<Ino, number>();

  constructor(store: MemoryStore, root: Ino) {
    this.#store = store;
    this.#root = root;
  }

  /** The inode of a node. They have the same number, but for the root's. */
  ino(node: number): Ino {
    return node === ROOT_NODE ? this.#root : node;
  }

  node(ino: Ino): number {
    return ino === this.#root ? ROOT_NODE : ino;
  }

  knows(ino: Ino): boolean {
    return ino === this.#root || this.#counts.has(ino);
  }

  /** Counts an answer that told the kernel of an inode. */
  told(ino: Ino): void {
    if (ino === this.#root) return;
    const count = this.#counts.get(ino);
    if (count === undefined) this.#store.hold(ino);
    this.#counts.set(ino, (count ?? 0) + 1);
  }

  /** Takes back so many of those answers. */
  forget(node: number, answers: number): void {
    const count = this.#counts.get(node);
    if (count === undefined) return;
    if (count > answers) {
      this.#counts.set(node, count - answers);
      return;
    }
    this.#counts.delete(node);
    this.#store.release(node);
  }
}
