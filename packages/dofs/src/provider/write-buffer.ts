/** Writes to one file that are kept in memory until they go to the store together. */

import { FsError } from "../fs-error.ts";
import type { Attr, Ino, InodeStore } from "../inode-store.ts";

/** The most bytes kept; what goes beyond is written to the store before its time. */
const KEPT_BYTES = 16 * 1024 * 1024;
/** A gap up to this many bytes between two writes is filled from the store, so that they stay one stretch. */
const GAP_BYTES = 1024 * 1024;

/** A file that is to be made. */
export interface NewFile {
  readonly parent: Ino;
  readonly name: string;
  readonly mode: number;
}

/**
 * The contents of a file as they will be: so much of what the store has, then one stretch of new bytes over it, zeros elsewhere.
 *
 * Written back they are one revision: the making of a file, the exchange of its contents, or one write.
 */
export class WriteBuffer {
  readonly #store: InodeStore;
  readonly #now: () => number;
  /** The file, or what is to be made. It is held, so that it lives as long as the buffer. */
  #target: { readonly ino: Ino } | NewFile;
  /** How many bytes at the front are still the store's. */
  #base: number;
  #start = 0;
  #stretch: Uint8Array = new Uint8Array(0);
  #length = 0;
  #size: number;
  #mtime: number | undefined;
  #users = 1;
  readonly #made: (ino: Ino) => void;

  /** `made` is called when the file to be made is. */
  constructor(
    store: InodeStore,
    now: () => number,
    target: { readonly ino: Ino } | NewFile,
    made: (ino: Ino) => void = () => {},
  ) {
    this.#store = store;
    this.#now = now;
    this.#made = made;
    this.#target = target;
    this.#base = "ino" in target ? store.getattr(target.ino).size : 0;
    this.#size = this.#base;
    if ("ino" in target) store.hold(target.ino);
    else this.#mtime = now();
  }

  /** The file; undefined while it is not made. */
  get ino(): Ino | undefined {
    return "ino" in this.#target ? this.#target.ino : undefined;
  }

