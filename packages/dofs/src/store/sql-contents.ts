/** Contents in SQLite: small ones in the inode's row, larger ones as chunks that equal contents share. */

import { FsError } from "../fs-error.ts";
import type { Absent, Chunk, Content, Ino, Snapshot, Stage } from "../inode-store.ts";
import type { Statements } from "../sql/statements.ts";
import { CHUNK_BYTES, chunkCount, chunkLength, hashKey, INLINE_BYTES, type Sha256, ZeroChunk } from "./chunks.ts";
import type { ContentPatch, Contents, Described, InodeRow } from "./rows.ts";
import { SqlChunks, type StoredChunk } from "./sql-chunks.ts";
import { SqlStage } from "./sql-stage.ts";

const SELECT_DATA = "SELECT data FROM vfs_inode WHERE ino = ?";
/** Kind 0 is a file's. */
const SELECT_SMALL = `SELECT ino, data FROM vfs_inode
  WHERE kind = 0 AND content IS NULL AND ino IN (SELECT value FROM json_each(?))`;
const SELECT_DATA_RANGE = "SELECT substr(data, ?, ?) AS data FROM vfs_inode WHERE ino = ?";
const SELECT_EXTENTS =
  "SELECT idx, chunk, hash FROM vfs_extent WHERE content = ? AND idx >= ? AND idx <= ? ORDER BY idx";
const SELECT_RANGE = `SELECT substr(c.data, ?, ?) AS data FROM vfs_extent e JOIN vfs_chunk c ON c.id = e.chunk
  WHERE e.content = ? AND e.idx = ?`;
const SELECT_WHOLE = `SELECT c.data FROM vfs_extent e JOIN vfs_chunk c ON c.id = e.chunk
  WHERE e.content = ? AND e.idx = ?`;
const PUT_EXTENT = `INSERT INTO vfs_extent (content, idx, chunk, hash) VALUES (?, ?, ?, ?)
  ON CONFLICT (content, idx) DO UPDATE SET chunk = excluded.chunk, hash = excluded.hash`;
const DELETE_EXTENT = "DELETE FROM vfs_extent WHERE content = ? AND idx = ?";
const DELETE_EXTENTS = "DELETE FROM vfs_extent WHERE content = ? AND idx >= ?";
const SELECT_NEWEST_EXTENT = "SELECT content FROM vfs_extent ORDER BY content DESC LIMIT 1";
const SELECT_NEWEST_INODE = "SELECT max(content) AS content FROM vfs_stage";
const SELECT_STAGES = "SELECT content FROM vfs_stage";
const INSERT_STAGE = "INSERT INTO vfs_stage (content) VALUES (?)";
const DELETE_STAGE = "DELETE FROM vfs_stage WHERE content = ? RETURNING content";

const NO_BYTES = new Uint8Array(0);
const LAST_INDEX = Number.MAX_SAFE_INTEGER;

/** The rows that these contents belong to. */
export interface ContentsHost {
  /** Makes the tables at the first use. */
  ready(): void;
  transaction<T>(fn: () => T): T;
  /** Calls back when the outermost transaction is through; never where it is undone. */
  afterCommit(fn: () => void): void;
}

export class SqlContents implements Contents {
  readonly #sql: Statements;
  readonly #sha256: Sha256;
  readonly #zero: ZeroChunk;
  readonly #chunks: SqlChunks;
  readonly #host: ContentsHost;
  /** Stages that a transaction took over which is not through yet. */
  readonly #taken = new Set<SqlStage>();
  #nextContent: number | undefined;

  constructor(sql: Statements, sha256: Sha256, host: ContentsHost) {
    this.#sql = sql;
    this.#sha256 = sha256;
    this.#zero = new ZeroChunk(sha256);
    this.#chunks = new SqlChunks(sql, sha256, this.#zero);
    this.#host = host;
  }

  read(row: InodeRow, offset: number, length: number): Uint8Array | Absent {
    if (row.content === undefined) return this.#inline(row, offset, length);
    const { content, size } = row;
    return gather(offset, length, (index, start, part) => {
      const whole = start === 0 && part === chunkLength(size, index);
      const found = whole
        ? this.#sql.one<{ data: ArrayBuffer }>(SELECT_WHOLE, content, index)
        : this.#sql.one<{ data: ArrayBuffer }>(SELECT_RANGE, start + 1, part, content, index);
      if (found === undefined && chunkLength(size, index) < CHUNK_BYTES)
        throw new FsError("EIO", { detail: `chunk ${index} is missing` });
      return found && new Uint8Array(found.data);
    });
  }

