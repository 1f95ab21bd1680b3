/** The contents of files as the provider shows them: the store's, and over them what its write buffers hold. */

import { existing, type Place, resolve } from "../filesystem/resolve.ts";
import { FsError } from "../fs-error.ts";
import type { Attr, Ino, InodeStore } from "../inode-store.ts";
import { WriteBuffer } from "./write-buffer.ts";

/** Bytes read at once where a whole file is passed on. */
const PIECE_BYTES = 256 * 1024;

export class BufferedFiles {
  readonly store: InodeStore;
  readonly #now: () => number;
  readonly #open = new Map<Ino, WriteBuffer>();
  /** Buffers of files that are not made yet, by place. */
  readonly #unmade = new Map<string, WriteBuffer>();

  constructor(store: InodeStore, now: () => number) {
    this.store = store;
    this.#now = now;
  }

  /** The attributes of what is at a place, a buffered file included; undefined where nothing is. */
  attrAt(place: Place): Attr | undefined {
    if (place.attr !== undefined) return this.#open.get(place.attr.ino)?.attr() ?? place.attr;
    return this.#unmade.get(placeKey(place))?.attr();
  }

  attr(ino: Ino): Attr {
    return this.#open.get(ino)?.attr() ?? this.store.getattr(ino);
  }

  /** Bytes from `offset`, at most `length`. `EIO` where the contents are not here. */
  read(ino: Ino, offset: number, length: number): Uint8Array {
    const bytes = this.#open.get(ino)?.read(offset, length) ?? this.store.read(ino, offset, length);
    if (bytes instanceof Uint8Array) return bytes;
    throw new FsError("EIO", { detail: "the contents are not here yet" });
  }

  write(ino: Ino, offset: number, bytes: Uint8Array): void {
    const buffer = this.#open.get(ino);
    if (buffer !== undefined) buffer.write(offset, bytes);
    else if ("absent" in this.store.write(ino, offset, bytes)) {
      throw new FsError("EIO", { detail: "the contents are not here yet" });
    }
  }

  truncate(ino: Ino, size: number): void {
    const buffer = this.#open.get(ino);
    if (buffer === undefined) this.store.setattr(ino, { size });
    else buffer.truncate(size);
  }

  replace(ino: Ino, bytes: Uint8Array): void {
    const buffer = this.#open.get(ino);
    if (buffer === undefined) this.store.replace(ino, bytes);
    else {
      buffer.truncate(0);
      buffer.write(0, bytes);
    }
  }

  /** A file's contents for the store to take in, staged piece by piece where they are many. */
  content(ino: Ino): ReturnType<InodeStore["stage"]> | Uint8Array {
    const { size } = this.attr(ino);
    if (size <= PIECE_BYTES) return this.read(ino, 0, size);
    const stage = this.store.stage();
    try {
      for (let at = 0; at < size; at += PIECE_BYTES) stage.append(this.read(ino, at, PIECE_BYTES));
    } catch (error) {
      stage.discard();
      throw error;
    }
    return stage;
  }

  /** The file at a path, made now where a buffer was to make it. `ENOENT`, `EISDIR`. */
  file(path: string): Ino {
    const place = resolve(this.store, path);
    const unmade = place.attr === undefined ? this.#unmade.get(placeKey(place)) : undefined;
    unmade?.flush();
    const attr = unmade?.attr() ?? existing(place);
    if (attr.kind === "dir") throw new FsError("EISDIR");
    if (attr.kind !== "file") throw new FsError("EINVAL", { detail: "not a regular file" });
    return attr.ino;
  }

  /** Keeps writes to a file until as many releases. `ENOENT`, `EISDIR`. */
  openBuffer(path: string): void {
    const waiting = this.#unmadeAt(path);
    if (waiting !== undefined) {
      waiting.use();
      return;
    }
    const ino = this.file(path);
    const buffer = this.#open.get(ino);
    if (buffer !== undefined) buffer.use();
    else this.#open.set(ino, new WriteBuffer(this.store, this.#now, { ino }));
  }

  /** As `openBuffer`, for a file that is made with the first release or when its name is needed. `EEXIST`, `ENOENT`. */
  openNewBuffer(path: string, mode: number): void {
    const place = resolve(this.store, path, { follow: false });
    if (this.attrAt(place) !== undefined) throw new FsError("EEXIST");
    if (place.slash) throw new FsError("EISDIR");
    const key = placeKey(place);
    const target = { parent: place.parent, name: place.name, mode };
    const buffer: WriteBuffer = new WriteBuffer(this.store, this.#now, target, (ino) => {
      this.#unmade.delete(key);
      this.#open.set(ino, buffer);
    });
    this.#unmade.set(key, buffer);
  }

  /** Ends one `openBuffer`; with the last of a file, what was kept is written. Nothing where none is open. */
  releaseBuffer(path: string): void {
    const place = resolve(this.store, path);
    const buffer = place.attr === undefined ? this.#unmade.get(placeKey(place)) : this.#open.get(place.attr.ino);
    if (buffer === undefined) return;
    let ended = true;
    try {
      ended = buffer.leave();
    } finally {
      if (ended) {
        this.#unmade.delete(placeKey(place));
        if (buffer.ino !== undefined) this.#open.delete(buffer.ino);
      }
    }
  }

  /** Whether a buffer holds writes to the file. */
  isBuffered(ino: Ino): boolean {
    return this.#open.has(ino);
  }

  /** The buffer at a path whose file is not made, to be read and written as it is. */
  unmade(path: string): WriteBuffer | undefined {
    return this.#unmade.size === 0 ? undefined : this.#unmadeAt(path);
  }

  /** Makes the files that wait to be made, so that directories show them. */
  settle(): void {
    for (const buffer of [...this.#unmade.values()]) buffer.flush();
  }

  #unmadeAt(path: string): WriteBuffer | undefined {
    const place = resolve(this.store, path);
    return place.attr === undefined ? this.#unmade.get(placeKey(place)) : undefined;
  }
}

function placeKey({ parent, name }: { readonly parent: Ino; readonly name: string }): string {
  return `${parent}/${name}`;
}
