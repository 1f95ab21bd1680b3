/** A store below one directory: whatever front end stands on it cannot be led out, by `..` and links neither. */

import type { ApplyOutcome, ChangePage } from "../changes.ts";
import { FsError } from "../fs-error.ts";
import {
  type Absent,
  type Attr,
  type AttrChange,
  type Content,
  type CreateSpec,
  type Dirent,
  type Ino,
  type InodeStore,
  type Listed,
  type Name,
  type PeerState,
  type RenameFlags,
  ROOT_INO,
  type Snapshot,
  type Stage,
  type StatFs,
} from "../inode-store.ts";
import { parsePath } from "./path.ts";
import { existing, resolve } from "./resolve.ts";

export interface ConfinementOptions {
  /** The absolute path of the directory that is not left. It need not be there yet. */
  readonly root: string;
  /** Refuse every change with `EROFS`. */
  readonly readOnly?: boolean | undefined;
}

/** What lies on the way to the root: these directories can be walked through towards it, and are otherwise shut. */
interface Fence {
  /** The revision it was drawn at. */
  readonly rev: number;
  readonly outside: ReadonlySet<Ino>;
  /** The names that lead on, each as `parent/name`. */
  readonly ways: ReadonlySet<string>;
}

/**
 * Another store, of which only the root directory and what is under it can be reached. A path or link that leads out is `EACCES`, whether
 * or not anything is there; one that comes back in is followed. Since a call of the store is synchronous, nothing can be exchanged between
 * the check and the act. What peers ask of a store is `ENOTSUP`.
 */
export class ConfinedStore implements InodeStore {
  readonly #store: InodeStore;
  readonly #root: string;
  readonly #readOnly: boolean;
  #drawn: Fence | undefined;

  /** `EINVAL` for a root that is no absolute path. */
  constructor(store: InodeStore, { root, readOnly = false }: ConfinementOptions) {
    this.#store = store;
    this.#root = `/${parsePath(root).names.join("/")}`;
    this.#readOnly = readOnly;
  }

  /** Directories outside of the root are shown as nothing but directories. */
  getattr(ino: Ino): Attr {
    return this.#fence().outside.has(ino) ? veiled(ino) : this.#store.getattr(ino);
  }

  lookup(parent: Ino, name: string): Attr | undefined {
    const fence = this.#fence();
    if (!fence.outside.has(parent)) return this.#store.lookup(parent, name);
    if (!fence.ways.has(way(parent, name))) throw this.#out();
    const attr = this.#store.lookup(parent, name);
    return attr !== undefined && fence.outside.has(attr.ino) ? veiled(attr.ino) : attr;
  }

  readdir(parent: Ino, after: string | undefined, limit: number): Dirent[] {
    this.#inside(parent);
    return this.#store.readdir(parent, after, limit);
  }

  list(parent: Ino, after: string | undefined, limit: number): Name[] {
    this.#inside(parent);
    return this.#store.list(parent, after, limit);
  }

  listing(parent: Ino, after: string | undefined, limit: number): Listed[] {
    this.#inside(parent);
    return this.#store.listing(parent, after, limit);
  }

  readlink(ino: Ino): string {
    return this.#store.readlink(ino);
  }

  parent(ino: Ino): Ino {
    return this.#store.parent(ino);
  }

  paths(ino: Ino): string[] {
    const root = this.#root === "/" ? "" : canonicalRoot(this.#store, this.#root);
    return this.#store.paths(ino).filter((path) => path === root || path.startsWith(`${root}/`));
  }

  statfs(): StatFs {
    return this.#store.statfs();
  }

  read(ino: Ino, offset: number, length: number): Uint8Array | Absent {
    return this.#store.read(ino, offset, length);
  }

  readSmall(inos: readonly Ino[]): Map<Ino, Uint8Array> {
    return this.#store.readSmall(inos);
  }

  snapshot(ino: Ino): Snapshot {
    return this.#store.snapshot(ino);
  }

  hold(ino: Ino): void {
    this.#store.hold(ino);
  }

  release(ino: Ino): void {
    this.#store.release(ino);
  }

  rev(): number {
    return this.#store.rev();
  }

  subscribe(listener: (rev: number) => void): () => void {
    return this.#store.subscribe(listener);
  }

  transaction<T>(fn: () => T): T {
    return this.#store.transaction(fn);
  }

  setattr(ino: Ino, change: AttrChange): Attr {
    this.#mayChange(ino);
    return this.#store.setattr(ino, change);
  }

  create(parent: Ino, name: string, spec: CreateSpec): Attr {
    this.#mayChange(parent);
    return this.#store.create(parent, name, spec);
  }

  link(ino: Ino, parent: Ino, name: string): Attr {
    this.#mayChange(parent);
    return this.#store.link(ino, parent, name);
  }

