/** How much of one content is in another, counted in lines and pieces of 64 bytes as git counts them. */

import { isBinary } from "./binary.ts";
import { MAX_SCORE } from "./change.ts";

const HASH_BASE = 107_927;
const PIECE = 64;

/** Bytes by the hash of the piece they are in. */
export type Pieces = ReadonlyMap<number, number>;

export function piecesOf(data: Uint8Array): Pieces {
  const pieces = new Map<number, number>();
  const text = !isBinary(data);
  let [a, b, n] = [0, 0, 0];
  const put = (): void => {
    const hash = ((a + Math.imul(b, 0x61)) >>> 0) % HASH_BASE;
    pieces.set(hash, (pieces.get(hash) ?? 0) + n);
    [a, b, n] = [0, 0, 0];
  };
  for (let i = 0; i < data.length; i++) {
    const byte = data[i]!;
    if (text && byte === 0x0d && data[i + 1] === 0x0a) continue;
    const before = a;
    a = ((a << 7) ^ (b >>> 25)) >>> 0;
    b = ((b << 7) ^ (before >>> 25)) >>> 0;
    a = (a + byte) >>> 0;
    if (++n < PIECE && byte !== 0x0a) continue;
    put();
  }
  if (n > 0) put();
  return pieces;
}

/** How similar two contents are, of 60,000; 0 where they cannot come to `least`. */
export function similarity(
  old: { size: number; pieces(): Pieces },
  next: { size: number; pieces(): Pieces },
  least: number,
): number {
  const larger = Math.max(old.size, next.size);
  const delta = larger - Math.min(old.size, next.size);
  if (larger * (MAX_SCORE - least) < delta * MAX_SCORE) return 0;
  if (old.size === 0 || next.size === 0) return 0;
  const after = next.pieces();
  let copied = 0;
  for (const [hash, count] of old.pieces()) copied += Math.min(count, after.get(hash) ?? 0);
  return larger === 0 ? 0 : Math.floor((copied * MAX_SCORE) / larger);
}
