/** Inflating: what is compressed with zlib, of which the length before is known and the length after is not. */

import { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";

const SMALLEST_CHUNK = 64;
const LARGEST_CHUNK = 1024 * 1024;

/** What inflating gave, and how many bytes it took. */
export interface Inflated {
  readonly data: Buffer;
  readonly taken: number;
}

/** The bytes that `size` inflated ones take at most when compressed. */
export function compressedBound(size: number): number {
  return size + Math.ceil(size / 1000) + 64;
}

/** Inflates from the beginning of `bytes`, ignoring what follows. Throws where they are cut short. */
export function inflate(bytes: Uint8Array, size: number): Inflated {
  const chunkSize = Math.min(Math.max(size + 1, SMALLEST_CHUNK), LARGEST_CHUNK);
  // The declarations do not know that `info` gives both.
  const inflated: unknown = inflateSync(bytes, { info: true, chunkSize });
  const { buffer, engine } = inflated as { buffer: Uint8Array; engine: { bytesWritten: number } };
  const data = Buffer.isBuffer(buffer) ? buffer : Buffer.from(buffer);
  if (data.length !== size) throw new Error(`an object should have ${size} bytes and has ${data.length}`);
  return { data, taken: engine.bytesWritten };
}
