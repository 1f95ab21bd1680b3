/** A backing on a local disk: files without a name, gone with the process that has them open. */

import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statfsSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { FsError } from "../fs-error.ts";
import type { Backing, CellPlace } from "../store/backing.ts";

/** Cells of these many bytes; a file has cells of one size. Disks give room only to what is written of a cell. */
const SIZES = [4 << 10, 16 << 10, 64 << 10, 256 << 10] as const;
const FILE_BYTES = 64 << 20;
/** More than the cells of any file. */
const CELLS = 1 << 16;

const { O_CREAT, O_EXCL, O_RDWR } = constants;

/** What an empty file may go on taking of the disk, so that little comings and goings cost nothing. */
const KEPT_BYTES = 1 << 20;

interface CellFile {
  /** Its place in the list of files, and so the first part of its cells' numbers. */
  readonly number: number;
  /** Open as long as the backing is: another thread may read there. */
  readonly descriptor: number;
  size: number;
  /** Cells that were used and are not any more. */
  free: number[];
  /** The first cell that was never used since the file was empty. */
  next: number;
  used: number;
}

export class BackingFiles implements Backing {
  readonly #directory: string;
  /** Files by number. The first is left out, since no cell is 0. */
  readonly #files: CellFile[] = [];
  /** Files with room, by size. */
  readonly #open = new Map<number, CellFile[]>(SIZES.map((size) => [size, []]));
  /** Files that are empty, for cells of whatever size. */
  readonly #spare: CellFile[] = [];

  /** Files in this directory, which is made where it is missing; they have no name there. */
  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true });
  }

  /** The bytes that the disk has left for more. */
  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#directory);
    return bavail * bsize;
  }

  allocate(bytes: number): number {
    const size = SIZES.find((size) => size >= bytes);
    if (size === undefined) throw new FsError("EINVAL", { detail: `a cell has at most ${SIZES.at(-1)} bytes` });
    const open = this.#open.get(size)!;
    const file = open.at(-1) ?? this.#add(size);
    const cell = file.free.pop() ?? file.next++;
    file.used++;
    if (isFull(file)) open.pop();
    return file.number * CELLS + cell;
  }

  capacity(cell: number): number {
    return this.#fileOf(cell).size;
  }

  free(cell: number): void {
    const file = this.#fileOf(cell);
    const open = this.#open.get(file.size)!;
    if (isFull(file)) open.push(file);
    file.free.push(cell % CELLS);
    file.used--;
    if (file.used === 0) this.#empty(file, open);
  }

  read(cell: number, start: number, out: Uint8Array, at: number, length: number): void {
    const { file, position } = this.place(cell);
    for (let done = 0; done < length; ) {
      const count = attempt(() => readSync(file, out, at + done, length - done, position + start + done));
      if (count === 0) throw new FsError("EIO", { detail: "a file of contents is shorter than it was" });
      done += count;
    }
  }

  write(cell: number, start: number, bytes: Uint8Array): void {
    const { file, position } = this.place(cell);
    for (let done = 0; done < bytes.length; ) {
      done += attempt(() => writeSync(file, bytes, done, bytes.length - done, position + start + done));
    }
  }

  place(cell: number): CellPlace {
    const { descriptor, size } = this.#fileOf(cell);
    return { file: descriptor, position: (cell % CELLS) * size };
  }

  /** Closes all files; nothing that stood in them can be read any more. */
  close(): void {
    for (const { descriptor } of this.#files.splice(0)) closeSync(descriptor);
    for (const open of this.#open.values()) open.length = 0;
    this.#spare.length = 0;
  }

  #fileOf(cell: number): CellFile {
    return this.#files[Math.floor(cell / CELLS) - 1]!;
  }

  #add(size: number): CellFile {
    const file = this.#spare.pop() ?? this.#make(size);
    file.size = size;
    this.#open.get(size)!.push(file);
    return file;
  }

  #make(size: number): CellFile {
    const path = join(this.#directory, `.contents-${randomUUID()}`);
    const descriptor = attempt(() => openSync(path, O_RDWR | O_CREAT | O_EXCL, 0o600));
    rmSync(path, { force: true });
    const file = { number: this.#files.length + 1, descriptor, size, free: [], next: 0, used: 0 };
    this.#files.push(file);
    return file;
  }

  /** Gives the disk back what a file takes. */
  #empty(file: CellFile, open: CellFile[]): void {
    const taken = file.next * file.size;
    file.free = [];
    file.next = 0;
    if (open.length === 1 && taken <= KEPT_BYTES) return;
    open.splice(open.indexOf(file), 1);
    this.#spare.push(file);
    attempt(() => ftruncateSync(file.descriptor, 0));
  }
}

function isFull({ free, next, size }: CellFile): boolean {
  return free.length === 0 && next === FILE_BYTES / size;
}

function attempt<T>(action: () => T): T {
  try {
    return action();
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : "";
    const full = code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG";
    throw new FsError(full ? "ENOSPC" : "EIO", { detail: "the local disk refused contents", cause });
  }
}
