/** The files of a workspace for a shell in another isolate: few calls, each of which tells much. */

import { RpcTarget } from "cloudflare:workers";
import { Buffer } from "node:buffer";
import {
  type Attr,
  type Dirent,
  FsError,
  type Ino,
  type InodeStore,
  ROOT_INO,
  type WorkspaceFilesystem,
} from "@cloudflare/dofs";
import {
  ANSWER_BYTES,
  type FileNode,
  type FilesAnswer,
  type SearchAnswer,
  type SearchRequest,
  SHORT_DIRECTORY,
  type ShellFileSource,
  SMALL_FILE,
  type TreeAnswer,
  type TreeRequest,
} from "../../shell/files/wire.ts";
import { ReadAhead } from "./read-ahead.ts";

const LINKS_MAX = 40;
const PAGE = 1000;
/** Nodes in one answer of a tree. */
const TREE_NODES = 20_000;
/** Bytes that one search looks through before it answers. */
const LOOKED_BYTES = 64 * 1024 * 1024;
const PIECE = 1024 * 1024;

type Wanted = { [K in Exclude<keyof TreeRequest, "path">]: TreeRequest[K] | undefined };

/** A name on the way from where a search begins, and what has it. */
interface Step {
  readonly name: string;
  readonly attr: Attr;
}

/** How far a search has come. */
interface Search {
  readonly needle: Buffer;
  readonly found: string[];
  nodes?: Map<string, FileNode>;
  /** With a slash at its end. */
  root?: string;
  /** Of contents in the answer. */
  bytes: number;
  /** Bytes of the files that were looked through, and the last of those. */
  looked: number;
  last?: string;
}

/** Nothing can be done through one that was closed: what a run that has ended still tries is refused. */
export class ShellFiles extends RpcTarget implements ShellFileSource {
  readonly #fs: WorkspaceFilesystem;
  readonly #store: InodeStore;
  #closed = false;

  constructor(fs: WorkspaceFilesystem) {
    super();
    this.#fs = fs;
    this.#store = fs.store;
  }

  close(): void {
    this.#closed = true;
  }

