/** Chunks in SQLite, each stored once under its hash and counted by the extents that name it. */

import { FsError } from "../fs-error.ts";
import type { Chunk } from "../inode-store.ts";
import type { Statements } from "../sql/statements.ts";
import { CHUNK_BYTES, hashKey, type Sha256, type ZeroChunk } from "./chunks.ts";

const ADD = `INSERT INTO vfs_chunk (hash, refs, data) VALUES (?, 1, ?)
  ON CONFLICT (hash) DO UPDATE SET refs = refs + 1`;
const ADD_KNOWN = "UPDATE vfs_chunk SET refs = refs + 1 WHERE hash = ? RETURNING refs";
const PUT_LOOSE = "INSERT INTO vfs_chunk (hash, refs, data) VALUES (?, 0, ?) ON CONFLICT (hash) DO NOTHING";
const DELETE_UNSHARED = "DELETE FROM vfs_chunk WHERE hash = ? AND refs <= 1 RETURNING refs";
const DELETE_LOOSE = "DELETE FROM vfs_chunk WHERE hash = ? AND refs = 0";
const DELETE_ALL_LOOSE = "DELETE FROM vfs_chunk WHERE refs = 0";
const REMOVE = "UPDATE vfs_chunk SET refs = refs - 1 WHERE hash = ?";
const SELECT = "SELECT data FROM vfs_chunk WHERE hash = ?";
const SELECT_RANGE = "SELECT substr(data, ?, ?) AS data FROM vfs_chunk WHERE hash = ?";
const SELECT_PRESENT =
  "SELECT lower(hex(hash)) AS key FROM vfs_chunk WHERE hash IN (SELECT unhex(value) FROM json_each(?))";

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

  constructor(sql: Statements, sha256: Sha256, zero: ZeroChunk) {
    this.#sql = sql;
    this.#sha256 = sha256;
    this.#zero = zero;
  }

  /** One more extent names these bytes. 1 row written. */
  add(hash: Uint8Array, bytes: Uint8Array): void {
    this.#sql.run(ADD, hash, bytes);
  }

  /** One more extent names a chunk that was put or is there already; `EIO` where it is neither. */
  addKnown(hash: Uint8Array): void {
    const waiting = this.#waiting.get(hashKey(hash));
    if (waiting !== undefined) this.add(hash, waiting.bytes);
    else if (this.#sql.one(ADD_KNOWN, hash) === undefined) throw new FsError("EIO", { detail: "a chunk is missing" });
  }

  /** One extent less names a chunk; with the last one it goes, unless something still reads it. */
  remove(hash: Uint8Array): void {
    if (this.#pins.has(hashKey(hash)) || this.#sql.one(DELETE_UNSHARED, hash) === undefined)
      this.#sql.run(REMOVE, hash);
  }

  get(hash: Uint8Array): Uint8Array | undefined {
    const key = hashKey(hash);
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting.bytes;
    const found = this.#sql.one<{ data: ArrayBuffer }>(SELECT, hash);
    if (found !== undefined) return new Uint8Array(found.data);
    return this.#zero.is(key) ? new Uint8Array(CHUNK_BYTES) : undefined;
  }

  /** Part of a chunk that an extent or a pin names. */
  range(hash: Uint8Array, start: number, length: number): Uint8Array {
    const found = this.#sql.one<{ data: ArrayBuffer }>(SELECT_RANGE, start + 1, length, hash);
    if (found === undefined) throw new FsError("EIO", { detail: `chunk ${hashKey(hash)} is missing` });
    return new Uint8Array(found.data);
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
      const keys = JSON.stringify(hashes.slice(i, i + HASHES_PER_QUERY).map(hashKey));
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
      keys.forEach((key, i) => {
        const left = this.#pins.get(key)! - 1;
        if (left > 0) this.#pins.set(key, left);
        else {
          this.#pins.delete(key);
          this.#waiting.delete(key);
          this.#sql.run(DELETE_LOOSE, hashes[i]!);
        }
      });
      this.#waitingBytes = [...this.#waiting.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
    };
  }

  /** Frees the chunks that nothing names. */
  sweep(): void {
    this.#sql.run(DELETE_ALL_LOOSE);
  }

  #spill(): void {
    for (const { hash, bytes } of this.#waiting.values()) this.#sql.run(PUT_LOOSE, hash, bytes);
    this.#waiting.clear();
    this.#waitingBytes = 0;
  }
}
