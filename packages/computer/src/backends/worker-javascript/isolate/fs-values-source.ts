/** In the isolate: what `fs` takes and gives. */

export const FS_VALUES_SOURCE: string = String.raw`
import path from "node:path";

/** An absolute path; a relative one starts at the working directory. */
export function pathOf(given) {
  let text = given;
  if (given instanceof URL) {
    if (given.protocol !== "file:") throw Object.assign(new TypeError("The URL must be of scheme file"), { code: "ERR_INVALID_URL_SCHEME" });
    text = decodeURIComponent(given.pathname);
  } else if (given instanceof Uint8Array) text = Buffer.from(given).toString();
  if (typeof text !== "string") {
    throw Object.assign(new TypeError('The "path" argument must be of type string or an instance of Buffer or URL.'), { code: "ERR_INVALID_ARG_TYPE" });
  }
  if (text.includes("\0")) throw Object.assign(new TypeError('The argument "path" must not contain a NUL byte.'), { code: "ERR_INVALID_ARG_VALUE" });
  if (text === "") return "";
  return text.startsWith("/") ? text : path.posix.join(process.cwd(), text);
}

export function encodingOf(options) {
  const encoding = typeof options === "string" ? options : options?.encoding;
  if (encoding === undefined || encoding === null) return undefined;
  if (encoding === "buffer" || Buffer.isEncoding(encoding)) return encoding;
  throw Object.assign(new TypeError("The argument 'encoding' is invalid encoding. Received " + JSON.stringify(encoding)), { code: "ERR_INVALID_ARG_VALUE" });
}

export function flagsOf(flags, otherwise) {
  return flags ?? otherwise;
}

/** Milliseconds since 1970, of a time in seconds or a Date. */
export function timeOf(time) {
  const ms = time instanceof Date ? time.getTime() : Number(time) * 1000;
  if (!Number.isFinite(ms)) throw Object.assign(new TypeError("The time must be a Date or a number of seconds."), { code: "ERR_INVALID_ARG_TYPE" });
  return Math.round(ms);
}

const TYPES = { dir: 0o040000, file: 0o100000, symlink: 0o120000 };

class Kind {
  isFile() { return kindOf(this) === "file"; }
  isDirectory() { return kindOf(this) === "dir"; }
  isSymbolicLink() { return kindOf(this) === "symlink"; }
  isBlockDevice() { return false; }
  isCharacterDevice() { return false; }
  isFIFO() { return false; }
  isSocket() { return false; }
}

const kinds = new WeakMap();
const kindOf = (thing) => kinds.get(thing);

export class Stats extends Kind {
  constructor({ kind, mode, ...rest }, big) {
    super();
    kinds.set(this, kind);
    const numbers = {
      dev: 0, mode: mode | (TYPES[kind] ?? 0), nlink: rest.nlink, uid: 0, gid: 0, rdev: 0, blksize: 4096, ino: rest.ino, size: rest.size,
      blocks: Math.ceil(rest.size / 512), atimeMs: rest.atime, mtimeMs: rest.mtime, ctimeMs: rest.ctime, birthtimeMs: rest.ctime,
    };
    for (const [name, value] of Object.entries(numbers)) this[name] = big ? BigInt(Math.trunc(value)) : value;
    for (const name of ["atime", "mtime", "ctime", "birthtime"]) {
      this[name] = new Date(numbers[name + "Ms"]);
      if (big) this[name + "Ns"] = BigInt(Math.trunc(numbers[name + "Ms"])) * 1000000n;
    }
  }
}

export class Dirent extends Kind {
  constructor(name, kind, parentPath) {
    super();
    kinds.set(this, kind);
    this.name = name;
    this.parentPath = parentPath;
    this.path = parentPath;
  }
}
`;