  async look(path: string): Promise<FilesAnswer> {
    return this.#answer((nodes) => {
      const names = namesOf(path);
      const end = this.#walk(names, nodes);
      const parent = nodes.get(parentOf(end));
      if (parent?.kind === "dir") this.#list(parent, nodes, SHORT_DIRECTORY);
      const node = nodes.get(end);
      if (node?.kind === "dir") this.#list(node, nodes, Number.POSITIVE_INFINITY);
      if (node?.kind === "file" && node.size <= SMALL_FILE) node.bytes = this.#bytes(node);
    });
  }

  async tree({ path, contents, after }: TreeRequest): Promise<TreeAnswer> {
    let next: string | undefined;
    const answer = this.#answer((nodes) => {
      const end = this.#walk(namesOf(path), nodes);
      const root = nodes.get(end);
      if (root?.kind !== "dir") return;
      next = this.#descend(root, nodes, { contents, after });
    });
    return next === undefined ? answer : { ...answer, next };
  }

  async search({ path, needle, after }: SearchRequest): Promise<SearchAnswer> {
    const search: Search = { needle: Buffer.from(needle), found: [], bytes: 0, looked: 0 };
    let complete: boolean | undefined;
    const answer = this.#answer((nodes) => {
      const root = nodes.get(this.#walk(namesOf(path), nodes));
      if (root?.kind !== "dir") return;
      search.nodes = nodes;
      search.root = root.path === "/" ? "/" : `${root.path}/`;
      complete = this.#searchIn(search, root.ino, [], after?.split("/") ?? []);
    });
    if (complete === undefined) return answer;
    const { found, last } = search;
    return { ...answer, found, ...(complete || last === undefined ? {} : { next: last }) };
  }

  async read(
    path: string,
    offset: number,
    length: number,
  ): Promise<{ before: number; rev: number; bytes: Uint8Array }> {
    this.#open();
    const before = this.#store.rev();
    const node = this.#find(path);
    if (node.kind !== "file") throw new FsError(node.kind === "dir" ? "EISDIR" : "ENOENT", { syscall: "open", path });
    return {
      before,
      rev: before,
      bytes: this.#read(node.ino, offset, Math.min(length, Math.max(0, node.size - offset))),
    };
  }

  async write(path: string, content: Uint8Array | ReadableStream<Uint8Array>): Promise<FilesAnswer> {
    if (content instanceof Uint8Array) return this.#changed([path], () => this.#fs.writeFile(path, content));
    this.#open();
    await this.#fs.writeFile(path, content);
    // Others may have written while the stream came: what is remembered there is forgotten.
    return { ...this.#look([path]), before: -1 };
  }

  append(path: string, content: Uint8Array): Promise<FilesAnswer> {
    return this.#changed([path], () => {
      const node = this.#find(path);
      if (node.kind !== "file") return this.#fs.writeFile(path, content);
      this.#store.write(node.ino, node.size, content);
    });
  }

  mkdir(path: string, recursive: boolean): Promise<FilesAnswer> {
    return this.#changed([path], () => this.#fs.mkdir(path, { recursive }));
  }

  rm(path: string, options: { recursive: boolean; force: boolean }): Promise<FilesAnswer> {
    return this.#changed([path], () => this.#fs.rm(path, options));
  }

  rename(from: string, to: string): Promise<FilesAnswer> {
    return this.#changed([from, to], () => this.#fs.rename(from, to));
  }

  chmod(path: string, mode: number): Promise<FilesAnswer> {
    return this.#changed([path], () => this.#fs.chmod(path, mode));
  }

  utimes(path: string, mtime: number): Promise<FilesAnswer> {
    return this.#changed([path], () => {
      const node = this.#find(path);
      if (node.kind === null) throw new FsError("ENOENT", { syscall: "utime", path });
      this.#store.setattr(node.ino, { mtime: Math.round(mtime), mtimeNs: 0 });
    });
  }

  symlink(target: string, path: string): Promise<FilesAnswer> {
    return this.#changed([path], () => this.#fs.symlink(target, path));
  }

  link(existing: string, path: string): Promise<FilesAnswer> {
    return this.#changed([path], () => {
      const at = { syscall: "link", path: existing, dest: path };
      const node = this.#find(existing);
      const parent = this.#find(parentOf(path));
      if (node.kind === null || parent.kind !== "dir") throw new FsError("ENOENT", at);
      if (node.kind === "dir") throw new FsError("EPERM", at);
      this.#store.link(node.ino, parent.ino, path.slice(path.lastIndexOf("/") + 1));
    });
  }

  #open(): void {
    if (this.#closed) throw new FsError("EBADF", { detail: "the run has ended" });
  }

  /** Changes something. The change is made within the call to `work`, so the revisions around it are its own. */
  async #changed(paths: readonly string[], work: () => Promise<void> | void): Promise<FilesAnswer> {
    this.#open();
    const before = this.#store.rev();
    const done = work();
    const answer = { ...this.#look(paths), before };
    await done;
    return answer;
  }

  #look(paths: readonly string[]): FilesAnswer {
    const rev = this.#store.rev();
    const nodes = new Map<string, FileNode>();
    for (const path of paths) {
      try {
        this.#walk(namesOf(path), nodes, false);
      } catch {
        // Why a path leads nowhere is told by the change itself.
      }
    }
    return { before: rev, rev, nodes: [...nodes.values()] };
  }

  #find(path: string): FileNode {
    const nodes = new Map<string, FileNode>();
    return nodes.get(this.#walk(namesOf(path), nodes)) ?? nothing(path);
  }

  /** Adds every step of a path to the nodes, and gives the path without links that it leads to. */
  #walk(names: string[], nodes: Map<string, FileNode>, follow = true): string {
    const left = [...names];
    let here = nodeOf("/", this.#store.getattr(ROOT_INO));
    let links = 0;
    nodes.set("/", here);
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      if (name === ".") continue;
      if (name === "..") {
        here = nodes.get(parentOf(here.path)) ?? here;
        continue;
      }
      const path = here.path === "/" ? `/${name}` : `${here.path}/${name}`;
      const attr = here.kind === "dir" ? this.#store.lookup(here.ino, name) : undefined;
      const node = attr === undefined ? nothing(path) : nodeOf(path, attr);
      if (node.kind === "symlink") node.target = this.#store.readlink(node.ino);
      nodes.set(path, node);
      if (node.target === undefined || (!follow && left.length === 0)) here = node;
      else {
        if (++links > LINKS_MAX) throw new FsError("ELOOP", { syscall: "stat", path });
        left.unshift(...namesOf(node.target));
        if (node.target.startsWith("/")) here = nodes.get("/") ?? here;
        continue;
      }
      if (attr === undefined) break;
    }
    return left.length === 0 ? here.path : `${here.path}/${left.join("/")}`;
  }

  /** Tells a directory's entries, unless there are more than `limit`. */
  #list(directory: FileNode, nodes: Map<string, FileNode>, limit: number): FileNode[] {
    if (directory.names !== undefined) return [];
    const children: FileNode[] = [];
    let after: string | undefined;
    for (;;) {
      const page = this.#store.readdir(directory.ino, after, PAGE);
      for (const { name, attr } of page) {
        const path = directory.path === "/" ? `/${name}` : `${directory.path}/${name}`;
        const node = nodeOf(path, attr);
        if (node.kind === "symlink") node.target = this.#store.readlink(node.ino);
        children.push(node);
      }
      after = page.at(-1)?.name;
      if (page.length < PAGE) break;
      if (children.length > limit) return [];
    }
    if (children.length > limit) return [];
    directory.names = children.map(({ path }) => path.slice(path.lastIndexOf("/") + 1));
    for (const child of children) if (!nodes.has(child.path)) nodes.set(child.path, child);
    return children;
  }

  /** Tells all under a directory, depth first; the path to go on after where it is too much for one answer. */
  #descend(root: FileNode, nodes: Map<string, FileNode>, { contents, after }: Wanted): string | undefined {
    let bytes = 0;
    let from = after;
    let last: string | undefined;
    const visit = (directory: FileNode): boolean => {
      const children = this.#list(directory, nodes, Number.POSITIVE_INFINITY);
      const ahead = new ReadAhead(this.#store, children, SMALL_FILE);
      for (const [at, child] of children.entries()) {
        const inside = from?.startsWith(`${child.path}/`) === true;
        if (from !== undefined && !inside) {
          if (child.path === from) from = undefined;
          continue;
        }
        if (bytes > ANSWER_BYTES || nodes.size > TREE_NODES) return false;
        if (child.kind === "dir" && !visit(child)) return false;
        const read = child.kind === "file" && contents === true ? ahead.read(at) : undefined;
        if (read !== undefined) child.bytes = read;
        bytes += read?.length ?? 0;
        last = child.path;
      }
      return true;
    };
    return visit(root) ? undefined : last;
  }

  /** Looks through the files of a directory, depth first, from behind a path on; whether it came to the end. */
  #searchIn(search: Search, directory: Ino, above: readonly Step[], [first, ...rest]: readonly string[]): boolean {
    const enter = (name: string, attr: Attr, from: readonly string[]): boolean =>
      attr.kind !== "dir" || this.#searchIn(search, attr.ino, [...above, { name, attr }], from);
    if (first !== undefined && rest.length > 0) {
      const attr = this.#store.lookup(directory, first);
      if (attr !== undefined && !enter(first, attr, rest)) return false;
    }
    let page: Dirent[];
    let after = first;
    do {
      page = this.#store.readdir(directory, after, PAGE);
      const ahead = new ReadAhead(
        this.#store,
        page.map(({ attr }) => attr),
        SMALL_FILE,
      );
      for (const [at, { name, attr }] of page.entries()) {
        if (!enter(name, attr, [])) return false;
        if (attr.kind !== "file" || attr.size < search.needle.length) continue;
        const steps = [...above, { name, attr }];
        const bytes = ahead.read(at);
        if (bytes === undefined ? this.#holds(attr, search.needle) : bufferOf(bytes).includes(search.needle)) {
          take(search, steps, bytes);
        }
        search.last = steps.map((step) => step.name).join("/");
        search.looked += attr.size;
        if (full(search)) return false;
      }
      after = page.at(-1)?.name;
    } while (page.length === PAGE);
    return true;
  }

  /** Whether a large file has the needle, looked through piece by piece. */
  #holds({ ino, size }: Attr, needle: Buffer): boolean {
    for (let at = 0; at + needle.length <= size; at += PIECE) {
      if (bufferOf(this.#read(ino, at, PIECE + needle.length - 1)).includes(needle)) return true;
    }
    return false;
  }

  #answer(tell: (nodes: Map<string, FileNode>) => void): FilesAnswer {
    this.#open();
    const rev = this.#store.rev();
    const nodes = new Map<string, FileNode>();
    tell(nodes);
    return { before: rev, rev, nodes: [...nodes.values()] };
  }

  #bytes(node: FileNode): Uint8Array {
    return this.#read(node.ino, 0, node.size);
  }

  #read(ino: number, offset: number, length: number): Uint8Array {
    const bytes = this.#store.read(ino, offset, length);
    if (bytes instanceof Uint8Array) return bytes;
    throw new FsError("EIO", { detail: "the file's contents are not here" });
  }
}

/** Tells of a file, and of the directories that lead to it. */
function take(search: Search, steps: readonly Step[], bytes: Uint8Array | undefined): void {
  let path = "";
  for (const { name, attr } of steps) {
    path += path === "" ? name : `/${name}`;
    const node = nodeOf(`${search.root}${path}`, attr);
    if (attr.kind === "file" && bytes !== undefined) node.bytes = bytes;
    if (search.nodes?.has(node.path) === false) search.nodes.set(node.path, node);
  }
  search.bytes += bytes?.length ?? 0;
  search.found.push(path);
}

function full({ bytes, looked, found }: Search): boolean {
  return bytes > ANSWER_BYTES || looked > LOOKED_BYTES || found.length > TREE_NODES;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "");
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

function nothing(path: string): FileNode {
  return { path, kind: null, ino: 0, mode: 0, size: 0, mtime: 0, nlink: 0 };
}

function nodeOf(path: string, { kind, ino, mode, size, mtime, nlink }: Attr): FileNode {
  const known = kind === "file" || kind === "dir" || kind === "symlink" ? kind : "file";
  return { path, kind: known, ino, mode, size, mtime, nlink };
}