  small(inos: readonly Ino[]): Map<Ino, Uint8Array> {
    if (inos.length === 0) return new Map();
    const rows = this.#sql.arrays<[ino: Ino, data: ArrayBuffer | null]>(SELECT_SMALL, JSON.stringify(inos));
    return new Map(rows.map(([ino, data]) => [ino, data === null ? NO_BYTES : new Uint8Array(data)]));
  }

  write(row: InodeRow, offset: number, bytes: Uint8Array): ContentPatch {
    const size = Math.max(row.size, offset + bytes.length);
    if (size <= INLINE_BYTES && row.content === undefined) {
      const data = new Uint8Array(size);
      data.set(this.#inline(row, 0, row.size));
      data.set(bytes, offset);
      return { size, data };
    }
    return this.#rewrite(row, size, offset, bytes);
  }

  resize(row: InodeRow, size: number): ContentPatch {
    if (size <= INLINE_BYTES) {
      const data = new Uint8Array(size);
      const kept = this.read(row, 0, Math.min(size, row.size));
      data.set(kept as Uint8Array);
      this.drop(row);
      return { size, data, content: undefined };
    }
    return this.#rewrite(row, size, size, NO_BYTES);
  }

  replace(row: InodeRow, content: Content): ContentPatch {
    if (content instanceof Uint8Array) {
      if (content.length <= INLINE_BYTES) {
        this.drop(row);
        return { size: content.length, data: content, content: undefined };
      }
      const number = row.content ?? this.#newContent();
      const before = this.#extents(row);
      for (let index = 0; index < chunkCount(content.length); index++) {
        const bytes = content.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES);
        this.#setChunk(number, index, bytes, before.get(index));
      }
      this.#cut(number, chunkCount(content.length), before);
      return { size: content.length, data: null, content: number };
    }
    if (!(content instanceof SqlStage && content.open)) {
      throw new FsError("EINVAL", { detail: "the stage belongs to another store or was used before" });
    }
    if (content.content === undefined && content.size <= INLINE_BYTES) {
      const data = content.pending.slice();
      this.drop(row);
      content.close();
      return { size: data.length, data, content: undefined };
    }
    content.flush();
    this.drop(row);
    this.#sql.run(DELETE_STAGE, content.content!);
    const patch = { size: content.size, data: null, content: content.content };
    content.close();
    this.#taken.add(content);
    this.#host.afterCommit(() => {
      if (this.#taken.delete(content)) content.content = undefined;
    });
    return patch;
  }

  adopt(row: InodeRow, size: number, from: Described): ContentPatch {
    if (from.data !== undefined) return this.replace(row, from.data);
    if (size <= INLINE_BYTES) return this.replace(row, this.#joined(from));
    const number = row.content ?? this.#newContent();
    const before = this.#extents(row);
    from.chunks.forEach(({ hash, size: length }, index) => {
      if (length !== chunkLength(size, index)) {
        throw new FsError("EINVAL", { detail: `chunks are ${CHUNK_BYTES} bytes, the last one shorter` });
      }
      this.#setHash(number, index, hash, before.get(index));
    });
    this.#cut(number, from.chunks.length, before);
    return { size, data: null, content: number };
  }

  drop(row: InodeRow): void {
    if (row.content !== undefined) this.#cut(row.content, 0, this.#extents(row));
  }

  describe(row: InodeRow): Described {
    if (row.content === undefined) return { chunks: [], data: this.#inline(row, 0, row.size) };
    const chunks = this.#extents(row);
    const refs = Array.from({ length: chunkCount(row.size) }, (_, index) => ({
      hash: chunks.get(index)?.hash ?? this.#zero.hash,
      size: chunkLength(row.size, index),
    }));
    return { chunks: refs };
  }

  snapshot(row: InodeRow): Snapshot {
    const { size } = row;
    const clamp = (offset: number, length: number) => Math.max(0, Math.min(length, size - offset));
    if (row.content === undefined) {
      const bytes = this.#inline(row, 0, size);
      return { size, read: (offset, length) => bytes.slice(offset, offset + clamp(offset, length)), release: () => {} };
    }
    const chunks = this.#extents(row);
    const unpin = this.#chunks.pin([...chunks.values()].map(({ hash }) => hash));
    let open = true;
    return {
      size,
      read: (offset, length) => {
        if (!open) throw new FsError("EBADF", { detail: "the snapshot was released" });
        return gather(offset, clamp(offset, length), (index, start, part) => {
          const chunk = chunks.get(index);
          return chunk && this.#chunks.range(chunk, start, part);
        });
      },
      release: () => {
        if (open) unpin();
        open = false;
      },
    };
  }

  stage(): Stage {
    return new SqlStage(
      (stage, index, bytes) => {
        stage.content = this.#host.transaction(() => {
          const content = stage.content ?? this.#newContent();
          if (stage.content === undefined) this.#sql.run(INSERT_STAGE, content);
          this.#setChunk(content, index, bytes, undefined);
          return content;
        });
      },
      (content) => this.#host.transaction(() => this.#dropStage(content)),
    );
  }

  missing(hashes: readonly Uint8Array[]): Uint8Array[] {
    this.#host.ready();
    return this.#chunks.missing(hashes);
  }

  put(chunks: readonly Chunk[]): void {
    this.#host.ready();
    this.#chunks.put(chunks);
  }

  get(hash: Uint8Array): Uint8Array | undefined {
    this.#host.ready();
    return this.#chunks.get(hash);
  }

  pin(hashes: readonly Uint8Array[]): () => void {
    return this.#chunks.pin(hashes);
  }

  /** Frees what unfinished stages and pushes of an earlier life left behind. */
  sweep(): void {
    for (const { content } of this.#sql.all<{ content: number }>(SELECT_STAGES)) this.#dropStage(content);
    this.#chunks.sweep();
  }

  /** A transaction was undone: stages that it took over are again what nothing names. */
  forget(): void {
    this.#nextContent = undefined;
    this.#taken.clear();
  }

  #inline(row: InodeRow, offset: number, length: number): Uint8Array {
    if (length === 0) return new Uint8Array(0);
    const whole = offset === 0 && length === row.size;
    const found = whole
      ? this.#sql.one<{ data: ArrayBuffer | null }>(SELECT_DATA, row.ino)
      : this.#sql.one<{ data: ArrayBuffer | null }>(SELECT_DATA_RANGE, offset + 1, length, row.ino);
    return found?.data ? new Uint8Array(found.data) : new Uint8Array(0);
  }

  /** Makes contents `size` bytes long with `bytes` at `offset`, touching only the chunks that this changes. */
  #rewrite(row: InodeRow, size: number, offset: number, bytes: Uint8Array): ContentPatch {
    const content = row.content ?? this.#newContent();
    const small = row.content === undefined ? this.#inline(row, 0, row.size) : undefined;
    const end = offset + bytes.length;
    const lastBefore = chunkCount(row.size) - 1;
    const last = chunkCount(size) - 1;
    const touched = new Set<number>();
    for (let index = Math.floor(offset / CHUNK_BYTES); index * CHUNK_BYTES < end; index++) touched.add(index);
    if (small !== undefined) touched.add(0);
    // A chunk is stored at its full length: the old last one gets longer, the new last one may be made or cut.
    if (size > row.size && lastBefore >= 0 && row.size % CHUNK_BYTES !== 0) touched.add(lastBefore);
    if (size !== row.size && size % CHUNK_BYTES !== 0) touched.add(last);
    const before = row.content === undefined ? new Map<number, StoredChunk>() : this.#extentsAt(content, touched);
    for (const index of [...touched].sort((a, b) => a - b)) {
      const start = index * CHUNK_BYTES;
      const length = chunkLength(size, index);
      const covered = offset <= start && end >= start + length;
      let chunk: Uint8Array;
      if (covered) chunk = bytes.subarray(start - offset, start - offset + length);
      else {
        chunk = new Uint8Array(length);
        const stored = before.get(index);
        const old = index === 0 && small !== undefined ? small : stored && this.#chunks.range(stored, 0, length);
        if (old !== undefined) chunk.set(old.subarray(0, length));
        const from = Math.max(offset, start);
        const to = Math.min(end, start + length);
        if (from < to) chunk.set(bytes.subarray(from - offset, to - offset), from - start);
      }
      this.#setChunk(content, index, chunk, before.get(index));
    }
    if (last < lastBefore) this.#cut(content, last + 1, this.#extents(row, last + 1));
    return row.content === undefined ? { size, data: null, content } : { size };
  }

  #setChunk(content: number, index: number, bytes: Uint8Array, before: StoredChunk | undefined): void {
    const hash = this.#sha256(bytes);
    if (before !== undefined && hashKey(before.hash) === hashKey(hash)) return;
    if (this.#isHole(hash, bytes.length, index)) {
      if (before !== undefined) this.#sql.run(DELETE_EXTENT, content, index);
    } else {
      const { id } = this.#chunks.add(hash, bytes);
      this.#sql.run(PUT_EXTENT, content, index, id, hash);
    }
    if (before !== undefined) this.#chunks.remove(before);
  }

  #setHash(content: number, index: number, hash: Uint8Array, before: StoredChunk | undefined): void {
    if (before !== undefined && hashKey(before.hash) === hashKey(hash)) return;
    if (this.#isHole(hash, CHUNK_BYTES, index)) {
      if (before !== undefined) this.#sql.run(DELETE_EXTENT, content, index);
    } else {
      const zeros = this.#zero.is(hashKey(hash));
      const { id } = zeros ? this.#chunks.add(hash, new Uint8Array(CHUNK_BYTES)) : this.#chunks.addKnown(hash);
      this.#sql.run(PUT_EXTENT, content, index, id, hash);
    }
    if (before !== undefined) this.#chunks.remove(before);
  }

  /** A first chunk of zeros is stored all the same: contents without a row would lose their number to others. */
  #isHole(hash: Uint8Array, length: number, index: number): boolean {
    return index > 0 && length === CHUNK_BYTES && this.#zero.is(hashKey(hash));
  }

  #cut(content: number, from: number, chunks: ReadonlyMap<number, StoredChunk>): void {
    const gone = [...chunks].filter(([index]) => index >= from);
    if (gone.length === 0) return;
    this.#sql.run(DELETE_EXTENTS, content, from);
    for (const [, chunk] of gone) this.#chunks.remove(chunk);
  }

  /** Frees a stage's contents, unless an inode has taken them. */
  #dropStage(content: number): void {
    if (this.#sql.one(DELETE_STAGE, content) === undefined) return;
    this.#cut(content, 0, this.#extentsFrom(content, 0));
  }

  #extents(row: InodeRow, from = 0): Map<number, StoredChunk> {
    return row.content === undefined ? new Map() : this.#extentsFrom(row.content, from);
  }

  #extentsFrom(content: number, from: number, to: number = LAST_INDEX): Map<number, StoredChunk> {
    const found = this.#sql.all<{ idx: number; chunk: number; hash: ArrayBuffer }>(SELECT_EXTENTS, content, from, to);
    return new Map(found.map(({ idx, chunk, hash }) => [idx, { id: chunk, hash: new Uint8Array(hash) }]));
  }

  #extentsAt(content: number, touched: ReadonlySet<number>): Map<number, StoredChunk> {
    const found = new Map<number, StoredChunk>();
    const indices = [...touched].sort((a, b) => a - b);
    for (let i = 0; i < indices.length; ) {
      const from = indices[i]!;
      let to = from;
      while (++i < indices.length && indices[i] === to + 1) to++;
      for (const [index, chunk] of this.#extentsFrom(content, from, to)) found.set(index, chunk);
    }
    return found;
  }

  #joined({ chunks }: Described): Uint8Array {
    const parts = chunks.map(({ hash }) => this.#chunks.get(hash));
    const out = new Uint8Array(chunks.reduce((sum, { size }) => sum + size, 0));
    let offset = 0;
    for (const part of parts) {
      if (part === undefined) throw new FsError("EIO", { detail: "a chunk is missing" });
      out.set(part, offset);
      offset += part.length;
    }
    return out;
  }

  /** Numbers of contents may come again once no extent has them. */
  #newContent(): number {
    if (this.#nextContent === undefined) {
      const extents = this.#sql.one<{ content: number }>(SELECT_NEWEST_EXTENT)?.content ?? 0;
      const stages = this.#sql.one<{ content: number | null }>(SELECT_NEWEST_INODE)?.content ?? 0;
      this.#nextContent = Math.max(extents, stages) + 1;
    }
    return this.#nextContent++;
  }
}

/** Bytes of a range put together chunk by chunk; a chunk that is not there is zeros. */
function gather(
  offset: number,
  length: number,
  chunk: (index: number, start: number, length: number) => Uint8Array | undefined,
): Uint8Array {
  const first = Math.floor(offset / CHUNK_BYTES);
  const within = offset % CHUNK_BYTES;
  if (within + length <= CHUNK_BYTES) {
    const bytes = length === 0 ? NO_BYTES : chunk(first, within, length);
    if (bytes?.length === length) return bytes;
  }
  const out = new Uint8Array(length);
  for (let done = 0; done < length; ) {
    const start = (offset + done) % CHUNK_BYTES;
    const part = Math.min(CHUNK_BYTES - start, length - done);
    const bytes = chunk(Math.floor((offset + done) / CHUNK_BYTES), start, part);
    if (bytes !== undefined) out.set(bytes, done);
    done += part;
  }
  return out;
}
