/** The interpreter's file system over a workspace's files: what was told is remembered until others may have changed it. */

import type { CpOptions, FileContent, FsStat, IFileSystem, RmOptions } from "just-bash";
import { absolutePath } from "../../files/absolute-path.ts";
import { byteString, textOf } from "../engine/byte-string.ts";
import type { DirentEntry } from "../shell-types.ts";
import { contentOf, streamOf } from "./content.ts";
import { failure } from "./failure.ts";
import { nothing, statOf } from "./file-node.ts";
import { commonAncestor, parentOf, placeOf, within } from "./paths.ts";
import {
  ANSWER_BYTES,
  type FileNode,
  type FilesAnswer,
  type SearchAnswer,
  type ShellFileSource,
  SMALL_FILE,
  type TreeAnswer,
} from "./wire.ts";

const LINKS_MAX = 40;
const PIECE = 8 * 1024 * 1024;
/** Larger contents go as a stream: a call carries 32 MiB at most. */
const STREAMED = 16 * 1024 * 1024;
/** Bytes of contents that are remembered, about. */
const REMEMBERED = 48 * 1024 * 1024;

interface Found {
  /** Without links, the last one too where it was followed. */
  readonly path: string;
  readonly node: FileNode;
}

const ROOT: FileNode = { path: "/", kind: "dir", ino: 1, mode: 0o755, size: 0, mtime: 0, nlink: 1 };

export class RemoteFiles implements IFileSystem {
  readonly #source: ShellFileSource;
  readonly #nodes = new Map<string, FileNode>();
  #rev = -1;
  #remembered = 0;

  constructor(source: ShellFileSource) {
    this.#source = source;
  }

  /** Forgets what was told. */
  forget(): void {
    this.#nodes.clear();
    this.#remembered = 0;
  }

  /** Has all under a directory told at once. Does nothing for what is no directory. */
  async prefetch(path: string, { contents }: { contents: boolean }): Promise<void> {
    let after: string | undefined;
    let bytes = 0;
    do {
      const answer: TreeAnswer = await this.#source.tree({ path, contents, ...(after === undefined ? {} : { after }) });
      this.#take(answer);
      for (const node of answer.nodes) bytes += node.bytes?.length ?? 0;
      after = answer.next;
    } while (after !== undefined && bytes < REMEMBERED - ANSWER_BYTES);
  }

  /** The files under a directory that may have these bytes, by their paths from there; undefined for what is no directory. */
  async search(path: string, needle: Uint8Array): Promise<string[] | undefined> {
    const found: string[] = [];
    let after: string | undefined;
    do {
      const request = { path, needle, ...(after === undefined ? {} : { after }) };
      const answer: SearchAnswer = await this.#source.search(request);
      this.#take(answer);
      if (answer.found === undefined) return undefined;
      found.push(...answer.found);
      after = answer.next;
    } while (after !== undefined);
    return found;
  }

  /** Has files of one directory told together, where there are several. */
  async prefetchFiles(paths: readonly string[]): Promise<void> {
    const directories = new Map<string, number>();
    for (const path of paths) directories.set(parentOf(path), (directories.get(parentOf(path)) ?? 0) + 1);
    // Many directories are told with what is above them all.
    if (directories.size > 3) return this.prefetch(commonAncestor([...directories.keys()]), { contents: true });
    for (const [directory, count] of directories) if (count > 2) await this.prefetch(directory, { contents: true });
  }

