/** Random changes of a small tree, each contents with a token of its own, so that a loss can be told from a deletion. */

import type { InodeStore } from "@cloudflare/dofs";
import { find, link, mkdir, read, remove, rename, symlink, tree, write } from "./tree.ts";

const NAMES = ["a", "b", "c", "d"];
const LARGE = 300_000;
const encoder = new TextEncoder();

/** The tokens that a tree's files begin with. */
export function tokens(store: InodeStore, root: string): Set<string> {
  const found = new Set<string>();
  for (const [path, what] of Object.entries(tree(store, root))) {
    if (what.startsWith("file")) found.add(new TextDecoder().decode(read(store, path).subarray(0, 12)));
  }
  return found;
}

/** One side of a sync that is changed at random. */
export class RandomSide {
  readonly store: InodeStore;
  /** The tokens that this side's own changes took away: nobody has to keep them. */
  readonly released: Set<string> = new Set();
  readonly written: Set<string> = new Set();
  readonly log: string[] = [];
  readonly #name: string;
  readonly #next: () => number;
  #count = 0;

  constructor(name: string, store: InodeStore, next: () => number) {
    this.store = store;
    this.#name = name;
    this.#next = next;
  }

  /** Makes one change; one that the tree does not allow is left out. */
  change(): void {
    const before = tokens(this.store, "/workspace");
    const path = this.#path();
    const other = this.#path();
    const kind = Math.floor(this.#next() * 10);
    try {
      this.#apply(kind, path, other);
      this.log.push(`${this.#name} ${kind} ${path} ${other}`);
    } catch {
      // A parent is missing, a name is taken, a directory would go into itself: no change.
    }
    const after = tokens(this.store, "/workspace");
    for (const token of after) if (!before.has(token)) this.written.add(token);
    for (const token of before) if (!after.has(token)) this.released.add(token);
  }

  #apply(kind: number, path: string, other: string): void {
    const { store } = this;
    if (kind < 3) write(store, path, this.#content(20));
    else if (kind === 3) write(store, path, this.#content(LARGE));
    else if (kind < 6) mkdir(store, path);
    else if (kind === 6) remove(store, path);
    else if (kind === 7) rename(store, path, other);
    else if (kind === 8 && this.#next() < 0.5) link(store, path, other);
    else if (kind === 8) symlink(store, other, path);
    else store.setattr(find(store, path)!.ino, { mode: this.#next() < 0.5 ? 0o700 : 0o755 });
  }

  #content(size: number): Uint8Array {
    const token = `${this.#name}${String(this.#count++).padStart(11, "0")}`;
    const bytes = new Uint8Array(size);
    bytes.set(encoder.encode(token));
    return bytes;
  }

  #path(): string {
    const depth = 1 + Math.floor(this.#next() * 3);
    const names = Array.from({ length: depth }, () => NAMES[Math.floor(this.#next() * NAMES.length)]);
    return `/workspace/${names.join("/")}`;
  }
}
