/** Contents in memory: each file a row of slots of one chunk, private while it is written, shared once it has a hash. */

import { FsError } from "../fs-error.ts";
import type { Absent, Chunk, Content, Ino, Snapshot, Stage } from "../inode-store.ts";
import type { Backing } from "./backing.ts";
import { CHUNK_BYTES, chunkCount, chunkLength, hashKey, INLINE_BYTES, type Sha256, ZeroChunk } from "./chunks.ts";
import { PieceHashes } from "./memory-hashes.ts";
import { type Piece, Pieces } from "./memory-pieces.ts";
import {
  absentTail,
  allocatedBytes,
  copyInto,
  copyOut,
  isShared,
  missingIn,
  pieceOf,
  type SharedChunk,
  type Slot,
  type Slots,
  seekSlots,
} from "./memory-slots.ts";
import { MemoryStage } from "./memory-stage.ts";
import type { ContentPatch, Contents, Described, InodeRow } from "./rows.ts";

/** Stands where a hash is to come: an answer with it in it is thrown away. */
const NO_HASH = new Uint8Array(32);

export class MemoryContents implements Contents {
  readonly hashes: PieceHashes;
  readonly #pieces: Pieces;
  readonly #sha256: Sha256;
  readonly #zero: ZeroChunk;
  readonly #files = new Map<Ino, Slots>();
  readonly #chunks = new Map<string, SharedChunk>();
  /** Records how to undo, and says whether what is changed may have to come back. */
  readonly #undo: { push(undo: () => void): void; readonly needed: boolean };

