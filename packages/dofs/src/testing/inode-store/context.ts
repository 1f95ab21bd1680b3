/** What the tests of an InodeStore share. */

import { test } from "vitest";
import type { ChangeEntry } from "../../changes.ts";
import { type Ino, type InodeStore, ROOT_INO } from "../../inode-store.ts";

export interface StoreSuite {
  readonly withStore: (body: (store: InodeStore) => void | Promise<void>) => void | Promise<void>;
}

/** A test on a new store. */
export function storeTest(suite: StoreSuite, title: string, body: (store: InodeStore) => void): void {
  test(title, async () => {
    await suite.withStore(body);
  });
}

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export const text = (store: InodeStore, ino: Ino): string => {
  const found = store.read(ino, 0, 1_000_000);
  return found instanceof Uint8Array ? new TextDecoder().decode(found) : "absent";
};

/** Bytes that differ from place to place, the same at every call. */
export function pattern(length: number, seed = 1): Uint8Array {
  const out = new Uint8Array(length);
  let state = seed;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    out[i] = state >>> 24;
  }
  return out;
}

export const file = (store: InodeStore, parent: Ino, name: string, content?: string): Ino =>
  store.create(parent, name, { kind: "file", mode: 0o644, content: bytes(content ?? name) }).ino;

export const directory = (store: InodeStore, parent: Ino, name: string): Ino =>
  store.create(parent, name, { kind: "dir", mode: 0o755 }).ino;

export const names = (store: InodeStore, parent?: Ino): string[] =>
  store.readdir(parent ?? ROOT_INO, undefined, 1000).map(({ name }) => name);

/** An entry as one line, for comparing streams. */
export function line(entry: ChangeEntry): string {
  const marks = [
    entry.kind === "dir" && entry.fresh ? "fresh" : "",
    entry.kind === "file" && entry.sameAs ? `= ${entry.sameAs}` : "",
  ];
  return [entry.kind, entry.path, ...marks].filter(Boolean).join(" ");
}

/** The whole tree as lines, contents and stamps included. */
export function tree(store: InodeStore): string[] {
  const lines: string[] = [];
  const page = store.changes({ rev: 0, path: null }, { entries: 1_000_000 });
  for (const entry of page.entries) {
    const rest = entry.kind === "delete" ? "" : `${entry.mode.toString(8)} ${entry.kind === "dir" ? "" : entry.mtime}`;
    const contents =
      entry.kind === "file"
        ? (entry.data ?? entry.chunks.map(({ hash }) => [...hash.subarray(0, 4)].join("."))).toString()
        : entry.kind === "symlink"
          ? entry.target
          : "";
    lines.push(`${line(entry)} ${rest} ${contents}`);
  }
  return lines;
}

/** Brings the chunks of entries from one store to another. */
export function carryChunks(from: InodeStore, to: InodeStore, entries: readonly ChangeEntry[]): void {
  const hashes = entries.flatMap((entry) => (entry.kind === "file" ? entry.chunks.map(({ hash }) => hash) : []));
  to.putChunks(to.missingChunks(hashes).map((hash) => ({ hash, bytes: from.getChunk(hash)! })));
}
