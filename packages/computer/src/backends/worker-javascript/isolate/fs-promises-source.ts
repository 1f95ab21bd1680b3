/** In the isolate: `node:fs/promises`, each call of which is asked of the host. */

export const FS_PROMISES_SOURCE: string = String.raw`
import { ask } from "./link.js";
import { Dirent, Stats, encodingOf, flagsOf, pathOf, timeOf } from "./fs-values.js";

const PIECE = 4 * 1024 * 1024;

export const constants = Object.freeze({
  F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1, COPYFILE_EXCL: 1, COPYFILE_FICLONE: 2, COPYFILE_FICLONE_FORCE: 4,
  O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 0o100, O_EXCL: 0o200, O_TRUNC: 0o1000, O_APPEND: 0o2000, O_DIRECTORY: 0o200000, O_NOFOLLOW: 0o400000,
  S_IFMT: 0o170000, S_IFREG: 0o100000, S_IFDIR: 0o040000, S_IFLNK: 0o120000,
});

export async function readFile(path, options) {
  const encoding = encodingOf(options);
  options?.signal?.throwIfAborted?.();
  if (path instanceof FileHandle) return path.readFile(options);
  const bytes = await ask("read", pathOf(path));
  if (bytes !== null) return decoded(buffer(bytes), encoding);
  const handle = await open(path);
  try {
    return await handle.readFile(options);
  } finally {
    await handle.close();
  }
}

export async function writeFile(path, data, options) {
  const given = typeof options === "string" ? { encoding: options } : (options ?? {});
  const encoding = encodingOf(options) ?? "utf8";
  given.signal?.throwIfAborted?.();
  if (path instanceof FileHandle) return path.writeFile(data, options);
  const flag = flagsOf(given.flag, "w");
  if (!streaming(data)) return void (await ask("write", pathOf(path), bytesOf(data, encoding), flag, given.mode));
  const handle = await open(path, flag, given.mode);
  try {
    for await (const piece of data) await handle.write(bytesOf(piece, encoding));
  } finally {
    await handle.close();
  }
}

export function appendFile(path, data, options) {
  return writeFile(path, data, { ...(typeof options === "string" ? { encoding: options } : options), flag: options?.flag ?? "a" });
}

export const access = async (path, mode = 0) => void (await ask("access", pathOf(path), mode));
export const chmod = async (path, mode) => void (await ask("chmod", pathOf(path), typeof mode === "string" ? Number.parseInt(mode, 8) : mode));
export const copyFile = async (from, to, mode = 0) => void (await ask("copy", pathOf(from), pathOf(to), mode));
export const link = async (from, to) => void (await ask("link", pathOf(from), pathOf(to)));
export const rename = async (from, to) => void (await ask("rename", pathOf(from), pathOf(to)));
export const rmdir = async (path, options) => void (await (options?.recursive ? ask("rm", pathOf(path), true, false) : ask("rmdir", pathOf(path))));
export const symlink = async (target, path) => void (await ask("symlink", String(target), pathOf(path)));
export const truncate = async (path, length = 0) => void (await ask("truncate", pathOf(path), length));
export const unlink = async (path) => void (await ask("unlink", pathOf(path)));
export const utimes = async (path, atime, mtime) => void (await ask("utimes", pathOf(path), timeOf(atime), timeOf(mtime), true));
export const lutimes = async (path, atime, mtime) => void (await ask("utimes", pathOf(path), timeOf(atime), timeOf(mtime), false));
export const rm = async (path, options) => void (await ask("rm", pathOf(path), options?.recursive === true, options?.force === true));
export const cp = async (from, to, options = {}) => {
  if (options.filter !== undefined) return filteredCopy(from, to, options);
  await ask("cp", pathOf(from), pathOf(to), options.recursive === true, options.force !== false, options.errorOnExist === true);
};
export const mkdir = async (path, options) => {
  const given = typeof options === "object" && options !== null ? options : { mode: options };
  return (await ask("mkdir", pathOf(path), given.recursive === true, given.mode)) ?? undefined;
};
export const readlink = async (path, options) => decoded(await ask("readlink", pathOf(path)), encodingOf(options));
export const realpath = async (path, options) => decoded(await ask("realpath", pathOf(path)), encodingOf(options));
export const stat = async (path, options) => looked("stat", path, options);
export const lstat = async (path, options) => looked("lstat", path, options);

async function looked(call, path, options) {
  try {
    return new Stats(await ask(call, pathOf(path)), options?.bigint === true);
  } catch (error) {
    if (options?.throwIfNoEntry === false && error.code === "ENOENT") return undefined;
    throw error;
  }
}

export async function mkdtemp(prefix, options) {
  const path = String(prefix) + crypto.randomUUID().replaceAll("-", "").slice(0, 6);
  await mkdir(path, { mode: 0o700 });
  return decoded(path, encodingOf(options));
}

export async function readdir(path, options) {
  const given = typeof options === "string" ? { encoding: options } : (options ?? {});
  encodingOf(options);
  const root = pathOf(path);
  const entries = given.recursive === true ? await deep(root, "") : await shallow(root);
  return entries.map(([name, kind, below = ""]) => given.withFileTypes === true
    ? new Dirent(name, kind, below === "" ? String(path) : String(path).replace(/\/$/, "") + "/" + below)
    : below === "" ? name : below + "/" + name);
}

async function shallow(path) {
  const entries = [];
  for (let page, after; page === undefined || page.more; after = entries.at(-1)?.[0]) {
    page = await ask("readdir", path, after ?? null);
    for (const entry of page.entries) entries.push(entry);
  }
  return entries;
}

async function deep(root, below) {
  const entries = (await shallow(below === "" ? root : root + "/" + below)).map(([name, kind]) => [name, kind, below]);
  const under = await Promise.all(entries.filter(([, kind]) => kind === "dir").map(([name]) => deep(root, below === "" ? name : below + "/" + name)));
  return entries.concat(...under);
}

export async function opendir(path) {
  const entries = await readdir(path, { withFileTypes: true });
  let at = 0;
  return {
    path: String(path),
    read: async () => entries[at++] ?? null,
    close: async () => {},
    async *[Symbol.asyncIterator]() { while (at < entries.length) yield entries[at++]; },
  };
}

async function filteredCopy(from, to, options) {
  if (!(await options.filter(String(from), String(to)))) return;
  const attributes = await lstat(from);
  if (!attributes.isDirectory()) return cp(from, to, { ...options, filter: undefined });
  if (options.recursive !== true) return cp(from, to, { ...options, filter: undefined });
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) await filteredCopy(String(from) + "/" + name, String(to) + "/" + name, options);
}

export const watch = () => {
  throw Object.assign(new Error("fs.watch is not available in a run: a run ends, the workspace goes on."), { code: "ENOTSUP" });
};

export async function open(path, flags, mode) {
  return new FileHandle(await ask("open", pathOf(path), flagsOf(flags, "r"), mode));
}

/** An open file. */
export class FileHandle {
  #fd;
  constructor(fd) {
    this.#fd = fd;
  }
  get fd() {
    return this.#fd;
  }
  async read(into, offset, length, position) {
    if (!ArrayBuffer.isView(into)) ({ buffer: into = Buffer.alloc(16384), offset, length, position } = into ?? {});
    else if (typeof offset === "object" && offset !== null) ({ offset, length, position } = offset);
    const view = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
    const from = offset ?? 0;
    const bytes = await ask("pread", this.#fd, Math.min(length ?? view.length - from, PIECE), position ?? null);
    view.set(bytes, from);
    return { bytesRead: bytes.length, buffer: into };
  }
  async write(data, offset, length, position) {
    let bytes;
    if (typeof data === "string") {
      bytes = bytesOf(data, length ?? "utf8");
      position = offset;
    } else {
      if (typeof offset === "object" && offset !== null) ({ offset, length, position } = offset);
      bytes = bytesOf(data).subarray(offset ?? 0);
      bytes = bytes.subarray(0, length ?? bytes.length);
    }
    for (let at = 0; at < bytes.length || at === 0; at += PIECE) {
      await ask("pwrite", this.#fd, bytes.slice(at, at + PIECE), position === null || position === undefined ? null : position + at);
    }
    return { bytesWritten: bytes.length, buffer: data };
  }
  async readFile(options) {
    const encoding = encodingOf(options);
    const pieces = [];
    for (let piece; piece === undefined || piece.length > 0; ) pieces.push((piece = await ask("pread", this.#fd, PIECE, null)));
    return decoded(Buffer.concat(pieces), encoding);
  }
  async writeFile(data, options) {
    const encoding = encodingOf(options) ?? "utf8";
    if (!streaming(data)) return void (await this.write(bytesOf(data, encoding)));
    for await (const piece of data) await this.write(bytesOf(piece, encoding));
  }
  appendFile(data, options) {
    return this.writeFile(data, options);
  }
  async stat(options) {
    return new Stats(await ask("fstat", this.#fd), options?.bigint === true);
  }
  async truncate(length = 0) {
    await ask("ftruncate", this.#fd, length);
  }
  async sync() {}
  async datasync() {}
  async close() {
    if (this.#fd < 0) return;
    const fd = this.#fd;
    this.#fd = -1;
    await ask("close", fd);
  }
  async *readLines() {
    let rest = "";
    const decoder = new TextDecoder();
    for (let piece; piece === undefined || piece.length > 0; ) {
      piece = await ask("pread", this.#fd, 65536, null);
      const lines = (rest + decoder.decode(piece, { stream: piece.length > 0 })).split(/\r?\n/);
      rest = lines.pop();
      yield* lines;
    }
    if (rest !== "") yield rest;
  }
  async [Symbol.asyncDispose]() {
    await this.close();
  }
}

function streaming(data) {
  return typeof data === "object" && data !== null && !ArrayBuffer.isView(data) && (Symbol.asyncIterator in data || Symbol.iterator in data);
}

function bytesOf(data, encoding) {
  if (typeof data === "string") return new Uint8Array(Buffer.from(data, encoding));
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
  throw Object.assign(new TypeError('The "data" argument must be a string, a Buffer, a TypedArray, a DataView or an iterable of them.'), { code: "ERR_INVALID_ARG_TYPE" });
}

function buffer(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function decoded(value, encoding) {
  if (typeof value === "string") return encoding === "buffer" ? Buffer.from(value) : value;
  return encoding === undefined || encoding === "buffer" ? value : value.toString(encoding);
}

export default {
  access, appendFile, chmod, constants, copyFile, cp, link, lstat, lutimes, mkdir, mkdtemp, open, opendir, readdir, readFile, readlink,
  realpath, rename, rm, rmdir, stat, symlink, truncate, unlink, utimes, watch, writeFile,
};
`;
