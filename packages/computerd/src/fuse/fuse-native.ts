/** The npm package fuse-native, as far as it is used: libfuse 2, path by path, on Node's main thread. */

import { createRequire } from "node:module";
import { ComputerError } from "@cloudflare/computer-rpc";

/** Times in milliseconds since 1970, sizes in bytes. */
export interface FuseStat {
  readonly mode: number;
  readonly ino: number;
  readonly nlink: number;
  readonly uid: number;
  readonly gid: number;
  readonly rdev: number;
  readonly size: number;
  readonly blksize: number;
  readonly blocks: number;
  readonly atime: number;
  readonly mtime: number;
  readonly ctime: number;
}

export interface FuseStatFs {
  readonly bsize: number;
  readonly frsize: number;
  readonly blocks: number;
  readonly bfree: number;
  readonly bavail: number;
  readonly files: number;
  readonly ffree: number;
  readonly favail: number;
  readonly namemax: number;
}

/** Ends an operation with 0, a negative errno, or the number of bytes of a read or write. */
type Done = (status: number) => void;
type DoneWith<T> = (status: number, value?: T) => void;

/** What libfuse is answered with. An operation that is left out is `ENOSYS`. */
export interface FuseOperations {
  getattr(path: string, done: DoneWith<FuseStat>): void;
  statfs(path: string, done: DoneWith<FuseStatFs>): void;
  readlink(path: string, done: DoneWith<string>): void;
  readdir(path: string, done: (status: number, names?: string[], stats?: FuseStat[]) => void): void;
  open(path: string, flags: number, done: DoneWith<number>): void;
  create(path: string, mode: number, done: DoneWith<number>): void;
  release(path: string, fd: number, done: Done): void;
  read(path: string, fd: number, buffer: Buffer, length: number, position: number, done: Done): void;
  write(path: string, fd: number, buffer: Buffer, length: number, position: number, done: Done): void;
  truncate(path: string, size: number, done: Done): void;
  ftruncate(path: string, fd: number, size: number, done: Done): void;
  mknod(path: string, mode: number, device: number, done: Done): void;
  mkdir(path: string, mode: number, done: Done): void;
  symlink(target: string, path: string, done: Done): void;
  link(from: string, to: string, done: Done): void;
  unlink(path: string, done: Done): void;
  rmdir(path: string, done: Done): void;
  rename(from: string, to: string, done: Done): void;
  chmod(path: string, mode: number, done: Done): void;
  chown(path: string, uid: number, gid: number, done: Done): void;
  utimens(path: string, atime: number, mtime: number, done: Done): void;
}

type Handler = (this: unknown, request: Buffer, ...args: unknown[]) => void;

/** A mount of the package. The names with an underscore are its own business, pinned by its exact version. */
export interface FuseNative {
  mount(done: (error: Error | null) => void): void;
  unmount(done: (error: Error | null) => void): void;
  _fuseOptions(): string;
  readonly _handlers: (Handler | undefined)[];
}

export type FuseNativeConstructor = new (
  mountPoint: string,
  operations: FuseOperations,
  options: { readonly timeout: false },
) => FuseNative;

const UTIMENS = 12;
// Where the struct of a request keeps the two times of a utimens, in milliseconds, on 64-bit Linux.
const ATIME_AT = 104;
const MTIME_AT = 112;

/** Loads the package; `EUNAVAILABLE` with what to install where it or libfuse is missing. */
export function loadFuseNative(): FuseNativeConstructor {
  try {
    const loaded: FuseNativeConstructor = createRequire(import.meta.url)("fuse-native");
    return loaded;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const advice = message.includes("libfuse.so.2")
      ? "needs libfuse.so.2. Install it: 'apt-get install fuse3 libfuse2' (Debian 12), 'libfuse2t64' on later releases."
      : "needs the npm package fuse-native, an optional dependency that is not installed or not built for this machine. " +
        "Install it: 'npm install fuse-native'.";
    throw new ComputerError("EUNAVAILABLE", `FUSE_MOUNT=fuse ${advice}`, { cause });
  }
}

/**
 * Mends utimens, of which the package passes the access time twice.
 *
 * The first argument of a handler is the memory of the native request, and both times stand in it. Where the access time is not
 * found at its place the struct is another one, and nothing is done.
 */
export function mendUtimens(fuse: FuseNative): void {
  const handler = fuse._handlers[UTIMENS];
  if (handler === undefined) return;
  fuse._handlers[UTIMENS] = function (request, ...args) {
    const [operation, path, low, high] = args;
    if (
      request.length >= MTIME_AT + 8 &&
      request.readUInt32LE(ATIME_AT) === low &&
      request.readUInt32LE(ATIME_AT + 4) === high
    ) {
      return handler.call(
        this,
        request,
        operation,
        path,
        low,
        high,
        request.readUInt32LE(MTIME_AT),
        request.readUInt32LE(MTIME_AT + 4),
      );
    }
    return handler.call(this, request, ...args);
  };
}
