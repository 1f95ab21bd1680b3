/** A store's directory and a real one, brought into step in either direction. */

import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { type Attr, FsError, type Ino, isFsError, type MemoryStore, type Touched } from "@cloudflare/dofs";
import { kindOf } from "../fuse/file-mode.ts";
import { decodeName, encodeName } from "../fuse/kernel/name-bytes.ts";
import { readInto, readTarget } from "./read-real-file.ts";
import { RealWriter } from "./write-real-file.ts";

export interface MirrorOptions {
  readonly store: MemoryStore;
  /** The store's directory that is shown. */
  readonly directory: Ino;
  /** Its path in the store. */
  readonly root: string;
  readonly mountPoint: string;
}

/** What is known of a real file: which inode of the store it shows, and what it looked like when it last did. */
export interface Shown {
  readonly ino: Ino;
  readonly looks: string;
}

const PAGE = 512;

export class DirectoryMirror {
  readonly #store: MemoryStore;
  readonly #directory: Ino;
  readonly #writer: RealWriter;
  readonly #mountPoint: Buffer;
  /** By the inode of a directory of the store, what is shown in the real one under each name. */
  readonly #shown = new Map<Ino, Map<string, Shown>>();
  /** Of real files with several names, the inode of the store by the real one. */
  #linked = new Map<bigint, Ino>();

  constructor({ store, directory, root, mountPoint }: MirrorOptions) {
    this.#store = store;
    this.#directory = directory;
    this.#mountPoint = Buffer.from(mountPoint);
    this.#writer = new RealWriter(store, root, mountPoint);
    this.#shown.set(directory, new Map());
  }

  /** Takes over into the store what was changed in the real directory. What may not be changed is put back as it was. */
  scan(): void {
    this.#linked = new Map();
    this.#scanDirectory(this.#directory, this.#mountPoint);
  }

  /** Shows in the real directory what was changed in the store. */
  show({ inodes, places }: Touched): void {
    const names = new Map<Ino, Set<string>>();
    const note = (parent: Ino, name: string): void => {
      const of = names.get(parent) ?? new Set();
      names.set(parent, of.add(name));
    };
    for (const { parent, name } of places) note(parent, name);
    for (const ino of inodes) for (const path of this.#pathsOf(ino)) note(path.parent, path.name);
    // From the top, so that a directory is there before what is in it.
    const directories = [...names].flatMap(([parent, of]) => {
      const path = this.#realPath(parent);
      return path === undefined ? [] : [{ parent, of, path }];
    });
    directories.sort((a, b) => a.path.length - b.path.length);
    for (const { parent, of, path } of directories) for (const name of of) this.#showName(parent, name, path);
    // A directory's own times come last: what is put into it changes them.
    for (const { parent, path } of directories.reverse()) this.#showTimes(parent, path);
  }

  #scanDirectory(directory: Ino, path: Buffer): void {
    const shown = this.#shown.get(directory) ?? new Map<string, Shown>();
    this.#shown.set(directory, shown);
    const found = new Map<string, BigIntStats>();
    for (const bytes of readdirSync(path, { encoding: "buffer" })) {
      const stats = lstatSync(join(path, bytes), { bigint: true, throwIfNoEntry: false });
      if (stats !== undefined) found.set(decodeName(bytes, 0, bytes.length), stats);
    }
    for (const [name, { ino }] of [...shown]) {
      const stats = found.get(name);
      const kind = this.#store.lookup(directory, name)?.kind;
      if (stats === undefined || kind !== kindOf(Number(stats.mode))) this.#removed(directory, name, ino, path);
    }
    for (const [name, stats] of found) this.#scanName(directory, name, stats, path);
  }