  /** The attributes as they will be. A file that is not made has the inode number 0. */
  attr(): Attr {
    const stored = "ino" in this.#target ? this.#store.getattr(this.#target.ino) : unmade(this.#target);
    if (this.#mtime === undefined) return stored;
    const times = { mtime: this.#mtime, mtimeNs: 0, ctime: this.#mtime, ctimeNs: 0 };
    return { ...stored, ...times, size: this.#size };
  }

  read(offset: number, length: number): Uint8Array {
    const end = Math.min(offset + length, this.#size);
    if (end <= offset) return new Uint8Array(0);
    const bytes = new Uint8Array(end - offset);
    if (offset < this.#base) bytes.set(this.#stored(offset, Math.min(end, this.#base) - offset));
    const from = Math.max(offset, this.#start);
    const to = Math.min(end, this.#start + this.#length);
    if (from < to) bytes.set(this.#stretch.subarray(from - this.#start, to - this.#start), from - offset);
    return bytes;
  }

  write(offset: number, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const end = this.#start + this.#length;
    const start = this.#length === 0 ? offset : Math.min(this.#start, offset);
    const stop = this.#length === 0 ? offset + bytes.length : Math.max(end, offset + bytes.length);
    const gap = this.#length === 0 ? 0 : Math.max(offset - end, this.#start - (offset + bytes.length));
    if (stop - start > KEPT_BYTES || gap > GAP_BYTES) {
      this.flush();
      if (bytes.length > KEPT_BYTES) this.#through(offset, bytes);
      else this.write(offset, bytes);
      return;
    }
    this.#reach(start, stop);
    this.#stretch.set(bytes, offset - start);
    this.#size = Math.max(this.#size, stop);
    this.#mtime = this.#now();
  }

  truncate(size: number): void {
    if (size === this.#size) return;
    this.#base = Math.min(this.#base, size);
    this.#length = Math.max(0, Math.min(this.#length, size - this.#start));
    this.#size = size;
    this.#mtime = this.#now();
  }

  /** Writes what is kept back to the store, as one revision; none where nothing changed. */
  flush(): void {
    if (this.#mtime === undefined) return;
    if (!("ino" in this.#target)) {
      const { parent, name, mode } = this.#target;
      const { ino } = this.#store.create(parent, name, { kind: "file", mode, content: this.read(0, this.#size) });
      this.#store.hold(ino);
      this.#target = { ino };
      this.#made(ino);
    } else if (this.#store.getattr(this.#target.ino).nlink > 0) this.#writeBack(this.#target.ino);
    this.#base = this.#size;
    this.#length = 0;
    this.#mtime = undefined;
  }

  /** One more who has the file open for writing. */
  use(): void {
    this.#users++;
  }

  /** One fewer; with the last, what is kept goes to the store, or is lost where that fails; the answer is then true. */
  leave(): boolean {
    if (--this.#users > 0) return false;
    try {
      this.flush();
    } finally {
      if ("ino" in this.#target) this.#store.release(this.#target.ino);
    }
    return true;
  }

  #writeBack(ino: Ino): void {
    const stored = this.#store.getattr(ino).size;
    const end = this.#start + this.#length;
    const covered = this.#base === 0 && (this.#length === 0 ? this.#size === 0 : this.#start <= GAP_BYTES);
    if (covered && this.#size <= Math.max(end, GAP_BYTES)) {
      this.#store.replace(ino, this.read(0, this.#size));
      return;
    }
    const kept = this.#base;
    const size = this.#size;
    this.#store.transaction(() => {
      if (kept < stored) this.#store.setattr(ino, { size: kept });
      if (this.#length > 0) this.#through(this.#start, this.#stretch.subarray(0, this.#length));
      if (size > Math.max(kept, this.#length === 0 ? 0 : end)) this.#store.setattr(ino, { size });
    });
  }

  /** Writes straight to the store, whose file is as the buffer says but for these bytes. */
  #through(offset: number, bytes: Uint8Array): void {
    if (!("ino" in this.#target)) throw new FsError("EIO");
    const written = this.#store.write(this.#target.ino, offset, bytes);
    if ("absent" in written) throw new FsError("EIO", { detail: "the contents are not here yet" });
    this.#base = this.#size = Math.max(this.#size, offset + bytes.length);
  }

  /** Makes the stretch cover these bytes, with what is there now in what it newly covers. */
  #reach(start: number, stop: number): void {
    if (this.#length > 0 && start === this.#start && stop - start <= this.#stretch.length) {
      const end = this.#start + this.#length;
      if (stop > end) this.#stretch.set(this.#filled(end, stop), end - start);
    } else {
      const grown = new Uint8Array(Math.max(stop - start, Math.min(2 * this.#length, KEPT_BYTES)));
      grown.set(this.#filled(start, stop));
      this.#stretch = grown;
    }
    this.#start = start;
    this.#length = stop - start;
  }

  /** As `read`, with zeros where the file ends before. */
  #filled(start: number, stop: number): Uint8Array {
    const bytes = new Uint8Array(stop - start);
    bytes.set(this.read(start, stop - start));
    return bytes;
  }

  #stored(offset: number, length: number): Uint8Array {
    if (!("ino" in this.#target)) return new Uint8Array(0);
    const bytes = this.#store.read(this.#target.ino, offset, length);
    if (bytes instanceof Uint8Array) return bytes;
    throw new FsError("EIO", { detail: "the contents are not here yet" });
  }
}

function unmade({ mode }: NewFile): Attr {
  const none = { ino: 0, uid: 0, gid: 0, rdev: 0, rev: 0, size: 0 };
  const times = { mtime: 0, mtimeNs: 0, atime: 0, atimeNs: 0, ctime: 0, ctimeNs: 0 };
  return { ...none, ...times, kind: "file", mode, nlink: 1 };
}
