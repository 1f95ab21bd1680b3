/** Chunks in SQLite, each stored once and counted by the extents that name it. */

import { FsError } from "../fs-error.ts";
import type { Chunk } from "../inode-store.ts";
import type { Statements } from "../sql/statements.ts";
import { CHUNK_BYTES, hashKey, type Sha256, type ZeroChunk } from "./chunks.ts";

/**
 * A chunk's number is made of the first bits of its hash, so that it is found without an index and each chunk is one row. A key of 32 bytes would
 * not do: SQLite reads a whole row of a table without row ids to compare its key. Where two hashes begin alike, the second takes the next number.
 */
const NUMBER_BITS_ABOVE_32 = 20;
const NUMBERS_TRIED = 8;

const ADD = `INSERT INTO vfs_chunk (id, hash, refs, data) VALUES (?, ?, 1, ?)
  ON CONFLICT (id) DO UPDATE SET refs = refs + 1 WHERE hash = excluded.hash RETURNING id`;
const PUT_LOOSE = `INSERT INTO vfs_chunk (id, hash, refs, data) VALUES (?, ?, 0, ?)
  ON CONFLICT (id) DO UPDATE SET refs = refs WHERE hash = excluded.hash RETURNING id`;
const ADD_KNOWN = "UPDATE vfs_chunk SET refs = refs + 1 WHERE id >= ? AND id < ? AND hash = ? RETURNING id";
const DELETE_UNSHARED = "DELETE FROM vfs_chunk WHERE id = ? AND refs <= 1 RETURNING id";
const DELETE_LOOSE = "DELETE FROM vfs_chunk WHERE id = ? AND refs = 0";
const DELETE_ALL_LOOSE = "DELETE FROM vfs_chunk WHERE refs = 0";
const REMOVE = "UPDATE vfs_chunk SET refs = refs - 1 WHERE id = ?";
const SELECT = "SELECT data FROM vfs_chunk WHERE id >= ? AND id < ? AND hash = ?";
const SELECT_WHOLE = "SELECT data FROM vfs_chunk WHERE id = ?";
const SELECT_RANGE = "SELECT substr(data, ?, ?) AS data FROM vfs_chunk WHERE id = ?";
const SELECT_PRESENT = `SELECT j.value ->> 1 AS key FROM json_each(?) j
  JOIN vfs_chunk c ON c.id >= j.value ->> 0 AND c.id < (j.value ->> 0) + ${NUMBERS_TRIED} AND c.hash = unhex(j.value ->> 1)`;

/** A chunk as an extent names it. */
export interface StoredChunk {
  readonly id: number;
  readonly hash: Uint8Array;
}

/** Chunks put before anything names them wait in memory up to this many bytes, and then as rows without a reference. */
const WAITING_BYTES = 8 * 1024 * 1024;
const HASHES_PER_QUERY = 1000;

export class SqlChunks {
  readonly #sql: Statements;
  readonly #sha256: Sha256;
  readonly #zero: ZeroChunk;
  readonly #waiting = new Map<string, Chunk>();
  #waitingBytes = 0;
  readonly #pins = new Map<string, number>();
  /** Pinned chunks that an extent let go of; they may be nobody's once the pin is gone. */
  readonly #left = new Map<string, number>();

  constructor(sql: Statements, sha256: Sha256, zero: ZeroChunk) {
    this.#sql = sql;
    this.#sha256 = sha256;
    this.#zero = zero;
  }

  /** One more extent names these bytes. 1 row written. */
  add(hash: Uint8Array, bytes: Uint8Array): StoredChunk {
    return this.#insert(ADD, hash, bytes);
  }

  /** One more extent names a chunk that was put or is there already; `EIO` where it is neither. */
  addKnown(hash: Uint8Array): StoredChunk {
    const waiting = this.#waiting.get(hashKey(hash));
    if (waiting !== undefined) return this.add(hash, waiting.bytes);
    const first = firstNumber(hash);
    const found = this.#sql.one<{ id: number }>(ADD_KNOWN, first, first + NUMBERS_TRIED, hash);
    if (found === undefined) throw new FsError("EIO", { detail: "a chunk is missing" });
    return { id: found.id, hash };
  }

