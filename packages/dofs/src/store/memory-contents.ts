/** Contents in memory: each file a row of slots of one chunk, private while it is written, shared once it has a hash. */

import { FsError } from "../fs-error.ts";
import type { Absent, Chunk, Content, Ino, Snapshot, Stage } from "../inode-store.ts";
import { CHUNK_BYTES, chunkCount, chunkLength, hashKey, INLINE_BYTES, type Sha256, ZeroChunk } from "./chunks.ts";
import {
  absentTail,
  allocatedBytes,
  copyInto,
  copyOut,
  missingIn,
  type OwnSlot,
  putBytes,
  type SharedChunk,
  type Slot,
  type Slots,
  seekSlots,
} from "./memory-slots.ts";
import type { ContentPatch, Contents, Described, InodeRow } from "./rows.ts";

class MemoryStage implements Stage {
  readonly slots: Slots = [];
  size = 0;
  open = true;

  append(bytes: Uint8Array): void {
    if (!this.open) throw new FsError("EBADF", { detail: "the stage was consumed or discarded" });
    let offset = 0;
    while (offset < bytes.length) {
      const index = Math.floor(this.size / CHUNK_BYTES);
      const at = this.size % CHUNK_BYTES;
      const part = bytes.subarray(offset, offset + CHUNK_BYTES - at);
      const slot = this.slots[index];
      const own: OwnSlot = slot !== undefined && "own" in slot ? slot : { own: new Uint8Array(0), length: 0 };
      putBytes(own, at, part);
      this.slots[index] = own;
      this.size += part.length;
      offset += part.length;
    }
  }

  discard(): void {
    this.open = false;
    this.slots.length = 0;
  }
}

export class MemoryContents implements Contents {
  readonly #sha256: Sha256;
  readonly #zero: ZeroChunk;
  readonly #files = new Map<Ino, Slots>();
  readonly #chunks = new Map<string, SharedChunk>();
  /** Records how to undo, and says whether what is changed may have to come back. */
  readonly #undo: { push(undo: () => void): void; readonly needed: boolean };

  constructor(sha256: Sha256, undo: { push(undo: () => void): void; readonly needed: boolean }) {
    this.#sha256 = sha256;
    this.#zero = new ZeroChunk(sha256);
    this.#undo = undo;
  }

  read(row: InodeRow, offset: number, length: number): Uint8Array | Absent {
    const slots = this.#files.get(row.ino) ?? [];
    const absent = missingIn(slots, offset, length);
    return absent.length > 0 ? { absent } : copyOut(slots, offset, length);
  }

  /** As `read`, to a place in `out`. */
  readInto(row: InodeRow, offset: number, length: number, out: Uint8Array, at: number): number | Absent {
    const slots = this.#files.get(row.ino) ?? [];
    const absent = missingIn(slots, offset, length);
    if (absent.length > 0) return { absent };
    copyInto(slots, offset, length, out, at, false);
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
          const own = this.#own(slots, index, false);
          own.own.fill(0, start, Math.min(start + part, own.length));
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
    for (let at = offset; at < end; ) {
      const index = Math.floor(at / CHUNK_BYTES);
      const start = at % CHUNK_BYTES;
      const part = bytes.subarray(at - offset, at - offset + CHUNK_BYTES - start);
      const whole = start === 0 && part.length >= chunkLength(size, index);
      const own = this.#own(slots, index, whole);
      putBytes(own, start, part);
      at += part.length;
    }
    return { size };
  }

