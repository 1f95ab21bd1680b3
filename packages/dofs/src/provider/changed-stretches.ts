/** Which stretches of a file are to be written when its writer says where it changed. */

import { checkCount } from "../filesystem/arguments.ts";
import { CHUNK_BYTES } from "../store/chunks.ts";

/** A file up to this size, in bytes, is written whole: that is one revision. */
const WHOLE_BYTES = 4 * CHUNK_BYTES;

/** Bytes that changed: `[start, end)`. */
export interface WriteFileRange {
  start: number;
  end: number;
}

/** Stretches on chunk borders that cover the ranges and all beyond the old end; undefined where the file is better written whole. */
export function changedStretches(
  ranges: readonly WriteFileRange[],
  oldSize: number,
  newSize: number,
): WriteFileRange[] | undefined {
  for (const { start, end } of ranges) {
    checkCount(start, "start");
    checkCount(end, "end");
  }
  if (newSize <= WHOLE_BYTES) return undefined;
  const changed = [...ranges, { start: oldSize, end: newSize }]
    .filter(({ start, end }) => start < Math.min(end, newSize))
    .sort((a, b) => a.start - b.start);
  const stretches: WriteFileRange[] = [];
  for (const range of changed) {
    const start = Math.floor(range.start / CHUNK_BYTES) * CHUNK_BYTES;
    const end = Math.min(Math.ceil(range.end / CHUNK_BYTES) * CHUNK_BYTES, newSize);
    const last = stretches.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else stretches.push({ start, end });
  }
  return stretches;
}