  #removed(directory: Ino, name: string, ino: Ino, path: Buffer): void {
    this.#changing(directory, name, path, () => {
      if (this.#store.lookup(directory, name) !== undefined) this.#store.removeTree(directory, name);
      this.#forget(directory, name, ino);
    });
  }

  #scanName(directory: Ino, name: string, stats: BigIntStats, path: Buffer): void {
    const real = join(path, encodeName(name));
    const known = this.#shown.get(directory)?.get(name);
    const looks = looksOf(stats);
    if (known === undefined || known.looks !== looks) {
      this.#changing(directory, name, path, () => {
        const ino = this.#take(directory, name, stats, real, known?.ino);
        this.#shown
          .get(directory)
          ?.set(name, { ino, looks: looksOf(lstatSync(real, { bigint: true })) === looks ? looks : "" });
      });
    }
    const ino = this.#shown.get(directory)?.get(name)?.ino;
    if (ino === undefined) return;
    if (stats.isFile() && stats.nlink > 1n) this.#linked.set(stats.ino, ino);
    if (stats.isDirectory()) {
      this.#scanDirectory(ino, real);
      this.#times(ino, stats);
    }
  }

  /** Makes the store's inode like the real one; gives its number. */
  #take(directory: Ino, name: string, stats: BigIntStats, real: Buffer, known: Ino | undefined): Ino {
    const store = this.#store;
    const kind = kindOf(Number(stats.mode));
    const mode = Number(stats.mode & 0o7777n);
    const linked = stats.nlink > 1n && kind === "file" ? this.#linked.get(stats.ino) : undefined;
    if (linked !== undefined && linked !== known) {
      if (known !== undefined) store.unlink(directory, name);
      return store.link(linked, directory, name).ino;
    }
    let ino = known;
    if (ino === undefined) {
      const target = kind === "symlink" ? { target: readTarget(real) } : {};
      ino = store.create(directory, name, { kind, mode, rdev: Number(stats.rdev), ...target }).ino;
    } else if (kind === "symlink" && store.readlink(ino) !== readTarget(real)) {
      store.unlink(directory, name);
      ino = store.create(directory, name, { kind, mode, target: readTarget(real) }).ino;
    }
    if (kind === "file") readInto(store, ino, real);
    if (kind !== "dir") this.#times(ino, stats);
    if (kind !== "symlink") store.setattr(ino, { mode });
    return ino;
  }

  #times(ino: Ino, stats: BigIntStats): void {
    const { mtime, mtimeNs } = this.#store.getattr(ino);
    const [ms, ns] = [Number(stats.mtimeNs / 1_000_000n), Number(stats.mtimeNs % 1_000_000n)];
    if (ms === mtime && ns === mtimeNs) return;
    try {
      this.#store.setattr(ino, { mtime: ms, mtimeNs: ns });
    } catch (error) {
      if (!isFsError(error, "EROFS")) throw error;
    }
  }

  /** Does a change to the store; where it is not allowed, the real directory is put back. What has gone meanwhile is for the next look. */
  #changing(directory: Ino, name: string, path: Buffer, change: () => void): void {
    try {
      change();
    } catch (error) {
      if (isSystemError(error)) return;
      if (!isFsError(error, "EROFS") && !isFsError(error, "EBUSY")) throw error;
      const known = this.#shown.get(directory)?.get(name);
      if (known !== undefined) this.#forget(directory, name, known.ino);
      this.#showName(directory, name, path);
    }
  }

  #showName(parent: Ino, name: string, path: Buffer): void {
    const real = join(path, encodeName(name));
    const known = this.#shown.get(parent)?.get(name);
    const attr = this.#store.lookup(parent, name);
    if (known !== undefined && known.ino !== attr?.ino) this.#forget(parent, name, known.ino);
    if (attr === undefined) {
      this.#writer.remove(real);
      return;
    }
    this.#writer.write(real, attr, known?.ino === attr.ino);
    const shown = this.#shown.get(parent) ?? new Map<string, Shown>();
    this.#shown.set(parent, shown);
    if (attr.kind === "dir" && known?.ino !== attr.ino) {
      this.#shown.set(attr.ino, new Map());
      for (const child of this.#names(attr.ino)) this.#showName(attr.ino, child, real);
      this.#writer.times(real, attr);
    }
    shown.set(name, { ino: attr.ino, looks: looksOf(lstatSync(real, { bigint: true })) });
    this.#sameLooks(attr, real);
  }

  /** Another name of an inode changes what all of its names look like. */
  #sameLooks(attr: Attr, real: Buffer): void {
    if (attr.nlink < 2 || attr.kind !== "file") return;
    const looks = looksOf(lstatSync(real, { bigint: true }));
    for (const { parent, name } of this.#pathsOf(attr.ino)) {
      const shown = this.#shown.get(parent);
      if (shown?.has(name)) shown.set(name, { ino: attr.ino, looks });
    }
  }

  #showTimes(directory: Ino, path: Buffer): void {
    const attr = directory === this.#directory ? undefined : this.#store.getattr(directory);
    if (attr === undefined) return;
    this.#writer.times(path, attr);
    const shown = this.#shown.get(this.#store.parent(directory));
    const name = this.#store.paths(directory)[0]?.split("/").at(-1);
    if (name !== undefined) shown?.set(name, { ino: directory, looks: looksOf(lstatSync(path, { bigint: true })) });
  }

  #forget(directory: Ino, name: string, ino: Ino): void {
    this.#shown.get(directory)?.delete(name);
    const children = this.#shown.get(ino);
    if (children === undefined) return;
    for (const [child, { ino: below }] of [...children]) this.#forget(ino, child, below);
    this.#shown.delete(ino);
  }

  /** The real path of a directory of the store; undefined where it is not among what is shown. */
  #realPath(directory: Ino): Buffer | undefined {
    const names: string[] = [];
    for (let ino = directory; ino !== this.#directory; ino = this.#store.parent(ino)) {
      const name = this.#nameOf(ino);
      if (name === undefined) return undefined;
      names.unshift(name);
    }
    return names.reduce((path, name) => join(path, encodeName(name)), this.#mountPoint);
  }

  #nameOf(ino: Ino): string | undefined {
    try {
      return this.#store.parent(ino) === ino ? undefined : this.#store.paths(ino)[0]?.split("/").at(-1);
    } catch {
      return undefined;
    }
  }

  #pathsOf(ino: Ino): { parent: Ino; name: string }[] {
    let paths: string[];
    try {
      paths = this.#store.paths(ino);
    } catch {
      return [];
    }
    return paths.flatMap((path) => {
      const parts = path.split("/").slice(1);
      const name = parts.pop();
      let parent: Ino | undefined = 1;
      for (const part of parts) parent = parent === undefined ? undefined : this.#store.lookup(parent, part)?.ino;
      return name === undefined || name === "" || parent === undefined ? [] : [{ parent, name }];
    });
  }

  *#names(directory: Ino): Generator<string> {
    for (let after: string | undefined; ; ) {
      const page = this.#store.list(directory, after, PAGE);
      for (const { name } of page) yield name;
      if (page.length < PAGE) return;
      after = page.at(-1)?.name;
    }
  }
}

/** Whether it was the machine that refused, and not the store. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && "errno" in error && !(error instanceof FsError);
}

/** All that changes when a file does. */
function looksOf({ ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${mode} ${size} ${mtimeNs} ${ctimeNs}`;
}

function join(directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, SLASH, name]);
}

const SLASH = Buffer.from("/");
