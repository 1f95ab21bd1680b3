/** Files as git uses them: by absolute path, straight from the inode store, without following links. */

import {
  type Attr,
  type Content,
  type Dirent,
  FsError,
  type Ino,
  type InodeStore,
  ROOT_INO,
  StoreProvider,
} from "@cloudflare/dofs";

const PAGE_ENTRIES = 1000;

/**
 * A view of the files that lasts for one stretch of work in which nothing else changes them: it remembers which directories it has walked
 * through. A link in the middle of a path leads nowhere here, so that nothing is written through one; what a caller gives is made real first.
 */
export class GitFiles {
  readonly store: InodeStore;
  readonly #provider: StoreProvider;
  /** A directory that is not removed though it is empty: somebody works in it. */
  guarded: string | undefined;
  #directories = new Map<string, Ino>([["/", ROOT_INO]]);

  constructor(store: InodeStore) {
    this.store = store;
    this.#provider = new StoreProvider(store);
  }

  /** Forgets what was walked through: others may have changed the files. */
  forget(): void {
    this.#directories = new Map([["/", ROOT_INO]]);
  }

  /** The path with all its links followed; the path itself where it leads to nothing. */
  real(path: string): string {
    try {
      return this.#provider.realpathSync(path);
    } catch (error) {
      if (!(error instanceof FsError)) throw error;
      return path;
    }
  }

  /** The number of a directory; undefined where there is none. */
  directory(path: string): Ino | undefined {
    const known = this.#directories.get(path);
    if (known !== undefined) return known;
    const { parent, name } = split(path);
    const at = this.directory(parent);
    const attr = at === undefined ? undefined : this.store.lookup(at, name);
    if (attr?.kind !== "dir") return undefined;
    this.#directories.set(path, attr.ino);
    return attr.ino;
  }

  /** What is at the path itself; undefined where nothing is. */
  stat(path: string): Attr | undefined {
    if (path === "/") return this.store.getattr(ROOT_INO);
    const { parent, name } = split(path);
    const at = this.directory(parent);
    return at === undefined ? undefined : this.store.lookup(at, name);
  }

  isDirectory(path: string): boolean {
    return this.directory(path) !== undefined;
  }

  /** A file's bytes; undefined where there is no file. */
  read(path: string): Uint8Array | undefined {
    const attr = this.stat(path);
    return attr?.kind === "file" ? this.contents(attr) : undefined;
  }

  /** A file's text. */
  text(path: string): string | undefined {
    const bytes = this.read(path);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  }

  /** The whole contents of a file, or the target of a link in UTF-8. */
  contents(attr: Attr): Uint8Array {
    if (attr.kind === "symlink") return new TextEncoder().encode(this.store.readlink(attr.ino));
    return this.range(attr.ino, 0, attr.size);
  }

  /** Bytes of a file from `offset`, fewer than `length` at its end. */
  range(ino: Ino, offset: number, length: number): Uint8Array {
    const bytes = this.store.read(ino, offset, length);
    if (bytes instanceof Uint8Array) return bytes;
    throw new FsError("EIO", { detail: "the contents of a file of the repository are not here yet" });
  }

  /** A directory's entries; none where there is no directory. */
  list(path: string): Dirent[] {
    const at = this.directory(path);
    if (at === undefined) return [];
    const entries: Dirent[] = [];
    for (let after: string | undefined; ; after = entries.at(-1)!.name) {
      const page = this.store.readdir(at, after, PAGE_ENTRIES);
      for (const entry of page) {
        entries.push(entry);
        if (entry.attr.kind === "dir") this.#directories.set(under(path, entry.name), entry.attr.ino);
      }
      if (page.length < PAGE_ENTRIES) return entries;
    }
  }

  /** The names in a directory. */
  names(path: string): string[] {
    const at = this.directory(path);
    if (at === undefined) return [];
    const names: string[] = [];
    for (let after: string | undefined; ; after = names.at(-1)) {
      const page = this.store.list(at, after, PAGE_ENTRIES);
      for (const { name } of page) names.push(name);
      if (page.length < PAGE_ENTRIES) return names;
    }
  }

  /** Makes a directory and those above it; its number. */
  makeDirectory(path: string): Ino {
    const known = this.directory(path);
    if (known !== undefined) return known;
    const { parent, name } = split(path);
    const at = this.makeDirectory(parent);
    if (this.store.lookup(at, name) !== undefined) throw new FsError("ENOTDIR", { path, syscall: "mkdir" });
    const { ino } = this.store.create(at, name, { kind: "dir", mode: 0o755 });
    this.#directories.set(path, ino);
    return ino;
  }

  /** Writes a whole file, with the directories above it; a file that is there keeps its mode. */
  write(path: string, content: Content | string, mode = 0o644): Attr {
    const { parent, name } = split(path);
    const at = this.makeDirectory(parent);
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const there = this.store.lookup(at, name);
    if (there?.kind === "file") return this.store.replace(there.ino, bytes);
    if (there !== undefined) throw new FsError("EISDIR", { path, syscall: "open" });
    return this.store.create(at, name, { kind: "file", mode, content: bytes });
  }

  /** A file that is known not to be there, in a directory that is. */
  create(parent: Ino, name: string, content: Content, mode = 0o644): Attr {
    return this.store.create(parent, name, { kind: "file", mode, content });
  }

  link(path: string, target: string): Attr {
    const { parent, name } = split(path);
    return this.store.create(this.makeDirectory(parent), name, { kind: "symlink", mode: 0o777, target });
  }

  append(path: string, text: string): void {
    const attr = this.stat(path);
    if (attr === undefined) this.write(path, text);
    else this.store.write(attr.ino, attr.size, new TextEncoder().encode(text));
  }

  chmod(attr: Attr, mode: number): Attr {
    return this.store.setattr(attr.ino, { mode });
  }

  rename(from: string, to: string): void {
    const a = split(from);
    const b = split(to);
    const at = this.directory(a.parent);
    if (at === undefined) throw new FsError("ENOENT", { path: from, dest: to, syscall: "rename" });
    this.store.rename(at, a.name, this.makeDirectory(b.parent), b.name);
    this.#forgetUnder(from);
  }

  /** Removes what is at the path, a directory with all that is in it; whether anything was. */
  remove(path: string): boolean {
    const { parent, name } = split(path);
    const at = this.directory(parent);
    const attr = at === undefined ? undefined : this.store.lookup(at, name);
    if (at === undefined || attr === undefined) return false;
    if (attr.kind === "dir") {
      this.store.removeTree(at, name);
      this.#forgetUnder(path);
    } else this.store.unlink(at, name);
    return true;
  }

  /** Removes a directory where it is empty, and then those above it, up to but not including `top`. */
  removeEmptyDirectories(path: string, top: string): void {
    for (let at = path; at !== top && at.startsWith(under(top, "")); at = split(at).parent) {
      const ino = this.directory(at);
      if (ino === undefined || at === this.guarded || this.store.list(ino, undefined, 1).length > 0) return;
      const { parent, name } = split(at);
      this.store.rmdir(this.directory(parent)!, name);
      this.#forgetUnder(at);
    }
  }

  #forgetUnder(path: string): void {
    for (const known of this.#directories.keys()) {
      if (known === path || known.startsWith(`${path}/`)) this.#directories.delete(known);
    }
  }
}

function split(path: string): { parent: string; name: string } {
  const slash = path.lastIndexOf("/");
  return { parent: slash <= 0 ? "/" : path.slice(0, slash), name: path.slice(slash + 1) };
}

function under(directory: string, name: string): string {
  return directory === "/" ? `/${name}` : `${directory}/${name}`;
}
