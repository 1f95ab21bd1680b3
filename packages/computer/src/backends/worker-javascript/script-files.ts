/** The operations on files that a script may ask for: what each takes is checked here, whatever the isolate says. */

import { ConfinedStore, FileSystem, FsError, type InodeStore, StoreProvider } from "@cloudflare/dofs";
import type { WorkspaceRuntimeAccess } from "./module-types.ts";

export interface ScriptFilesOptions {
  readonly store: InodeStore;
  /** The directory that is not left. */
  readonly root: string;
  readonly access: WorkspaceRuntimeAccess;
  /** Entries of a directory in one answer. */
  readonly maxDirectoryEntries: number;
  /** Bytes of contents in one answer. */
  readonly maxReadBytes: number;
  now(): number;
}

/** What an operation gives back: data of the structured clone algorithm, bytes among them. */
export type FileAnswer = unknown;

/** Files held open by one script; more are `EMFILE`'s case and refused. */
const OPEN_MAX = 256;

/** The files of one run. */
export class ScriptFiles {
  /** The absolute path of the directory that is not left. */
  readonly root: string;
  readonly #store: ConfinedStore;
  readonly #fs: FileSystem;
  readonly #node: StoreProvider;
  readonly #options: ScriptFilesOptions;
  readonly #open = new Set<number>();

  constructor(options: ScriptFilesOptions) {
    this.#options = options;
    this.root = options.root;
    this.#store = new ConfinedStore(options.store, { root: options.root, readOnly: options.access === "read" });
    this.#fs = new FileSystem(this.#store);
    this.#node = new StoreProvider(this.#store, { now: options.now });
  }

  /** Does one operation: its name, then its arguments. */
  async run(op: unknown): Promise<FileAnswer> {
    if (!Array.isArray(op) || op.length > 8) throw malformed("an operation");
    const [name, ...args]: unknown[] = op;
    if (typeof name !== "string" || !Object.hasOwn(OPERATIONS, name)) throw malformed("the name of an operation");
    const operation = OPERATIONS[name as keyof typeof OPERATIONS];
    return operation(this, new Arguments(args));
  }

  /** The path without links; `EACCES` where it leads out. With `allowMissing` its last name need not be there. */
  resolve(path: string, allowMissing: boolean): string {
    const real = this.#real(path, allowMissing);
    // The directories above the root can be walked through, towards it.
    const root = this.#node.existsSync(this.root) ? this.#node.realpathSync(this.root) : this.root;
    if (root !== "/" && real !== root && !real.startsWith(`${root}/`)) throw new FsError("EACCES", { path });
    return real;
  }