  async stat(path: string): Promise<FsStat> {
    return statOf((await this.#existing(path, "stat", true)).node);
  }

  async lstat(path: string): Promise<FsStat> {
    return statOf((await this.#existing(path, "lstat", false)).node);
  }

  async exists(path: string): Promise<boolean> {
    try {
      return (await this.#find(path, true)).node.kind !== null;
    } catch (error) {
      // That files cannot be asked for is not that they are not there.
      if (error instanceof Error && /^(?:\w+: )?(?:ENOENT|ENOTDIR|ELOOP|ENAMETOOLONG)\b/.test(error.message))
        return false;
      throw error;
    }
  }

  async readdir(path: string): Promise<string[]> {
    return [...(await this.#directory(path)).names];
  }

  async readdirWithFileTypes(path: string): Promise<DirentEntry[]> {
    const { path: at, names } = await this.#directory(path);
    const entries: DirentEntry[] = [];
    for (const name of names) {
      const { kind } =
        this.#nodes.get(within(at, name)) ?? (await this.#existing(within(at, name), "lstat", false)).node;
      entries.push({ name, isFile: kind === "file", isDirectory: kind === "dir", isSymbolicLink: kind === "symlink" });
    }
    return entries;
  }

  async readlink(path: string): Promise<string> {
    const { node } = await this.#existing(path, "readlink", false);
    if (node.target === undefined) throw failure("EINVAL", "invalid argument", "readlink", path);
    return node.target;
  }

  async realpath(path: string): Promise<string> {
    return (await this.#existing(path, "realpath", true)).path;
  }

  async readFile(path: string, options?: { encoding?: string | null } | string): Promise<string> {
    const encoding = typeof options === "string" ? options : options?.encoding;
    const bytes = await this.readFileBuffer(path);
    return encoding === "binary" || encoding === "latin1" ? byteString(bytes) : textOf(bytes);
  }

  async readFileBytes(path: string): Promise<never> {
    // A byte string is a string with a brand that only just-bash can give.
    return byteString(await this.readFileBuffer(path)) as never;
  }

  async readFileBuffer(path: string): Promise<Uint8Array> {
    const { path: at, node } = await this.#existing(path, "open", true);
    if (node.kind === "dir") throw failure("EISDIR", "illegal operation on a directory", "read", path);
    if (node.bytes !== undefined) return node.bytes;
    if (node.size <= SMALL_FILE) {
      this.#take(await this.#source.look(at));
      const { bytes } = this.#nodes.get(at) ?? node;
      if (bytes !== undefined) return bytes;
    }
    const bytes = await this.#readPieces(at, node.size);
    const known = this.#nodes.get(at);
    if (known?.ino === node.ino) this.#remember(known, bytes);
    return bytes;
  }

  async writeFile(path: string, content: FileContent, options?: { encoding?: string } | string): Promise<void> {
    const bytes = contentOf(content, options);
    const sent = bytes.length > STREAMED ? streamOf(bytes) : bytes;
    const write = (): Promise<FilesAnswer> => this.#source.write(path, sent);
    const answer = await this.#inTemporary(path, write);
    this.#take(answer);
    this.#wrote(answer, bytes);
  }

  async appendFile(path: string, content: FileContent, options?: { encoding?: string } | string): Promise<void> {
    const added = contentOf(content, options);
    const known = this.#nodes.get(path);
    const old = known?.kind === null ? new Uint8Array() : known?.bytes;
    const answer = await this.#inTemporary(path, () => this.#source.append(path, added));
    this.#take(answer);
    if (old !== undefined && answer.nodes.at(-1)?.size === old.length + added.length) {
      const bytes = new Uint8Array(old.length + added.length);
      bytes.set(old);
      bytes.set(added, old.length);
      this.#wrote(answer, bytes);
    }
  }

  async mkdir(path: string, options?: { recursive?: boolean }): Promise<void> {
    const answer = await this.#source.mkdir(path, options?.recursive === true);
    this.#take(answer);
    const made = answer.nodes.at(-1);
    const known = made === undefined ? undefined : this.#nodes.get(made.path);
    if (known?.kind === "dir" && options?.recursive !== true) known.names = [];
  }

  async rm(path: string, options?: RmOptions): Promise<void> {
    this.#take(await this.#source.rm(path, { recursive: options?.recursive === true, force: options?.force === true }));
    this.#forgetBelow(path);
  }

  async mv(src: string, dest: string): Promise<void> {
    this.#take(await this.#source.rename(src, dest));
    this.#forgetBelow(src);
    this.#forgetBelow(dest);
  }

  async cp(src: string, dest: string, options?: CpOptions): Promise<void> {
    const { node } = await this.#existing(src, "cp", false);
    if (node.kind === "symlink") return this.symlink(await this.readlink(src), dest);
    if (node.kind === "file") {
      await this.writeFile(dest, await this.readFileBuffer(src));
      return this.chmod(dest, node.mode);
    }
    if (options?.recursive !== true) throw failure("EISDIR", "illegal operation on a directory", "cp", src);
    await this.prefetch(src, { contents: true });
    await this.mkdir(dest, { recursive: true });
    for (const name of await this.readdir(src)) await this.cp(within(src, name), within(dest, name), options);
  }

  async chmod(path: string, mode: number): Promise<void> {
    const known = await this.#existing(path, "chmod", true);
    if (known.node.mode === (mode & 0o7777)) return;
    this.#take(await this.#source.chmod(path, mode & 0o7777));
  }

  async utimes(path: string, _atime: Date, mtime: Date): Promise<void> {
    this.#take(await this.#source.utimes(path, mtime.getTime()));
  }

  async symlink(target: string, path: string): Promise<void> {
    this.#take(await this.#source.symlink(target, path));
  }

  async link(existing: string, path: string): Promise<void> {
    this.#take(await this.#source.link(existing, path));
    this.forget();
  }

  resolvePath(base: string, path: string): string {
    return absolutePath(base, path);
  }

  getAllPaths(): string[] {
    return [];
  }

  /** Does a write; where it is one to a place for temporary files that is not there yet, makes the place. */
  async #inTemporary(path: string, write: () => Promise<FilesAnswer>): Promise<FilesAnswer> {
    try {
      return await write();
    } catch (error) {
      if (!path.startsWith("/tmp/") || path.indexOf("/", 5) !== -1 || !/ENOENT/.test(String(error))) throw error;
      await this.mkdir("/tmp", { recursive: true });
      return write();
    }
  }

  async #readPieces(path: string, size: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(size);
    let at = 0;
    while (at < size) {
      const answer = await this.#source.read(path, at, PIECE);
      if (answer.bytes.length === 0) break;
      bytes.set(answer.bytes.subarray(0, size - at), at);
      at += answer.bytes.length;
    }
    return at < size ? bytes.subarray(0, at) : bytes;
  }

  async #existing(path: string, syscall: string, follow: boolean): Promise<Found> {
    const found = await this.#find(path, follow);
    if (found.node.kind === null) throw failure("ENOENT", "no such file or directory", syscall, path);
    return found;
  }

  async #directory(path: string): Promise<{ path: string; names: string[] }> {
    const { path: at, node } = await this.#existing(path, "scandir", true);
    if (node.kind !== "dir") throw failure("ENOTDIR", "not a directory", "scandir", path);
    if (node.names !== undefined) return { path: at, names: node.names };
    this.#take(await this.#source.look(at));
    const names = this.#nodes.get(at)?.names;
    if (names === undefined) throw failure("ENOENT", "no such file or directory", "scandir", path);
    return { path: at, names };
  }

  /** What a path leads to, from what is remembered as far as that goes. */
  async #find(path: string, follow: boolean): Promise<Found> {
    for (let tries = 0; ; tries++) {
      const found = this.#walk(path, follow);
      if (found !== undefined) return found;
      if (tries > 3) throw failure("EIO", "the files changed faster than they could be read", "stat", path);
      this.#take(await this.#source.look(path));
    }
  }

  #walk(path: string, follow: boolean): Found | undefined {
    const left = path.split("/").filter((name) => name !== "");
    let here: FileNode = this.#nodes.get("/") ?? ROOT;
    if (left.length === 0) return this.#nodes.has("/") ? { path: "/", node: here } : undefined;
    let links = 0;
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      if (name === ".") continue;
      if (name === "..") {
        here = this.#nodes.get(parentOf(here.path)) ?? ROOT;
        continue;
      }
      if (here.kind !== "dir") {
        if (here.kind === null) return { path: within(here.path, [name, ...left].join("/")), node: nothing(here.path) };
        throw failure("ENOTDIR", "not a directory", "stat", path);
      }
      const at = within(here.path, name);
      let node = this.#nodes.get(at);
      if (node === undefined && here.names !== undefined && !here.names.includes(name)) node = nothing(at);
      if (node === undefined) return undefined;
      if (node.kind === "symlink" && (follow || left.length > 0)) {
        if (++links > LINKS_MAX) throw failure("ELOOP", "too many symbolic links encountered", "stat", path);
        const target = node.target ?? "";
        left.unshift(...target.split("/").filter((part) => part !== ""));
        if (target.startsWith("/")) here = this.#nodes.get("/") ?? ROOT;
        continue;
      }
      here = node;
    }
    return { path: here.path, node: here };
  }

  /** Remembers what was told; where others have written since, nothing of before. */
  #take(answer: FilesAnswer): void {
    if (answer.before !== this.#rev && this.#rev !== -1) this.forget();
    this.#rev = answer.rev;
    for (const node of answer.nodes) {
      const { bytes, ...rest } = node;
      const bare: FileNode = rest;
      const known = this.#nodes.get(node.path);
      if (
        bare.names === undefined &&
        known?.kind === "dir" &&
        bare.kind === "dir" &&
        known.ino === bare.ino &&
        known.names
      ) {
        bare.names = known.names;
      }
      this.#nodes.set(node.path, bare);
      if (bytes !== undefined) this.#remember(bare, bytes);
      else if (
        known?.bytes !== undefined &&
        known.ino === bare.ino &&
        known.mtime === bare.mtime &&
        answer.before === answer.rev
      ) {
        bare.bytes = known.bytes;
      }
      this.#name(node);
    }
  }

  /** Adds a name to its directory's, or takes it away. */
  #name(node: FileNode): void {
    const names = this.#nodes.get(parentOf(node.path))?.names;
    if (names === undefined || node.path === "/") return;
    const name = node.path.slice(node.path.lastIndexOf("/") + 1);
    const at = names.indexOf(name);
    if (node.kind === null && at >= 0) names.splice(at, 1);
    else if (node.kind !== null && at < 0) names.splice(placeOf(names, name), 0, name);
  }

  #wrote(answer: FilesAnswer, bytes: Uint8Array): void {
    const last = answer.nodes.at(-1);
    const node = last === undefined ? undefined : this.#nodes.get(last.path);
    if (node?.kind === "file" && node.size === bytes.length) this.#remember(node, bytes);
  }

  #remember(node: FileNode, bytes: Uint8Array): void {
    if (this.#remembered + bytes.length > REMEMBERED) {
      for (const known of this.#nodes.values()) delete known.bytes;
      this.#remembered = 0;
    }
    this.#remembered += bytes.length;
    node.bytes = bytes;
  }

  #forgetBelow(path: string): void {
    const below = `${path}/`;
    for (const known of this.#nodes.keys()) if (known.startsWith(below)) this.#nodes.delete(known);
  }
}
