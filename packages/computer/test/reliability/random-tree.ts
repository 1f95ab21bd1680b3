/** Random changes of a small tree, each contents with a token of its own, so that a loss can be told from a removal. */

import { createHash } from "node:crypto";
import { type Absent, type Attr, type InodeStore, ROOT_INO } from "@cloudflare/dofs";

const NAMES = ["a", "b", "c", "d"];
const LARGE = 300_000;
const CHUNK = 262_144;
const TOKEN = 12;

export const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash("sha256").update(bytes).digest());

/** Numbers from 0 to below 1 that a seed brings back. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The tokens that were given out, and those of contents that are known by hash only. */
export class Tokens {
  readonly #byHash = new Map<string, string>();
  #count = 0;

  content(side: string, large: boolean): Uint8Array {
    const token = `${side}${String(this.#count++).padStart(TOKEN - 1, "0")}`;
    const bytes = new Uint8Array(large ? LARGE : 20);
    bytes.set(new TextEncoder().encode(token));
    if (large) {
      bytes.set(bytes.subarray(0, TOKEN), CHUNK);
      this.#byHash.set(key(sha256(bytes.subarray(0, CHUNK))), token);
    }
    return bytes;
  }

  /** The tokens of all files of a store. */
  in(store: InodeStore, root: string): Set<string> {
    const found = new Set<string>();
    for (const [, attr] of files(store, root)) {
      if (attr.kind !== "file") continue;
      const bytes = store.read(attr.ino, 0, TOKEN);
      const token = bytes instanceof Uint8Array ? new TextDecoder().decode(bytes) : this.#absent(bytes);
      if (token !== undefined) found.add(token);
    }
    return found;
  }

  #absent({ absent: [hash] }: Absent): string | undefined {
    return hash === undefined ? undefined : this.#byHash.get(key(hash));
  }
}

const key = (hash: Uint8Array): string => Buffer.from(hash).toString("hex");

/** What one side changed at random, and what became of its tokens by that. */
export class RandomSide {
  readonly written: Set<string> = new Set();
  /** Tokens that a change of this side took away: nobody has to keep them. */
  readonly released: Set<string> = new Set();
  readonly #name: string;
  readonly #tokens: Tokens;
  readonly #next: () => number;

  constructor(name: string, tokens: Tokens, next: () => number) {
    this.#name = name;
    this.#tokens = tokens;
    this.#next = next;
  }

  /** Makes one change, in one transaction; one that the tree does not allow, or that fails, is none. */
  change(store: InodeStore): void {
    const before = this.#tokens.in(store, "/workspace");
    const [path, other, kind, chance] = [this.#path(), this.#path(), Math.floor(this.#next() * 11), this.#next()];
    try {
      store.transaction(() => this.#apply(store, kind, path, other, chance));
    } catch {
      // A parent is missing, a name is taken, the disk is full: no change.
      return;
    }
    const after = this.#tokens.in(store, "/workspace");
    for (const token of after) if (!before.has(token)) this.written.add(token);
    for (const token of before) if (!after.has(token)) this.released.add(token);
  }

  #apply(store: InodeStore, kind: number, path: string, other: string, chance: number): void {
    const there = find(store, path);
    if (kind < 3) write(store, path, this.#tokens.content(this.#name, false));
    else if (kind < 5) write(store, path, this.#tokens.content(this.#name, true));
    else if (kind < 7) store.create(...place(store, path), { kind: "dir", mode: 0o755 });
    else if (kind === 7) store.removeTree(...place(store, path));
    else if (kind === 8) store.rename(...place(store, path), ...place(store, other));
    else if (kind === 9 && chance < 0.5) store.link(there!.ino, ...place(store, other));
    else if (kind === 9) store.create(...place(store, path), { kind: "symlink", mode: 0o777, target: other });
    else store.setattr(there!.ino, { mode: chance < 0.5 ? 0o700 : 0o755 });
  }

  #path(): string {
    const depth = 1 + Math.floor(this.#next() * 3);
    const names = Array.from({ length: depth }, () => NAMES[Math.floor(this.#next() * NAMES.length)]);
    return `/workspace/${names.join("/")}`;
  }
}

export function find(store: InodeStore, path: string): Attr | undefined {
  let attr: Attr | undefined = store.getattr(ROOT_INO);
  for (const name of path.split("/").filter((name) => name !== "")) {
    if (attr?.kind !== "dir") return undefined;
    attr = store.lookup(attr.ino, name);
  }
  return attr;
}

function place(store: InodeStore, path: string): [number, string] {
  const cut = path.lastIndexOf("/");
  return [find(store, path.slice(0, cut))!.ino, path.slice(cut + 1)];
}

function write(store: InodeStore, path: string, content: Uint8Array): void {
  const there = find(store, path);
  if (there !== undefined) store.replace(there.ino, content);
  else store.create(...place(store, path), { kind: "file", mode: 0o644, content });
}

/** Everything under a directory, by path. */
export function* files(store: InodeStore, root: string): Generator<[path: string, attr: Attr]> {
  const top = find(store, root);
  if (top?.kind !== "dir") return;
  for (const { name, attr } of store.readdir(top.ino, undefined, 100_000)) {
    yield [`${root}/${name}`, attr];
    if (attr.kind === "dir") yield* files(store, `${root}/${name}`);
  }
}

/** A tree as lines that can be compared, contents included; hard links show by the first path of their inode. */
export function describe(store: InodeStore): string[] {
  const first = new Map<number, string>();
  return [...files(store, "/workspace")].map(([path, attr]) => {
    const mode = attr.mode.toString(8);
    if (attr.kind === "dir") return `${path} dir ${mode}`;
    if (attr.kind === "symlink") return `${path} -> ${store.readlink(attr.ino)}`;
    const twin = first.get(attr.ino);
    if (twin !== undefined) return `${path} = ${twin}`;
    first.set(attr.ino, path);
    const bytes = store.read(attr.ino, 0, attr.size);
    const contents = bytes instanceof Uint8Array ? key(sha256(bytes)).slice(0, 16) : "absent";
    return `${path} file ${mode} ${attr.mtime} ${attr.size} ${contents}`;
  });
}