  /** One extent less names a chunk; with the last one it goes, unless something still reads it. */
  remove({ id, hash }: StoredChunk): void {
    const key = hashKey(hash);
    if (this.#pins.has(key)) this.#left.set(key, id);
    else if (this.#sql.one(DELETE_UNSHARED, id) !== undefined) return;
    this.#sql.run(REMOVE, id);
  }

  get(hash: Uint8Array): Uint8Array | undefined {
    const key = hashKey(hash);
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting.bytes;
    const first = firstNumber(hash);
    const found = this.#sql.one<{ data: ArrayBuffer }>(SELECT, first, first + NUMBERS_TRIED, hash);
    if (found !== undefined) return new Uint8Array(found.data);
    return this.#zero.is(key) ? new Uint8Array(CHUNK_BYTES) : undefined;
  }

  /** Part of a chunk that an extent or a pin names. */
  range({ id, hash }: StoredChunk, start: number, length: number): Uint8Array {
    // A substring is a copy, which costs more than the rest of a chunk that is wanted nearly whole.
    const whole = start === 0 && 2 * length > CHUNK_BYTES;
    const found = whole
      ? this.#sql.one<{ data: ArrayBuffer }>(SELECT_WHOLE, id)
      : this.#sql.one<{ data: ArrayBuffer }>(SELECT_RANGE, start + 1, length, id);
    if (found === undefined) throw new FsError("EIO", { detail: `chunk ${hashKey(hash)} is missing` });
    return whole && found.data.byteLength > length
      ? new Uint8Array(found.data).slice(0, length)
      : new Uint8Array(found.data);
  }

  put(chunks: readonly Chunk[]): void {
    for (const { hash, bytes } of chunks) {
      const key = hashKey(hash);
      if (bytes.length > CHUNK_BYTES || hashKey(this.#sha256(bytes)) !== key) {
        throw new FsError("EINVAL", { detail: `the bytes of chunk ${key} do not match its hash` });
      }
      if (this.#waiting.has(key) || this.#zero.is(key)) continue;
      if (this.#waitingBytes + bytes.length > WAITING_BYTES) this.#spill();
      this.#waiting.set(key, { hash, bytes });
      this.#waitingBytes += bytes.length;
    }
  }

  missing(hashes: readonly Uint8Array[]): Uint8Array[] {
    const present = new Set<string>();
    for (let i = 0; i < hashes.length; i += HASHES_PER_QUERY) {
      const part = hashes.slice(i, i + HASHES_PER_QUERY);
      const keys = JSON.stringify(part.map((hash) => [firstNumber(hash), hashKey(hash)]));
      for (const { key } of this.#sql.all<{ key: string }>(SELECT_PRESENT, keys)) present.add(key);
    }
    return hashes.filter((hash) => {
      const key = hashKey(hash);
      return !present.has(key) && !this.#waiting.has(key) && !this.#zero.is(key);
    });
  }

  pin(hashes: readonly Uint8Array[]): () => void {
    const keys = hashes.map(hashKey);
    for (const key of keys) this.#pins.set(key, (this.#pins.get(key) ?? 0) + 1);
    return () => {
      for (const key of keys) {
        const left = this.#pins.get(key)! - 1;
        if (left > 0) this.#pins.set(key, left);
        else this.#unpinned(key);
      }
    };
  }

  /** Frees the chunks that nothing names. */
  sweep(): void {
    this.#sql.run(DELETE_ALL_LOOSE);
  }

  #insert(statement: string, hash: Uint8Array, bytes: Uint8Array): StoredChunk {
    const first = firstNumber(hash);
    for (let id = first; id < first + NUMBERS_TRIED; id++) {
      if (this.#sql.one(statement, id, hash, bytes) !== undefined) return { id, hash };
    }
    throw new FsError("EIO", { detail: `${NUMBERS_TRIED} other chunks have hashes that begin like ${hashKey(hash)}` });
  }

  #unpinned(key: string): void {
    this.#pins.delete(key);
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) {
      this.#waiting.delete(key);
      this.#waitingBytes -= waiting.bytes.length;
    }
    const id = this.#left.get(key);
    if (id === undefined) return;
    this.#left.delete(key);
    this.#sql.run(DELETE_LOOSE, id);
  }

  #spill(): void {
    for (const { hash, bytes } of this.#waiting.values()) this.#insert(PUT_LOOSE, hash, bytes);
    this.#waiting.clear();
    this.#waitingBytes = 0;
  }
}

function firstNumber(hash: Uint8Array): number {
  const view = new DataView(hash.buffer, hash.byteOffset, hash.byteLength);
  return (view.getUint32(0) >>> (32 - NUMBER_BITS_ABOVE_32)) * 2 ** 32 + view.getUint32(4);
}
