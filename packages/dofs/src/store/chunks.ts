/** How contents are cut: the sizes, and the keys by which chunks are found. */

/** Bytes of a chunk; only a file's last one is shorter. */
export const CHUNK_BYTES: number = 256 * 1024;

/** Contents up to this many bytes stand in the inode's own row and travel inside their entry. */
export const INLINE_BYTES: number = 32 * 1024;

/** SHA-256 of bytes, 32 bytes long, at once. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** How many chunks contents of this size have. */
export function chunkCount(size: number): number {
  return Math.ceil(size / CHUNK_BYTES);
}

/** How many bytes the chunk at an index has in contents of this size. */
export function chunkLength(size: number, index: number): number {
  return Math.min(CHUNK_BYTES, size - index * CHUNK_BYTES);
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** A hash as a map's key. */
export function hashKey(hash: Uint8Array): string {
  let key = "";
  for (const byte of hash) key += HEX[byte];
  return key;
}

/** A chunk of nothing but zeros, which is never stored: a hole in contents. */
export class ZeroChunk {
  readonly #sha256: Sha256;
  #hash: Uint8Array | undefined;
  #key = "";

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  get hash(): Uint8Array {
    if (this.#hash === undefined) {
      this.#hash = this.#sha256(new Uint8Array(CHUNK_BYTES));
      this.#key = hashKey(this.#hash);
    }
    return this.#hash;
  }

  is(key: string): boolean {
    void this.hash;
    return key === this.#key;
  }
}
