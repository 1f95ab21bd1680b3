/** A computer whose files came in one revision and are made when they are asked for, so that they take no memory here. */

import { type ChangeEntry, type Chunk, hashKey } from "@cloudflare/dofs";
import type { SyncPagesRPC, SyncRPC } from "../src/index.ts";
import { sha256 } from "./link.ts";

const CHUNK = 256 * 1024;

/** `files` files of `size` bytes, no two chunks alike. */
export function largeRevision(files: number, size: number): { rpc: SyncRPC & SyncPagesRPC; asked: { most: number } } {
  const chunkOf = (file: number, index: number): Uint8Array => {
    const bytes = new Uint8Array(Math.min(CHUNK, size - index * CHUNK));
    new DataView(bytes.buffer).setFloat64(0, file * 1e6 + index + 1);
    return bytes;
  };
  const made = new Map<string, [file: number, index: number]>();
  const entries = Array.from({ length: files }, (_, file): ChangeEntry => {
    const chunks = Array.from({ length: Math.ceil(size / CHUNK) }, (_, index) => {
      const bytes = chunkOf(file, index);
      const hash = sha256(bytes);
      made.set(hashKey(hash), [file, index]);
      return { hash, size: bytes.length };
    });
    return { kind: "file", rev: 2, path: `/workspace/${file}`, mode: 0o644, mtime: 1, size, chunks };
  });
  const asked = { now: 0, most: 0 };
  const refuse = () => Promise.reject(new Error("not asked here"));
  return {
    asked,
    rpc: {
      push: refuse,
      fetchChanges: refuse,
      readEntry: async () => null,
      hasObjects: async () => [],
      fetchObjects: () => new ReadableStream(),
      pushObjects: refuse,
      putChunks: refuse,
      watermarks: async () => ({ currentRev: 1, pushRev: 0, fetchCursor: { rev: 1, path: null } }),
      async pushPage({ entries: pushed }) {
        return { applied: pushed.length, refused: [], withheld: [], rev: 1 };
      },
      async pullPage({ after, contents }) {
        const from =
          after.rev < 2 ? 0 : after.path === null ? files : entries.findIndex(({ path }) => path === after.path) + 1;
        const page = entries.slice(from, from + Math.max(1, Math.floor(contents / size)));
        const done = from + page.length >= files;
        return { entries: page, cursor: { rev: 2, path: done ? null : page.at(-1)!.path }, done, reset: false, rev: 2 };
      },
      async getChunks(hashes) {
        const chunks = hashes.flatMap((hash): Chunk[] => {
          const place = made.get(hashKey(hash));
          return place === undefined ? [] : [{ hash, bytes: chunkOf(...place) }];
        });
        const bytes = chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0);
        asked.now += bytes;
        asked.most = Math.max(asked.most, asked.now);
        // They are held on the way until the turn after the one in which they are taken.
        await new Promise((resolve) => setImmediate(resolve));
        asked.now -= bytes;
        return chunks;
      },
    },
  };
}
