/** The synchronous half of the provider: Node's `fs` by path and by descriptor, over any store. */

import type { Buffer } from "node:buffer";
import { checkCount, permissionBits } from "../filesystem/arguments.ts";
import { chmod } from "../filesystem/chmod.ts";
import { link, readlink, symlink } from "../filesystem/links.ts";
import { type MkdirOptions, mkdir } from "../filesystem/mkdir.ts";
import { endsWithSlash } from "../filesystem/path.ts";
import { rename } from "../filesystem/rename.ts";
import { attempt, resolve, resolveDirectory } from "../filesystem/resolve.ts";
import { rmdir, unlink } from "../filesystem/rm.ts";
import { writeFile } from "../filesystem/write-file.ts";
import { FsError } from "../fs-error.ts";
import type { Attr, Dirent, InodeStore } from "../inode-store.ts";
import { join } from "../store/names.ts";
import { BufferedFiles } from "./buffered-files.ts";
import { decode, type EncodingOptions, encode, toBuffer, type WriteData } from "./bytes.ts";
import { changedStretches, type WriteFileRange } from "./changed-stretches.ts";
import { copyFile } from "./copy-file.ts";
import { OpenFiles } from "./open-files.ts";
import * as stat from "./stats.ts";

const DEFAULT_MODE = 0o644;
/** Directory entries asked of the store at once. */
const PAGE_ENTRIES = 1_000;
const X_OK = 1;

/** How a file is written: in which encoding text is, and the permission bits of a new file, default 0o644. */
export type WriteOptions =
  | { encoding?: BufferEncoding | null | undefined; mode?: number | undefined }
  | BufferEncoding
  | null;

/** A directory entry with what `readdir` alone does not say. */
export interface WorkspaceDirentEntry {
  name: string;
  type: "file" | "dir" | "symlink";
  /** Permission bits. */
  mode: number;
  inode: number;
}

export class SyncProvider {
  protected readonly store: InodeStore;
  readonly #files: BufferedFiles;
  readonly #open: OpenFiles;

  constructor(store: InodeStore, now: () => number) {
    this.store = store;
    this.#files = new BufferedFiles(store, now);
    this.#open = new OpenFiles(this.#files);
  }

