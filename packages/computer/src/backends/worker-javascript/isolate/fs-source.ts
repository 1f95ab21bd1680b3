/** In the isolate: `node:fs`, with callbacks and streams; what is synchronous is refused. */

export const FS_SOURCE: string = `
import { Readable, Writable } from "node:stream";
import * as promises from "./fs-promises.js";
import { Dirent, Stats, encodingOf } from "./fs-values.js";
import { ask } from "./link.js";

const { FileHandle, constants } = promises;
export { Dirent, Stats, constants, promises };

function callback(call) {
  return (...args) => {
    const done = args.pop();
    if (typeof done !== "function") throw Object.assign(new TypeError("The last argument must be a callback; use fs.promises to await."), { code: "ERR_INVALID_ARG_TYPE" });
    call(...args).then((value) => queueMicrotask(() => done(null, value)), (error) => queueMicrotask(() => done(error)));
  };
}

export const access = callback(promises.access);
export const appendFile = callback(promises.appendFile);
export const chmod = callback(promises.chmod);
export const copyFile = callback(promises.copyFile);
export const cp = callback(promises.cp);
export const link = callback(promises.link);
export const lstat = callback(promises.lstat);
export const lutimes = callback(promises.lutimes);
export const mkdir = callback(promises.mkdir);
export const mkdtemp = callback(promises.mkdtemp);
export const opendir = callback(promises.opendir);
export const readdir = callback(promises.readdir);
export const readFile = callback(promises.readFile);
export const readlink = callback(promises.readlink);
export const realpath = callback(promises.realpath);
export const rename = callback(promises.rename);
export const rm = callback(promises.rm);
export const rmdir = callback(promises.rmdir);
export const stat = callback(promises.stat);
export const symlink = callback(async (target, path) => promises.symlink(target, path));
export const truncate = callback(promises.truncate);
export const unlink = callback(promises.unlink);
export const utimes = callback(promises.utimes);
export const writeFile = callback(promises.writeFile);
export const open = callback(async (...args) => (await promises.open(...args)).fd);
export const close = callback(async (fd) => new FileHandle(fd).close());
export const fstat = callback(async (fd, options) => new FileHandle(fd).stat(options));
export const ftruncate = callback(async (fd, length) => new FileHandle(fd).truncate(length));
export const fsync = callback(async () => {});
export const fdatasync = fsync;
export function exists(path, done) {
  promises.access(path).then(() => done(true), () => done(false));
}
export function read(fd, ...args) {
  const done = args.pop();
  new FileHandle(fd).read(...args).then(({ bytesRead, buffer }) => done(null, bytesRead, buffer), done);
}
export function write(fd, ...args) {
  const done = args.pop();
  new FileHandle(fd).write(...args).then(({ bytesWritten, buffer }) => done(null, bytesWritten, buffer), done);
}
export const watch = promises.watch;
export const watchFile = promises.watch;
export const unwatchFile = () => {};

export class ReadStream extends Readable {
  #handle;
  #at;
  #end;
  constructor(path, options) {
    const given = typeof options === "string" ? { encoding: options } : (options ?? {});
    super({ highWaterMark: given.highWaterMark ?? 65536, encoding: encodingOf(given) });
    this.path = path;
    this.bytesRead = 0;
    this.#at = given.start;
    this.#end = given.end ?? Number.POSITIVE_INFINITY;
    this.#handle = given.fd === undefined || given.fd === null ? promises.open(path, given.flags ?? "r") : Promise.resolve(given.fd instanceof FileHandle ? given.fd : new FileHandle(given.fd));
    this.#handle.then(({ fd }) => this.emit("open", fd), (error) => this.destroy(error));
  }
  async _read(size) {
    try {
      const handle = await this.#handle;
      const length = Math.min(Math.max(size, 65536), this.#end - (this.#at ?? this.bytesRead) + 1);
      const bytes = length <= 0 ? new Uint8Array(0) : await ask("pread", handle.fd, length, this.#at ?? null);
      if (this.#at !== undefined) this.#at += bytes.length;
      else if (this.#end !== Number.POSITIVE_INFINITY) this.#at = this.bytesRead + bytes.length;
      this.bytesRead += bytes.length;
      this.push(bytes.length === 0 ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    } catch (error) {
      this.destroy(error);
    }
  }
  _destroy(error, done) {
    this.#handle.then((handle) => handle.close()).then(() => done(error), () => done(error));
  }
}

export class WriteStream extends Writable {
  #handle;
  #at;
  constructor(path, options) {
    const given = typeof options === "string" ? { encoding: options } : (options ?? {});
    super({ highWaterMark: given.highWaterMark ?? 65536, defaultEncoding: encodingOf(given) ?? "utf8" });
    this.path = path;
    this.bytesWritten = 0;
    this.#at = given.start ?? null;
    const flags = given.flags ?? (given.start === undefined ? "w" : "r+");
    this.#handle = given.fd === undefined || given.fd === null ? promises.open(path, flags, given.mode) : Promise.resolve(given.fd instanceof FileHandle ? given.fd : new FileHandle(given.fd));
    this.#handle.then(({ fd }) => this.emit("open", fd), (error) => this.destroy(error));
  }
  _write(chunk, _encoding, done) {
    this.#put(chunk).then(() => done(), done);
  }
  _writev(chunks, done) {
    this.#put(Buffer.concat(chunks.map(({ chunk }) => chunk))).then(() => done(), done);
  }
  async #put(chunk) {
    const { bytesWritten } = await (await this.#handle).write(chunk, 0, chunk.length, this.#at);
    if (this.#at !== null) this.#at += bytesWritten;
    this.bytesWritten += bytesWritten;
  }
  _final(done) {
    this.#handle.then((handle) => handle.close()).then(() => done(), done);
  }
  _destroy(error, done) {
    this.#handle.then((handle) => handle.close()).then(() => done(error), () => done(error));
  }
}

export const createReadStream = (path, options) => new ReadStream(path, options);
export const createWriteStream = (path, options) => new WriteStream(path, options);

const refused = (name) => () => {
  throw Object.assign(
    new Error("fs." + name + "Sync is not available: the files lie in another isolate, and nothing can wait for them. Use await fs.promises." + (name === "exists" ? "access" : name) + "(…)."),
    { code: "ERR_METHOD_NOT_IMPLEMENTED" },
  );
};
SYNC

const fs = {
  Dirent, ReadStream, Stats, WriteStream, access, appendFile, chmod, close, constants, copyFile, cp, createReadStream, createWriteStream,
  exists, fdatasync, fstat, fsync, ftruncate, link, lstat, lutimes, mkdir, mkdtemp, open, opendir, promises: promises.default, read, readdir,
  readFile, readlink, realpath, rename, rm, rmdir, stat, symlink, truncate, unlink, unwatchFile, utimes, watch, watchFile, write, writeFile,
  SYNC_NAMES
};
export default fs;
`
  .replace(
    "SYNC_NAMES",
    syncNames()
      .map((name) => `${name}Sync`)
      .join(", "),
  )
  .replace(
    "SYNC",
    syncNames()
      .map((name) => `export const ${name}Sync = refused(${JSON.stringify(name)});`)
      .join("\n"),
  );

function syncNames(): string[] {
  return "access appendFile chmod close copyFile cp exists fstat fsync ftruncate glob link lstat lutimes mkdir mkdtemp open opendir read readdir readFile readlink realpath rename rm rmdir stat statfs symlink truncate unlink utimes write writeFile".split(
    " ",
  );
}