  resize(row: InodeRow, size: number): ContentPatch | Absent {
    const tail = absentTail(this.#files.get(row.ino) ?? [], row.size, size);
    if (tail.length > 0) return { absent: tail };
    const index = chunkCount(size) - 1;
    const cuts = size < row.size && size % CHUNK_BYTES !== 0;
    const last = this.#files.get(row.ino)?.[index];
    if (cuts && last !== undefined && "shared" in last && last.shared.bytes === undefined) {
      return { absent: [last.shared.hash!] };
    }
    if (size >= row.size) return { size };
    const slots = this.#writable(row.ino);
    for (const slot of slots.splice(index + 1)) this.#release(slot);
    if (cuts && slots[index] !== undefined) {
      const own = this.#own(slots, index, false);
      own.length = Math.min(own.length, size % CHUNK_BYTES);
    }
    return { size };
  }

  replace(row: InodeRow, content: Content): ContentPatch {
    if (!(content instanceof Uint8Array) && !(content instanceof MemoryStage && content.open)) {
      throw new FsError("EINVAL", { detail: "the stage belongs to another store or was used before" });
    }
    let stage: MemoryStage;
    if (content instanceof Uint8Array) {
      stage = new MemoryStage();
      stage.append(content);
    } else {
      stage = content;
    }
    this.#exchange(row.ino, [...stage.slots]);
    const { size } = stage;
    stage.discard();
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
      const shared = this.#chunks.get(key) ?? { key, hash, bytes: undefined, refs: 0 };
      this.#chunks.set(key, shared);
      shared.refs++;
      return { shared };
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
      return { chunks: [], data: copyOut(slots, 0, size) };
    const chunks = Array.from({ length: chunkCount(size) }, (_, index) => {
      const length = chunkLength(size, index);
      return { hash: this.#hashOf(slots, index, length), size: length };
    });
    return { chunks };
  }

  snapshot(row: InodeRow): Snapshot {
    const slots = this.#files.get(row.ino) ?? [];
    const { size } = row;
    slots.forEach((slot, index) => {
      if (slot !== undefined && "own" in slot) {
        slots[index] = {
          shared: { key: undefined, hash: undefined, bytes: slot.own.subarray(0, slot.length), refs: 1 },
        };
      }
    });
    const copy = [...slots];
    for (const slot of copy) if (slot !== undefined && "shared" in slot) slot.shared.refs++;
    let open = true;
    return {
      size,
      read: (offset, length) => {
        if (!open) throw new FsError("EBADF", { detail: "the snapshot was released" });
        const available = Math.max(0, Math.min(length, size - offset));
        const absent = missingIn(copy, offset, available);
        return absent.length > 0 ? { absent } : copyOut(copy, offset, available);
      },
      release: () => {
        if (open) for (const slot of copy) this.#release(slot);
        open = false;
      },
    };
  }

  stage(): Stage {
    return new MemoryStage();
  }

  missing(hashes: readonly Uint8Array[]): Uint8Array[] {
    return hashes.filter((hash) => {
      const key = hashKey(hash);
      return this.#chunks.get(key)?.bytes === undefined && !this.#zero.is(key);
    });
  }

  put(chunks: readonly Chunk[]): void {
    for (const { hash, bytes } of chunks) {
      const key = hashKey(hash);
      if (bytes.length > CHUNK_BYTES || hashKey(this.#sha256(bytes)) !== key) {
        throw new FsError("EINVAL", { detail: `the bytes of chunk ${key} do not match its hash` });
      }
      const known = this.#chunks.get(key);
      if (known === undefined) this.#chunks.set(key, { key, hash, bytes: bytes.slice(), refs: 0 });
      else known.bytes ??= bytes.slice();
    }
  }

  get(hash: Uint8Array): Uint8Array | undefined {
    const key = hashKey(hash);
    return this.#zero.is(key) ? new Uint8Array(CHUNK_BYTES) : this.#chunks.get(key)?.bytes;
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
    const slots: Slots = (before ?? []).map((slot) =>
      slot !== undefined && "own" in slot ? { own: slot.own.slice(), length: slot.length } : slot,
    );
    for (const slot of slots) if (slot !== undefined && "shared" in slot) slot.shared.refs++;
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
    const held = before?.flatMap((slot) => (slot !== undefined && "shared" in slot ? [slot.shared] : [])) ?? [];
    if (!this.#undo.needed) {
      for (const chunk of held) this.#unref(chunk);
      return;
    }
    this.#undo.push(() => {
      for (const slot of this.#files.get(ino) ?? []) this.#release(slot);
      if (before === undefined) this.#files.delete(ino);
      else this.#files.set(ino, before);
    });
    this.#undo.push(Object.assign(() => {}, { commit: () => held.forEach((chunk) => void this.#unref(chunk)) }));
  }

  /** A slot that can be written. A shared chunk that nobody else has is taken back instead of copied. */
  #own(slots: Slots, index: number, overwritten: boolean): OwnSlot {
    const slot = slots[index];
    if (slot !== undefined && "own" in slot) return slot;
    const own: OwnSlot = { own: new Uint8Array(0), length: 0 };
    if (slot !== undefined && !overwritten) {
      const { shared } = slot;
      const bytes = shared.bytes!;
      own.own = shared.refs === 1 ? bytes : bytes.slice();
      own.length = bytes.length;
    }
    this.#release(slot);
    while (slots.length < index) slots.push(undefined);
    slots[index] = own;
    return own;
  }

  #hashOf(slots: Slots, index: number, length: number): Uint8Array {
    const slot = slots[index];
    if (slot === undefined && length === CHUNK_BYTES) return this.#zero.hash;
    if (
      slot !== undefined &&
      "shared" in slot &&
      slot.shared.hash !== undefined &&
      (slot.shared.bytes?.length ?? length) === length
    ) {
      return slot.shared.hash;
    }
    const bytes = copyOut(slots, index * CHUNK_BYTES, length);
    const hash = this.#sha256(bytes);
    const key = hashKey(hash);
    if (this.#zero.is(key)) return hash;
    const shared = this.#chunks.get(key) ?? { key, hash, bytes, refs: 0 };
    shared.bytes ??= bytes;
    shared.refs++;
    this.#chunks.set(key, shared);
    this.#release(slot);
    while (slots.length < index) slots.push(undefined);
    slots[index] = { shared };
    return hash;
  }

  #release(slot: Slot | undefined): void {
    if (slot !== undefined && "shared" in slot) this.#unref(slot.shared);
  }

  #unref(chunk: SharedChunk): void {
    chunk.refs--;
    if (chunk.refs <= 0 && chunk.key !== undefined) this.#chunks.delete(chunk.key);
  }
}