  /** Opens a file or a directory with Node's flags, as string or number; the descriptor is the lowest free number from 3 on. */
  openSync(path: string, flags?: string | number, mode?: number): number {
    return attempt({ syscall: "open", path }, () => this.#open.open(path, flags, mode));
  }

  closeSync(fd: number): void {
    attempt({ syscall: "close" }, () => this.#open.close(fd));
  }

  /** Bytes read into `buffer`, 0 at the end; `position` null reads on from the descriptor's own. */
  readSync(
    fd: number,
    buffer: Uint8Array,
    offset = 0,
    length: number = buffer.length - offset,
    position: number | null = null,
  ): number {
    return attempt({ syscall: "read" }, () => this.#open.read(fd, buffer, offset, length, position));
  }

  writeSync(fd: number, buffer: Uint8Array, offset?: number, length?: number, position?: number | null): number {
    return attempt({ syscall: "write" }, () => this.#open.write(fd, buffer, offset, length, position));
  }

  fstatSync(fd: number, options: stat.StatOptions & { bigint: true }): stat.VirtualBigIntStatsLike;
  fstatSync(fd: number, options?: stat.StatOptions): stat.VirtualStatsLike;
  fstatSync(fd: number, options?: stat.StatOptions): stat.VirtualStatsLike | stat.VirtualBigIntStatsLike {
    return statsOf(
      attempt({ syscall: "fstat" }, () => this.#open.attr(fd)),
      options,
    );
  }

  ftruncateSync(fd: number, len = 0): void {
    attempt({ syscall: "ftruncate" }, () => this.#open.truncate(fd, len));
  }

  statSync(path: string, options: stat.StatOptions & { bigint: true }): stat.VirtualBigIntStatsLike;
  statSync(path: string, options?: stat.StatOptions): stat.VirtualStatsLike;
  statSync(path: string, options?: stat.StatOptions): stat.VirtualStatsLike | stat.VirtualBigIntStatsLike {
    return attempt({ syscall: "stat", path }, () => statsOf(this.#attr(path, true), options));
  }

  lstatSync(path: string, options: stat.StatOptions & { bigint: true }): stat.VirtualBigIntStatsLike;
  lstatSync(path: string, options?: stat.StatOptions): stat.VirtualStatsLike;
  lstatSync(path: string, options?: stat.StatOptions): stat.VirtualStatsLike | stat.VirtualBigIntStatsLike {
    return attempt({ syscall: "lstat", path }, () => statsOf(this.#attr(path, endsWithSlash(path)), options));
  }

  readdirSync(path: string, options: { withFileTypes: true }): stat.VirtualDirentLike[];
  readdirSync(path: string, options?: { withFileTypes?: false | undefined }): string[];
  readdirSync(path: string, options?: { withFileTypes?: boolean | undefined }): string[] | stat.VirtualDirentLike[];
  readdirSync(path: string, options?: { withFileTypes?: boolean | undefined }): string[] | stat.VirtualDirentLike[] {
    const entries = this.#entries(path);
    if (options?.withFileTypes !== true) return entries.map(({ name }) => name);
    return entries.map(({ name, attr }) => stat.dirent(name, path, attr.kind));
  }

  /** A directory's entries with what they are, in one reading. */
  readdirEntriesSync(path: string): WorkspaceDirentEntry[] {
    return this.#entries(path).map(({ name, attr: { kind, mode, ino } }) => {
      return { name, type: kind === "dir" || kind === "symlink" ? kind : "file", mode, inode: ino };
    });
  }

  /** With `recursive`, the topmost directory that was made; undefined where all were there. */
  mkdirSync(path: string, options?: MkdirOptions): string | undefined {
    this.#files.settle();
    return mkdir(this.store, path, options);
  }

  rmdirSync(path: string): void {
    this.#files.settle();
    rmdir(this.store, path);
  }

  unlinkSync(path: string): void {
    this.#files.settle();
    unlink(this.store, path);
  }

  linkSync(existingPath: string, newPath: string): void {
    this.#files.settle();
    link(this.store, existingPath, newPath);
  }

  renameSync(oldPath: string, newPath: string): void {
    this.#files.settle();
    rename(this.store, oldPath, newPath);
  }

  symlinkSync(target: string, path: string, _type?: string): void {
    this.#files.settle();
    symlink(this.store, target, path);
  }

  readlinkSync(path: string, _options?: { encoding?: BufferEncoding | undefined }): string {
    return readlink(this.store, path);
  }

  chmodSync(path: string, mode: number): void {
    this.#files.settle();
    chmod(this.store, path, mode);
  }

  readFileSync(path: string, options?: null | { encoding?: null | undefined }): Buffer;
  readFileSync(path: string, options: BufferEncoding | { encoding: BufferEncoding }): string;
  readFileSync(path: string, options?: EncodingOptions): Buffer | string;
  readFileSync(path: string, options?: EncodingOptions): Buffer | string {
    return attempt({ syscall: "open", path }, () => {
      const { size, read } = this.#reader(path);
      return decode(read(0, size), options);
    });
  }

  /** Bytes from `offset`, at most `length`, fewer at the end of the file. */
  readRangeSync(path: string, offset: number, length: number): Buffer {
    return attempt({ syscall: "read", path }, () => {
      checkCount(offset, "offset");
      checkCount(length, "length");
      return toBuffer(this.#reader(path).read(offset, length));
    });
  }

  /** Writes a whole file in one step, through links; a file that is there keeps its mode. */
  writeFileSync(path: string, data: WriteData, options?: WriteOptions): void {
    attempt({ syscall: "open", path }, () => this.#writeWhole(path, encode(data, options), modeOf(options)));
  }

  /**
   * Makes a file's contents `data`, where only the given ranges (`[start, end)`, in bytes) differ from what the file has: chunks that no
   * range touches are left as they are. What lies beyond the old end counts as changed. One transaction.
   */
  writeFileRangesSync(path: string, data: WriteData, ranges: WriteFileRange[], options?: WriteOptions): void {
    attempt({ syscall: "write", path }, () => {
      const bytes = encode(data, options);
      const attr = this.#files.attrAt(resolve(this.store, path));
      const stretches = attr?.kind === "file" ? changedStretches(ranges, attr.size, bytes.length) : undefined;
      if (attr === undefined || stretches === undefined) return this.#writeWhole(path, bytes, modeOf(options));
      this.store.transaction(() => {
        if (bytes.length < attr.size) this.#files.truncate(attr.ino, bytes.length);
        for (const { start, end } of stretches) this.#files.write(attr.ino, start, bytes.subarray(start, end));
      });
    });
  }

  /** Makes an empty file; `EEXIST` where anything is. */
  createFileSync(path: string, options?: { mode?: number | undefined }): void {
    attempt({ syscall: "open", path }, () => {
      this.#files.settle();
      writeFile(this.store, path, new Uint8Array(0), { mode: options?.mode, exclusive: true });
    });
  }

  /** Writes at `offset` into a file that is there, zeros filling a gap before; the bytes written. */
  writeRangeSync(path: string, data: WriteData, offset: number, options?: WriteOptions): number {
    return attempt({ syscall: "write", path }, () => {
      checkCount(offset, "offset");
      const bytes = encode(data, options);
      const unmade = this.#files.unmade(path);
      if (unmade === undefined) this.#files.write(this.#files.file(path), offset, bytes);
      else unmade.write(offset, bytes);
      return bytes.length;
    });
  }

  appendFileSync(path: string, data: WriteData, options?: WriteOptions): void {
    attempt({ syscall: "open", path }, () => {
      const bytes = encode(data, options);
      const attr = this.#files.attrAt(resolve(this.store, path));
      if (attr === undefined) this.#writeWhole(path, bytes, modeOf(options));
      else this.writeRangeSync(path, bytes, attr.size);
    });
  }

  truncateSync(path: string, len = 0): void {
    attempt({ syscall: "open", path }, () => {
      checkCount(len, "len");
      const unmade = this.#files.unmade(path);
      if (unmade === undefined) this.#files.truncate(this.#files.file(path), len);
      else unmade.truncate(len);
    });
  }

  /** As `truncateSync`. */
  truncateFileSync(path: string, len: number): void {
    this.truncateSync(path, len);
  }

  /**
   * From here to the release, what this provider writes to the file is kept in memory (up to 16 MiB) and goes to the store as one
   * revision; this provider's readers see it at once, others with the release. Opened more than once, it is released as often.
   */
  openWriteBufferSync(path: string): void {
    attempt({ syscall: "open", path }, () => this.#files.openBuffer(path));
  }

  /** The same for a file that is to be made, whose name others see with the release too. `EEXIST` where anything is. */
  openWriteBufferForCreateSync(path: string, options?: { mode?: number | undefined }): void {
    attempt({ syscall: "open", path }, () =>
      this.#files.openNewBuffer(path, permissionBits(options?.mode ?? DEFAULT_MODE)),
    );
  }

  /** Writes what was kept; nothing where no buffer is open. */
  releaseWriteBufferSync(path: string): void {
    attempt({ syscall: "close", path }, () => this.#files.releaseBuffer(path));
  }

  existsSync(path: string): boolean {
    try {
      this.#attr(path, true);
      return true;
    } catch {
      return false;
    }
  }

  /** Copies contents through links; a new file gets the mode too. `mode` is Node's: 1 for `EEXIST` where the copy would replace. */
  copyFileSync(src: string, dest: string, mode?: number): void {
    this.#files.settle();
    copyFile(this.#files, src, dest, mode ?? 0);
  }

  /** What Node's module loader asks: 0 for a file, 1 for a directory, -2 for nothing. */
  internalModuleStat(path: string): number {
    try {
      return this.#attr(path, true).kind === "dir" ? 1 : 0;
    } catch {
      return -2;
    }
  }

  /** The path without links, `.` and `..`. */
  realpathSync(path: string, _options?: { encoding?: BufferEncoding | undefined }): string {
    return attempt({ syscall: "realpath", path }, () => {
      const place = resolve(this.store, path);
      const attr = this.#files.attrAt(place);
      if (attr === undefined) throw new FsError("ENOENT");
      return attr.kind === "dir" ? this.#path(attr.ino) : join(this.#path(place.parent), place.name);
    });
  }

  /** Whether there is such a path; `X_OK` (1) in `mode` asks whether it may be run. Everything may be read and written, as by root. */
  accessSync(path: string, mode = 0): void {
    attempt({ syscall: "access", path }, () => {
      const attr = this.#attr(path, true);
      if ((mode & X_OK) !== 0 && (attr.mode & 0o111) === 0) throw new FsError("EACCES");
    });
  }

  #path(directory: number): string {
    return this.store.paths(directory)[0] ?? "/";
  }

  #attr(path: string, follow: boolean): Attr {
    const attr = this.#files.attrAt(resolve(this.store, path, { follow }));
    if (attr === undefined) throw new FsError("ENOENT");
    return attr;
  }

  #entries(path: string): Dirent[] {
    return attempt({ syscall: "scandir", path }, () => {
      this.#files.settle();
      const { ino } = resolveDirectory(this.store, path);
      const entries: Dirent[] = [];
      for (let page: Dirent[] | undefined; page === undefined || page.length === PAGE_ENTRIES; ) {
        page = this.store.readdir(ino, entries.at(-1)?.name, PAGE_ENTRIES);
        entries.push(...page);
      }
      return entries;
    });
  }

  #reader(path: string): { size: number; read: (offset: number, length: number) => Uint8Array } {
    const unmade = this.#files.unmade(path);
    if (unmade !== undefined)
      return { size: unmade.attr().size, read: (offset, length) => unmade.read(offset, length) };
    const ino = this.#files.file(path);
    return { size: this.#files.attr(ino).size, read: (offset, length) => this.#files.read(ino, offset, length) };
  }

  #writeWhole(path: string, bytes: Uint8Array, mode: number | undefined): void {
    const unmade = this.#files.unmade(path);
    if (unmade !== undefined) {
      unmade.truncate(0);
      unmade.write(0, bytes);
      return;
    }
    const { attr } = resolve(this.store, path);
    if (attr !== undefined && this.#files.isBuffered(attr.ino)) this.#files.replace(attr.ino, bytes);
    else writeFile(this.store, path, bytes, { mode });
  }
}

function modeOf(options: WriteOptions | undefined): number | undefined {
  return typeof options === "string" || options === null ? undefined : options?.mode;
}

function statsOf(attr: Attr, options?: stat.StatOptions): stat.VirtualStatsLike | stat.VirtualBigIntStatsLike {
  return options?.bigint === true ? stat.bigIntStats(attr) : stat.stats(attr);
}