  #real(path: string, allowMissing: boolean): string {
    try {
      return this.#node.realpathSync(path);
    } catch (error) {
      if (!allowMissing || !(error instanceof FsError) || error.code !== "ENOENT") throw error;
      const at = path.replace(/\/+$/, "").lastIndexOf("/");
      const parent = this.#node.realpathSync(path.slice(0, at) || "/");
      return `${parent === "/" ? "" : parent}/${path.slice(at + 1).replace(/\/+$/, "")}`;
    }
  }

  /** Lets go of what the script left open. */
  close(): void {
    for (const fd of this.#open) this.#node.closeSync(fd);
    this.#open.clear();
  }

  read(path: string): Uint8Array | null {
    if (this.#attr(path, true, "open").size > this.#options.maxReadBytes) return null;
    return plain(this.#node.readFileSync(path));
  }

  async write(path: string, data: Uint8Array, flag: string | number, mode: number | undefined): Promise<void> {
    if (flag === "w" || flag === "wx") return this.#fs.writeFile(path, data, { mode, exclusive: flag === "wx" });
    const fd = this.#node.openSync(path, flag, mode);
    try {
      this.#node.writeSync(fd, data);
    } finally {
      this.#node.closeSync(fd);
    }
  }

  async readdir(path: string, after: string | undefined): Promise<FileAnswer> {
    const { ino, kind } = this.#attr(path, true, "scandir");
    if (kind !== "dir") throw new FsError("ENOTDIR", { syscall: "scandir", path });
    const limit = this.#options.maxDirectoryEntries;
    const page = this.#store.readdir(ino, after, limit);
    return { entries: page.map(({ name, attr }) => [name, attr.kind]), more: page.length === limit };
  }

  stat(path: string, follow: boolean): FileAnswer {
    return told(this.#attr(path, follow, follow ? "stat" : "lstat"));
  }

  async rm(path: string, recursive: boolean, force: boolean): Promise<void> {
    if (!recursive && this.#node.existsSync(path) && this.#node.lstatSync(path).isDirectory()) {
      throw new FsError("EISDIR", { syscall: "rm", path, detail: "is a directory, remove it with recursive: true" });
    }
    return this.#fs.rm(path, { recursive, force });
  }

  utimes(path: string, atime: number, mtime: number, follow: boolean): void {
    const { ino } = this.#attr(path, follow, "utime");
    this.#store.setattr(ino, { atime, atimeNs: 0, mtime, mtimeNs: 0 });
  }

  /** Copies a file, a link or, with `recursive`, a whole directory, in one step. */
  cp(from: string, to: string, { recursive, force, errorOnExist }: CopyOptions): void {
    const source = this.#resolved(from);
    const dest = this.resolve(to, true);
    if (dest === source || dest.startsWith(`${source}/`)) {
      throw new FsError("EINVAL", { syscall: "cp", path: from, dest: to, detail: "cannot copy into itself" });
    }
    if (this.#node.lstatSync(from).isDirectory() && !recursive) {
      throw new FsError("EISDIR", {
        syscall: "cp",
        path: from,
        detail: "is a directory, copy it with recursive: true",
      });
    }
    this.#store.transaction(() => this.#copy(from, to, { recursive, force, errorOnExist }));
  }

  open(path: string, flags: string | number, mode: number | undefined): number {
    if (this.#open.size >= OPEN_MAX) {
      throw new FsError("EBUSY", {
        syscall: "open",
        path,
        detail: `too many open files: close some of the ${OPEN_MAX}`,
      });
    }
    const fd = this.#node.openSync(path, flags, mode);
    this.#open.add(fd);
    return fd;
  }

  closeFile(fd: number): void {
    this.#node.closeSync(fd);
    this.#open.delete(fd);
  }

  pread(fd: number, length: number, position: number | null): Uint8Array {
    const size = this.#node.fstatSync(fd).size;
    const buffer = new Uint8Array(
      Math.min(length, this.#options.maxReadBytes, position === null ? size : Math.max(0, size - position)),
    );
    return buffer.subarray(0, this.#node.readSync(fd, buffer, 0, buffer.length, position));
  }

  pwrite(fd: number, data: Uint8Array, position: number | null): number {
    return this.#node.writeSync(fd, data, 0, data.length, position);
  }

  fstat(fd: number): FileAnswer {
    return told(this.#store.getattr(this.#node.fstatSync(fd).ino));
  }

  get node(): StoreProvider {
    return this.#node;
  }

  #attr(path: string, follow: boolean, syscall: string): ReturnType<InodeStore["getattr"]> {
    try {
      return this.#store.getattr((follow ? this.#node.statSync(path) : this.#node.lstatSync(path)).ino);
    } catch (error) {
      throw error instanceof FsError ? new FsError(error.code, { syscall, path, detail: error.detail }) : error;
    }
  }

  #resolved(path: string): string {
    return this.#node.lstatSync(path).isSymbolicLink() ? path : this.#node.realpathSync(path);
  }

  #copy(from: string, to: string, options: CopyOptions): void {
    const source = this.#node.lstatSync(from);
    const there = this.#node.existsSync(to);
    if (source.isDirectory()) {
      if (!there) this.#node.mkdirSync(to, { mode: source.mode & 0o7777 });
      for (const name of this.#node.readdirSync(from)) this.#copy(`${from}/${name}`, `${to}/${name}`, options);
      return;
    }
    if (there && options.errorOnExist && !options.force)
      throw new FsError("EEXIST", { syscall: "cp", path: from, dest: to });
    if (there && !options.force) return;
    if (!source.isSymbolicLink()) this.#node.copyFileSync(from, to);
    else {
      if (there) this.#node.unlinkSync(to);
      this.#node.symlinkSync(this.#node.readlinkSync(from), to);
    }
  }
}

interface CopyOptions {
  readonly recursive: boolean;
  readonly force: boolean;
  readonly errorOnExist: boolean;
}

/** The arguments of an operation, each asked for as what it must be. */
class Arguments {
  readonly #values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.#values = values;
  }

  text(at: number): string {
    const value = this.#values[at];
    if (typeof value === "string") return value;
    throw malformed("a path");
  }

  optionalText(at: number): string | undefined {
    const value = this.#values[at];
    return value === null || value === undefined ? undefined : this.text(at);
  }

  number(at: number): number {
    const value = this.#values[at];
    if (typeof value === "number" && Number.isSafeInteger(value)) return value;
    throw malformed("a whole number");
  }

  count(at: number): number {
    const value = this.number(at);
    if (value < 0) throw malformed("a number that is not negative");
    return value;
  }

  optionalCount(at: number): number | undefined {
    const value = this.#values[at];
    return value === null || value === undefined ? undefined : this.count(at);
  }

  flags(at: number): string | number {
    return typeof this.#values[at] === "number" ? this.count(at) : this.text(at);
  }

  flag(at: number): boolean {
    return this.#values[at] === true;
  }

  bytes(at: number): Uint8Array {
    const value = this.#values[at];
    if (value instanceof Uint8Array) return value;
    throw malformed("bytes");
  }
}

const OPERATIONS = {
  read: (files: ScriptFiles, args: Arguments) => files.read(args.text(0)),
  write: (files: ScriptFiles, args: Arguments) =>
    files.write(args.text(0), args.bytes(1), args.flags(2), args.optionalCount(3)),
  readdir: (files: ScriptFiles, args: Arguments) => files.readdir(args.text(0), args.optionalText(1)),
  stat: (files: ScriptFiles, args: Arguments) => files.stat(args.text(0), true),
  lstat: (files: ScriptFiles, args: Arguments) => files.stat(args.text(0), false),
  access: (files: ScriptFiles, args: Arguments) => files.node.accessSync(args.text(0), args.count(1)),
  realpath: (files: ScriptFiles, args: Arguments) => files.node.realpathSync(args.text(0)),
  readlink: (files: ScriptFiles, args: Arguments) => files.node.readlinkSync(args.text(0)),
  mkdir: (files: ScriptFiles, args: Arguments) =>
    files.node.mkdirSync(args.text(0), { recursive: args.flag(1), mode: args.optionalCount(2) }),
  rm: (files: ScriptFiles, args: Arguments) => files.rm(args.text(0), args.flag(1), args.flag(2)),
  rmdir: (files: ScriptFiles, args: Arguments) => files.node.rmdirSync(args.text(0)),
  unlink: (files: ScriptFiles, args: Arguments) => files.node.unlinkSync(args.text(0)),
  rename: (files: ScriptFiles, args: Arguments) => files.node.renameSync(args.text(0), args.text(1)),
  copy: (files: ScriptFiles, args: Arguments) => files.node.copyFileSync(args.text(0), args.text(1), args.count(2)),
  cp: (files: ScriptFiles, args: Arguments) =>
    files.cp(args.text(0), args.text(1), { recursive: args.flag(2), force: args.flag(3), errorOnExist: args.flag(4) }),
  link: (files: ScriptFiles, args: Arguments) => files.node.linkSync(args.text(0), args.text(1)),
  symlink: (files: ScriptFiles, args: Arguments) => files.node.symlinkSync(args.text(0), args.text(1)),
  chmod: (files: ScriptFiles, args: Arguments) => files.node.chmodSync(args.text(0), args.count(1)),
  truncate: (files: ScriptFiles, args: Arguments) => files.node.truncateSync(args.text(0), args.count(1)),
  utimes: (files: ScriptFiles, args: Arguments) =>
    files.utimes(args.text(0), args.number(1), args.number(2), args.flag(3)),
  open: (files: ScriptFiles, args: Arguments) => files.open(args.text(0), args.flags(1), args.optionalCount(2)),
  close: (files: ScriptFiles, args: Arguments) => files.closeFile(args.count(0)),
  pread: (files: ScriptFiles, args: Arguments) =>
    files.pread(args.count(0), args.count(1), args.optionalCount(2) ?? null),
  pwrite: (files: ScriptFiles, args: Arguments) =>
    files.pwrite(args.count(0), args.bytes(1), args.optionalCount(2) ?? null),
  fstat: (files: ScriptFiles, args: Arguments) => files.fstat(args.count(0)),
  ftruncate: (files: ScriptFiles, args: Arguments) => files.node.ftruncateSync(args.count(0), args.count(1)),
};

function told({ ino, kind, mode, nlink, size, mtime, atime, ctime }: ReturnType<InodeStore["getattr"]>): FileAnswer {
  return { ino, kind, mode, nlink, size, mtime, atime, ctime };
}

/** Not a `Buffer`, which Workers RPC does not carry as one. */
function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

function malformed(what: string): FsError {
  return new FsError("EINVAL", { detail: `the call does not have ${what} where one must be` });
}
