/** Descriptors: files held open, each with its flags and its position. */

import { checkCount, permissionBits } from "../filesystem/arguments.ts";
import { type Place, resolve } from "../filesystem/resolve.ts";
import { FsError } from "../fs-error.ts";
import type { Attr, Ino } from "../inode-store.ts";
import type { BufferedFiles } from "./buffered-files.ts";
import { type OpenFlags, parseFlags } from "./open-flags.ts";

/** 0 to 2 stay what they are everywhere. */
const FIRST_DESCRIPTOR = 3;
const DEFAULT_MODE = 0o644;

interface OpenFile {
  readonly ino: Ino;
  readonly flags: OpenFlags;
  readonly directory: boolean;
  position: number;
}

/** An open file holds its inode: unlinked, it lives until it is closed. */
export class OpenFiles {
  readonly #files: BufferedFiles;
  readonly #open = new Map<number, OpenFile>();

  constructor(files: BufferedFiles) {
    this.#files = files;
  }

  /** The lowest free number from 3 on. `ENOENT`, `EEXIST`, `EISDIR` for writing to a directory, `ELOOP`, `ENOTDIR`. */
  open(path: string, flagsGiven: string | number = "r", mode: number = DEFAULT_MODE): number {
    const flags = parseFlags(flagsGiven);
    const bits = permissionBits(mode);
    this.#files.settle();
    const place = resolve(this.#files.store, path, { follow: !flags.exclusive && !flags.noFollow });
    const attr = this.#openOrMake(place, flags, bits);
    let fd = FIRST_DESCRIPTOR;
    while (this.#open.has(fd)) fd++;
    this.#files.store.hold(attr.ino);
    this.#open.set(fd, { ino: attr.ino, flags, directory: attr.kind === "dir", position: 0 });
    return fd;
  }

  close(fd: number): void {
    const { ino } = this.#get(fd);
    this.#open.delete(fd);
    this.#files.store.release(ino);
  }

  attr(fd: number): Attr {
    return this.#files.attr(this.#get(fd).ino);
  }

  /** Reads into `buffer`; `position` null reads on from where the last read or write ended. Gives the bytes read, 0 at the end. */
  read(fd: number, buffer: Uint8Array, offset: number, length: number, position: number | bigint | null): number {
    const file = this.#get(fd);
    if (!file.flags.read) throw new FsError("EBADF", { detail: "the descriptor is not open for reading" });
    if (file.directory) throw new FsError("EISDIR");
    checkRange(buffer, offset, length);
    const at = positionOf(position) ?? file.position;
    const bytes = this.#files.read(file.ino, at, length);
    buffer.set(bytes, offset);
    if (positionOf(position) === undefined) file.position = at + bytes.length;
    return bytes.length;
  }

  /** Writes from `buffer`, at the end with `a` flags. Gives the bytes written. */
  write(
    fd: number,
    buffer: Uint8Array,
    offset = 0,
    length: number = buffer.length - offset,
    position: number | null = null,
  ): number {
    const file = this.#get(fd);
    if (!file.flags.write) throw new FsError("EBADF", { detail: "the descriptor is not open for writing" });
    checkRange(buffer, offset, length);
    const given = positionOf(position);
    const at = file.flags.append ? this.#files.attr(file.ino).size : (given ?? file.position);
    this.#files.write(file.ino, at, buffer.subarray(offset, offset + length));
    if (given === undefined || file.flags.append) file.position = at + length;
    return length;
  }

  /** `EINVAL` for a descriptor that is not open for writing. */
  truncate(fd: number, size: number): void {
    const file = this.#get(fd);
    checkCount(size, "len");
    if (!file.flags.write) throw new FsError("EINVAL", { detail: "the descriptor is not open for writing" });
    this.#files.truncate(file.ino, size);
  }

  #openOrMake(place: Place, flags: OpenFlags, mode: number): Attr {
    const { attr, parent, name } = place;
    const { store } = this.#files;
    if (attr === undefined) {
      if (!flags.create) throw new FsError("ENOENT");
      if (place.slash) throw new FsError("EISDIR");
      return store.create(parent, name, { kind: "file", mode });
    }
    if (flags.exclusive) throw new FsError("EEXIST");
    if (attr.kind === "symlink") throw new FsError("ELOOP");
    if (attr.kind === "dir" && (flags.write || flags.create)) throw new FsError("EISDIR");
    if (attr.kind !== "dir" && flags.directory) throw new FsError("ENOTDIR");
    if (attr.kind !== "dir" && attr.kind !== "file") throw new FsError("EINVAL", { detail: "not a regular file" });
    if (flags.truncate && flags.write) this.#files.truncate(attr.ino, 0);
    return attr;
  }

  #get(fd: number): OpenFile {
    const file = this.#open.get(fd);
    if (file === undefined) throw new FsError("EBADF");
    return file;
  }
}

function positionOf(position: number | bigint | null | undefined): number | undefined {
  if (position === null || position === undefined || position === -1 || position === -1n) return undefined;
  const at = Number(position);
  checkCount(at, "position");
  return at;
}

function checkRange(buffer: Uint8Array, offset: number, length: number): void {
  checkCount(offset, "offset");
  checkCount(length, "length");
  if (offset + length > buffer.length) {
    throw new FsError("EINVAL", { detail: `offset and length reach past the buffer's ${buffer.length} bytes` });
  }
}
