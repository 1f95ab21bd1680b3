/** Hashes of contents in memory: taken on the spot where little is hashed, asked for elsewhere where it is much. */

import type { Sha256 } from "./chunks.ts";
import type { Piece, PieceSource, Pieces, Sum } from "./memory-pieces.ts";

/** What one question hashes on the spot though more could be hashed elsewhere, in bytes: less time than a request takes. */
const ON_THE_SPOT = 1 << 20;

/** Bytes to hash, zeros following them up to `length`. */
export interface Unhashed {
  readonly source: PieceSource;
  readonly length: number;
}

/** Thrown in place of an answer that would name contents by hashes that nobody has taken yet. Nothing was changed. */
export class HashesMissing extends Error {
  override readonly name: string = "HashesMissing";
  readonly wanted: readonly Unhashed[];
  readonly #sums: readonly Sum[];

  constructor(wanted: readonly Unhashed[], sums: readonly Sum[]) {
    super(
      `${wanted.length} chunks have no hash yet: take those of \`wanted\`, hand them to \`provide\`, and ask again`,
    );
    this.wanted = wanted;
    this.#sums = sums;
  }

  /** Takes the hashes, in the order of `wanted`; those of what was written meanwhile go nowhere. */
  provide(hashes: readonly Uint8Array[]): void {
    for (const [index, sum] of this.#sums.entries()) sum.hash = hashes[index];
  }
}

export class PieceHashes {
  readonly #sha256: Sha256;
  readonly #pieces: Pieces;
  /** What is asked for elsewhere during the question that is being answered. */
  #asked: { unhashed: Unhashed[]; sums: Sum[]; left: number } | undefined;

  constructor(sha256: Sha256, pieces: Pieces) {
    this.#sha256 = sha256;
    this.#pieces = pieces;
  }

  /** Runs `fn`; throws {@link HashesMissing} where much was to be hashed. The caller undoes what `fn` has changed. */
  elsewhere<T>(fn: () => T): T {
    const outer = this.#asked;
    const asked = { unhashed: [], sums: [], left: ON_THE_SPOT };
    this.#asked = asked;
    try {
      const result = fn();
      if (asked.unhashed.length > 0) throw new HashesMissing(asked.unhashed, asked.sums);
      return result;
    } finally {
      this.#asked = outer;
    }
  }

  /** The hash of a piece that is `length` bytes long, zeros at its end included; undefined where it was asked for elsewhere. */
  of(piece: Piece, length: number): Uint8Array | undefined {
    if (piece.sum?.length === length && piece.sum.hash !== undefined) return piece.sum.hash;
    const asked = this.#asked;
    if (asked !== undefined) asked.left -= length;
    if (asked !== undefined && asked.left < 0) {
      const sum: Sum = { length, hash: undefined };
      piece.sum = sum;
      asked.unhashed.push({ source: this.#pieces.source(piece), length });
      asked.sums.push(sum);
      return undefined;
    }
    const hash = this.#sha256(this.#padded(piece, length));
    piece.sum = { length, hash };
    return hash;
  }

  #padded(piece: Piece, length: number): Uint8Array {
    const bytes = this.#pieces.bytes(piece);
    if (bytes.length === length) return bytes;
    const padded = new Uint8Array(length);
    padded.set(bytes);
    return padded;
  }
}