  constructor(
    sha256: Sha256,
    backing: Backing | undefined,
    undo: { push(undo: () => void): void; readonly needed: boolean },
  ) {
    this.#pieces = new Pieces(backing);
    this.hashes = new PieceHashes(sha256, this.#pieces);
    this.#sha256 = sha256;
    this.#zero = new ZeroChunk(sha256);
    this.#undo = undo;
  }

  read(row: InodeRow, offset: number, length: number): Uint8Array | Absent {
    const slots = this.#files.get(row.ino) ?? [];
    const absent = missingIn(slots, offset, length);
    return absent.length > 0 ? { absent } : copyOut(this.#pieces, slots, offset, length);
  }

  /** As `read`, to a place in `out`. */
  readInto(row: InodeRow, offset: number, length: number, out: Uint8Array, at: number): number | Absent {
    const slots = this.#files.get(row.ino) ?? [];
    const absent = missingIn(slots, offset, length);
    if (absent.length > 0) return { absent };
    copyInto(this.#pieces, slots, offset, length, out, at, false);
    return length;
  }

  /** The bytes a file takes up, holes left out. */
  allocated(row: InodeRow): number {
    const slots = this.#files.get(row.ino);
    return slots === undefined ? 0 : allocatedBytes(slots);
  }

  /** Where the next data, or the next hole, begins; the size where there is none. */
  seek(row: InodeRow, offset: number, data: boolean): number {
    return seekSlots(this.#files.get(row.ino) ?? [], offset, row.size, data);
  }

  /** Makes a range zeros and gives whole chunks of it back; the size stays. */
  punch(row: InodeRow, offset: number, length: number): ContentPatch | Absent {
    const end = Math.min(offset + length, row.size);
    const absent = missingIn(this.#files.get(row.ino) ?? [], offset, Math.max(0, end - offset), row.size);
    if (absent.length > 0) return { absent };
    const slots = this.#writable(row.ino);
    for (let at = offset; at < end; ) {
      const index = Math.floor(at / CHUNK_BYTES);
      const start = at % CHUNK_BYTES;
      const part = Math.min(CHUNK_BYTES - start, end - at);
      if (slots[index] !== undefined) {
        if (start === 0 && at + part >= Math.min(row.size, at + CHUNK_BYTES)) {
          this.#release(slots[index]);
          slots[index] = undefined;
        } else {
          this.#pieces.clear(this.#own(slots, index, false), start, start + part);
        }
      }
      at += part;
    }
    return { size: row.size };
  }

  write(row: InodeRow, offset: number, bytes: Uint8Array): ContentPatch | Absent {
    const end = offset + bytes.length;
    const size = Math.max(row.size, end);
    const before = this.#files.get(row.ino) ?? [];
    const absent = [...missingIn(before, offset, bytes.length, row.size), ...absentTail(before, row.size, offset)];
    if (absent.length > 0) return { absent };
    const slots = this.#writable(row.ino);
    try {
      for (let at = offset; at < end; ) {
        const index = Math.floor(at / CHUNK_BYTES);
        const start = at % CHUNK_BYTES;
        const part = bytes.subarray(at - offset, at - offset + CHUNK_BYTES - start);
        const whole = start === 0 && part.length >= chunkLength(size, index);
        this.#pieces.write(this.#own(slots, index, whole), start, part);
        at += part.length;
      }
    } catch (error) {
      // The disk is full: what was written beyond the end must not show when the file becomes longer.
      this.#cut(slots, row.size);
      throw error;
    }
    return { size };
  }

  resize(row: InodeRow, size: number): ContentPatch | Absent {
    const tail = absentTail(this.#files.get(row.ino) ?? [], row.size, size);
    if (tail.length > 0) return { absent: tail };
    const index = chunkCount(size) - 1;
    const cuts = size < row.size && size % CHUNK_BYTES !== 0;
    const last = this.#files.get(row.ino)?.[index];
    if (cuts && last !== undefined && isShared(last) && last.piece === undefined) return { absent: [last.hash!] };
    if (size < row.size) this.#cut(this.#writable(row.ino), size);
    return { size };
  }

  replace(row: InodeRow, content: Content): ContentPatch {
    if (!(content instanceof Uint8Array) && !(content instanceof MemoryStage && content.open)) {
      throw new FsError("EINVAL", { detail: "the stage belongs to another store or was used before" });
    }
    const stage = content instanceof Uint8Array ? new MemoryStage(this.#pieces) : content;
    if (content instanceof Uint8Array) {
      try {
        stage.append(content);
      } catch (error) {
        stage.discard();
        throw error;
      }
    }
    const { size } = stage;
    this.#exchange(row.ino, stage.take());
    return { size };
  }

  adopt(row: InodeRow, size: number, from: Described): ContentPatch {
    if (from.data !== undefined) return this.replace(row, from.data);
    const slots = from.chunks.map(({ hash, size: length }, index): Slot | undefined => {
      if (length !== chunkLength(size, index)) {
        throw new FsError("EINVAL", { detail: `chunks are ${CHUNK_BYTES} bytes, the last one shorter` });
      }
      const key = hashKey(hash);
      if (this.#zero.is(key)) return undefined;
      const shared = this.#chunks.get(key) ?? { key, hash, piece: undefined, refs: 0 };
      this.#chunks.set(key, shared);
      shared.refs++;
      return shared;
    });
    this.#exchange(row.ino, slots);
    return { size };
  }

  drop(row: InodeRow): void {
    this.#exchange(row.ino, []);
  }

  describe(row: InodeRow): Described {
    const slots = this.#files.get(row.ino) ?? [];
    const { size } = row;
    if (size <= INLINE_BYTES && missingIn(slots, 0, size).length === 0)
      return { chunks: [], data: copyOut(this.#pieces, slots, 0, size) };
    // A file of nothing but a hole has a list from now on: its last chunk may be stored.
    const shared = this.#files.get(row.ino) ?? this.#writable(row.ino);
    const chunks = Array.from({ length: chunkCount(size) }, (_, index) => {
      const length = chunkLength(size, index);
      return { hash: this.#hashOf(shared, index, length), size: length };
    });
    return { chunks };
  }

  snapshot(row: InodeRow): Snapshot {
    const slots = this.#files.get(row.ino) ?? [];
    const { size } = row;
    const copy = this.#share(slots);
    let open = true;
    return {
      size,
      read: (offset, length) => {
        if (!open) throw new FsError("EBADF", { detail: "the snapshot was released" });
        const available = Math.max(0, Math.min(length, size - offset));
        const absent = missingIn(copy, offset, available);
        return absent.length > 0 ? { absent } : copyOut(this.#pieces, copy, offset, available);
      },
      release: () => {
        if (open) for (const slot of copy) this.#release(slot);
        open = false;
      },
    };
  }

  stage(): Stage {
    return new MemoryStage(this.#pieces);
  }

  missing(hashes: readonly Uint8Array[]): Uint8Array[] {
    return hashes.filter((hash) => {
      const key = hashKey(hash);
      return this.#chunks.get(key)?.piece === undefined && !this.#zero.is(key);
    });
  }

  put(chunks: readonly Chunk[]): void {
    for (const { hash, bytes } of chunks) {
      const key = hashKey(hash);
      if (bytes.length > CHUNK_BYTES || hashKey(this.#sha256(bytes)) !== key) {
        throw new FsError("EINVAL", { detail: `the bytes of chunk ${key} do not match its hash` });
      }
      const known = this.#chunks.get(key);
      if (known === undefined) this.#chunks.set(key, { key, hash, piece: this.#pieces.of(bytes), refs: 0 });
      else known.piece ??= this.#pieces.of(bytes);
    }
  }

  get(hash: Uint8Array): Uint8Array | undefined {
    const key = hashKey(hash);
    if (this.#zero.is(key)) return new Uint8Array(CHUNK_BYTES);
    const piece = this.#chunks.get(key)?.piece;
    return piece && this.#pieces.bytes(piece).slice();
  }

  pin(hashes: readonly Uint8Array[]): () => void {
    const pinned = hashes.flatMap((hash) => this.#chunks.get(hashKey(hash)) ?? []);
    for (const chunk of pinned) chunk.refs++;
    return () => {
      for (const chunk of pinned) this.#unref(chunk);
    };
  }

  /** A file's slots for changing; a copy where the change may have to be undone. */
  #writable(ino: Ino): Slots {
    const before = this.#files.get(ino);
    if (before !== undefined && !this.#undo.needed) return before;
    // A list of one has no room for more, as most files need none.
    const slots = before === undefined ? [undefined] : this.#share(before);
    this.#exchange(ino, slots);
    // Those of an empty file too: they are about to be filled.
    this.#files.set(ino, slots);
    return slots;
  }

  /** Puts slots in place of a file's; the old ones are released once they cannot come back. */
  #exchange(ino: Ino, slots: Slots): void {
    const before = this.#files.get(ino);
    if (slots.length === 0) this.#files.delete(ino);
    else this.#files.set(ino, slots);
    const release = (all: Slots | undefined): void => all?.forEach((slot) => void this.#release(slot));
    if (!this.#undo.needed) {
      release(before);
      return;
    }
    this.#undo.push(() => {
      release(this.#files.get(ino));
      if (before === undefined) this.#files.delete(ino);
      else this.#files.set(ino, before);
    });
    this.#undo.push(Object.assign(() => {}, { commit: () => release(before) }));
  }

  /** A list of the same slots: what is written through the one is not seen through the other. */
  #share(slots: Slots): Slots {
    for (const [index, slot] of slots.entries()) {
      if (slot === undefined) continue;
      if (isShared(slot)) slot.refs++;
      else slots[index] = { key: undefined, hash: undefined, piece: slot, refs: 2 };
    }
    return [...slots];
  }

  /** Cuts slots off behind a size; what the size stands in is here. */
  #cut(slots: Slots, size: number): void {
    for (const slot of slots.splice(chunkCount(size))) this.#release(slot);
    const index = chunkCount(size) - 1;
    const length = chunkLength(size, index);
    const last = pieceOf(slots[index]);
    if (last !== undefined && last.length > length) this.#pieces.cut(this.#own(slots, index, false), length);
  }

  /** A slot that can be written; where all of it is `overwritten`, with whatever stands in it. */
  #own(slots: Slots, index: number, overwritten: boolean): Piece {
    const slot = slots[index];
    if (slot !== undefined && !isShared(slot)) return slot;
    const own = slot === undefined || overwritten ? this.#pieces.make() : this.#take(slot);
    if (overwritten) this.#release(slot);
    while (slots.length < index) slots.push(undefined);
    slots[index] = own;
    return own;
  }

  /** A slot's bytes to change or give away, the slot being released. Only what others have too is copied. */
  #take(slot: Slot): Piece {
    if (!isShared(slot)) return slot;
    if (slot.refs > 1) {
      const copy = this.#pieces.copy(slot.piece!);
      this.#unref(slot);
      return copy;
    }
    const piece = slot.piece!;
    slot.piece = undefined;
    this.#unref(slot);
    return piece;
  }

  /** The hash of a chunk, which is shared by it from then on. */
  #hashOf(slots: Slots, index: number, length: number): Uint8Array {
    const slot = slots[index];
    if (slot === undefined && length === CHUNK_BYTES) return this.#zero.hash;
    if (slot !== undefined && isShared(slot) && slot.hash !== undefined && (slot.piece?.length ?? length) === length) {
      return slot.hash;
    }
    const before = pieceOf(slot) ?? this.#pieces.make();
    const hash = this.hashes.of(before, length);
    if (hash === undefined) return NO_HASH;
    const key = hashKey(hash);
    if (this.#zero.is(key)) return hash;
    const piece = slot === undefined ? before : this.#take(slot);
    // Zeros at the end that were never written are part of the chunk.
    if (piece.length < length) this.#pieces.write(piece, length - 1, new Uint8Array(1));
    const shared = this.#chunks.get(key) ?? { key, hash, piece: undefined, refs: 0 };
    if (shared.piece === undefined) shared.piece = piece;
    else this.#pieces.free(piece);
    shared.refs++;
    this.#chunks.set(key, shared);
    while (slots.length < index) slots.push(undefined);
    slots[index] = shared;
    return hash;
  }

  #release(slot: Slot | undefined): void {
    if (slot === undefined) return;
    if (isShared(slot)) this.#unref(slot);
    else this.#pieces.free(slot);
  }

  #unref(chunk: SharedChunk): void {
    chunk.refs--;
    if (chunk.refs > 0) return;
    if (chunk.key !== undefined) this.#chunks.delete(chunk.key);
    if (chunk.piece !== undefined) this.#pieces.free(chunk.piece);
    chunk.piece = undefined;
  }
}