  unlink(parent: Ino, name: string): void {
    this.#mayChange(parent);
    this.#store.unlink(parent, name);
  }

  rmdir(parent: Ino, name: string): void {
    this.#mayChange(parent);
    this.#store.rmdir(parent, name);
  }

  removeTree(parent: Ino, name: string): void {
    this.#mayChange(parent);
    this.#store.removeTree(parent, name);
  }

  rename(parent: Ino, name: string, newParent: Ino, newName: string, flags?: RenameFlags): void {
    this.#mayChange(parent);
    this.#mayChange(newParent);
    this.#store.rename(parent, name, newParent, newName, flags);
  }

  write(ino: Ino, offset: number, bytes: Uint8Array): Attr | Absent {
    this.#mayChange(ino);
    return this.#store.write(ino, offset, bytes);
  }

  replace(ino: Ino, content: Content): Attr {
    this.#mayChange(ino);
    return this.#store.replace(ino, content);
  }

  stage(): Stage {
    if (this.#readOnly) throw new FsError("EROFS");
    return this.#store.stage();
  }

  changes(): ChangePage {
    return unsupported();
  }

  entry(): null {
    return unsupported();
  }

  apply(): ApplyOutcome {
    return unsupported();
  }

  missingChunks(): Uint8Array[] {
    return unsupported();
  }

  putChunks(): void {
    unsupported();
  }

  getChunk(): undefined {
    return unsupported();
  }

  pinChunks(): () => void {
    return unsupported();
  }

  peer(): PeerState | undefined {
    return unsupported();
  }

  setPeer(): void {
    unsupported();
  }

  setReadOnlyRoots(): void {
    unsupported();
  }

  readOnlyRoots(): readonly string[] {
    return unsupported();
  }

  #inside(ino: Ino): void {
    if (this.#fence().outside.has(ino)) throw this.#out();
  }

  #mayChange(ino: Ino): void {
    this.#inside(ino);
    if (this.#readOnly) throw new FsError("EROFS");
  }

  #out(): FsError {
    return new FsError("EACCES", { detail: `permission denied, it leads out of '${this.#root}'` });
  }

  /** Drawn anew after any change, since the root, or what is above it, may have been moved. */
  #fence(): Fence {
    const rev = this.#store.rev();
    if (this.#drawn?.rev !== rev) this.#drawn = draw(this.#store, this.#root, rev);
    return this.#drawn;
  }
}

function draw(store: InodeStore, root: string, rev: number): Fence {
  const outside = new Set<Ino>();
  const ways = new Set<string>();
  if (root === "/") return { rev, outside, ways };
  const recorder: Pick<InodeStore, "getattr" | "lookup" | "parent" | "readlink"> = {
    getattr: (ino) => store.getattr(ino),
    parent: (ino) => store.parent(ino),
    readlink: (ino) => store.readlink(ino),
    lookup(parent, name) {
      outside.add(parent);
      ways.add(way(parent, name));
      return store.lookup(parent, name);
    },
  };
  // Nothing but these four is asked of a store by the resolver.
  const end = directoryAt(recorder as InodeStore, root);
  outside.add(ROOT_INO);
  for (const ino of [...outside]) addAncestors(store, ino, outside);
  if (end !== undefined) {
    let child = end;
    for (let at = store.parent(end); child !== ROOT_INO; child = at, at = store.parent(at)) {
      outside.add(at);
      const name = store.paths(child)[0]?.split("/").at(-1);
      if (name !== undefined) ways.add(way(at, name));
    }
    outside.delete(end);
  }
  return { rev, outside, ways };
}

function addAncestors(store: InodeStore, ino: Ino, to: Set<Ino>): void {
  for (let at = ino; at !== ROOT_INO; at = store.parent(at)) to.add(at);
}

function directoryAt(store: InodeStore, path: string): Ino | undefined {
  try {
    const attr = existing(resolve(store, path));
    return attr.kind === "dir" ? attr.ino : undefined;
  } catch (error) {
    if (error instanceof FsError) return undefined;
    throw error;
  }
}

function canonicalRoot(store: InodeStore, root: string): string {
  const ino = directoryAt(store, root);
  return (ino === undefined ? undefined : store.paths(ino)[0]) ?? root;
}

function way(parent: Ino, name: string): string {
  return `${parent}/${name}`;
}

function veiled(ino: Ino): Attr {
  const times = { mtime: 0, mtimeNs: 0, atime: 0, atimeNs: 0, ctime: 0, ctimeNs: 0 };
  return { ino, kind: "dir", mode: 0o555, nlink: 2, size: 0, uid: 0, gid: 0, rdev: 0, rev: 0, ...times };
}

function unsupported(): never {
  throw new FsError("ENOTSUP", { detail: "a confined store has no peers" });
}
