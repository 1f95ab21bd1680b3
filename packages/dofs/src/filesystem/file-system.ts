/** The path API: Node-like promises of absolute paths, over any InodeStore. */

import type { InodeStore, StatFs } from "../inode-store.ts";
import { type FindOptions, find, type WorkspaceFoundEntry } from "../search/find.ts";
import { type GrepOptions, grepPage, type WorkspaceGrepMatch } from "../search/grep.ts";
import { ls } from "../search/ls.ts";
import { checkOptions } from "./arguments.ts";
import { chmod } from "./chmod.ts";
import { readlink, symlink } from "./links.ts";
import { type MkdirOptions, mkdir } from "./mkdir.ts";
import { type ReadFileOptions, readOptions, readStream, readText } from "./read-file.ts";
import { type ReaddirOptions, readdir, type WorkspaceDirentResult } from "./readdir.ts";
import { rename } from "./rename.ts";
import { attempt } from "./resolve.ts";
import { type RmOptions, rm } from "./rm.ts";
import { exists, lstat, orNull, stat, type WorkspaceStatResult } from "./stat.ts";
import { type WriteFileContent, type WriteFileOptions, writeFile, writeStream } from "./write-file.ts";

/** The options of each call that takes some. */
const KNOWN = {
  readFile: ["encoding", "byteOffset", "byteLength"],
  readdir: ["limit", "offset"],
  find: ["limit", "offset", "exclude"],
  grep: ["ignoreCase", "regex", "context", "limit", "offset", "include", "exclude"],
  writeFile: ["mode", "exclusive"],
  mkdir: ["recursive", "mode"],
  rm: ["recursive", "force"],
} as const satisfies {
  readFile: (keyof ReadFileOptions)[];
  readdir: (keyof ReaddirOptions)[];
  find: (keyof FindOptions)[];
  grep: (keyof GrepOptions)[];
  writeFile: (keyof WriteFileOptions)[];
  mkdir: (keyof MkdirOptions)[];
  rm: (keyof RmOptions)[];
};

/** Their names as errors give them, where the system knows another. */
const SYSCALLS = { readFile: "open", writeFile: "open", readdir: "scandir" } as const;

/**
 * Files by path. Paths are absolute; errors are `FsError`s with a Node-shaped `code`, `syscall` and `path`.
 *
 * Everything but the consumption of a stream happens in the call itself, so calls take effect in the order they are made.
 */
export class FileSystem {
  readonly store: InodeStore;

  constructor(store: InodeStore) {
    this.store = store;
  }

  /**
   * A file's bytes as a stream of pieces of at most 256 KiB, or its text with `"utf8"`. The stream gives the bytes that the file had
   * when it was opened. `ENOENT`, `EISDIR`; `EINVAL` for a negative or fractional range.
   *
   * @example
   * const text = await fs.readFile("/workspace/notes.md", "utf8");
   * const head = await fs.readFile("/workspace/big.bin", { byteLength: 512 });
   */
  readFile(path: string): Promise<ReadableStream<Uint8Array>>;
  readFile(path: string, encoding: "utf8"): Promise<string>;
  readFile(path: string, options: ReadFileOptions & { encoding?: undefined }): Promise<ReadableStream<Uint8Array>>;
  readFile(path: string, options: ReadFileOptions & { encoding: "utf8" }): Promise<string>;
  readFile(path: string, options: ReadFileOptions): Promise<string | ReadableStream<Uint8Array>>;
  async readFile(path: string, options?: "utf8" | ReadFileOptions): Promise<string | ReadableStream<Uint8Array>> {
    if (typeof options !== "string") checked("readFile", path, options ?? undefined);
    const read = attempt({ syscall: "open", path }, () => readOptions(options));
    return read.encoding === "utf8" ? readText(this.store, path, read) : readStream(this.store, path, read);
  }

  /** Whether a path leads to anything. */
  async exists(path: string): Promise<boolean> {
    return exists(this.store, path);
  }

  /** What a path leads to, links followed. `ENOENT`, `ENOTDIR`, `ELOOP`. */
  async stat(path: string): Promise<WorkspaceStatResult> {
    return stat(this.store, path);
  }

  /** As `stat`, null where nothing is. */
  async statOrNull(path: string): Promise<WorkspaceStatResult | null> {
    return orNull(() => stat(this.store, path));
  }

  /** What a path is itself: a link is not followed. */
  async lstat(path: string): Promise<WorkspaceStatResult> {
    return lstat(this.store, path);
  }

  /** As `lstat`, null where nothing is. */
  async lstatOrNull(path: string): Promise<WorkspaceStatResult | null> {
    return orNull(() => lstat(this.store, path));
  }

  /** The text of a symlink; `EINVAL` for anything else. */
  async readlink(path: string): Promise<string> {
    return readlink(this.store, path);
  }

  /** A directory's entries in byte order of their names, all or a page. `ENOENT`, `ENOTDIR`. */
  async readdir(path: string, options?: ReaddirOptions): Promise<WorkspaceDirentResult[]> {
    checked("readdir", path, options);
    return readdir(this.store, path, options);
  }

  /**
   * Everything under a directory whose path relative to it matches a glob; without one, everything. An excluded directory is not entered.
   *
   * @example
   * const sources = await fs.find("/workspace", "**\/*.ts", { exclude: ["node_modules"] });
   */
  async find(directory: string, pattern?: string, options?: FindOptions): Promise<WorkspaceFoundEntry[]> {
    checked("find", directory, options);
    return [...find(this.store, directory, pattern, options)];
  }

  /** The paths of every file at or under a path, sorted; none where nothing is. */
  async ls(prefix: string): Promise<string[]> {
    return ls(this.store, prefix);
  }

  /**
   * The matching lines of a file or of all files under a directory; literal and case-sensitive unless the options say otherwise.
   *
   * @example
   * const hits = await fs.grep("TODO", "/workspace/src", { include: "*.ts", limit: 100 });
   */
  async grep(pattern: string, path: string, options?: GrepOptions): Promise<WorkspaceGrepMatch[]> {
    checked("grep", path, options);
    return grepPage(this.store, pattern, path, options).matches;
  }

  /**
   * Writes a whole file in one step, through links. A stream is consumed piece by piece, and the file is as it was until it ends well.
   * Parents are not made. `EISDIR`, `ENOENT`; `EEXIST` with `exclusive` where anything is.
   *
   * @example
   * await fs.mkdir("/workspace", { recursive: true });
   * await fs.writeFile("/workspace/card.md", "# Hello\n");
   * await fs.writeFile("/workspace/copy.bin", await fs.readFile("/workspace/big.bin"));
   */
  async writeFile(path: string, content: WriteFileContent, options?: WriteFileOptions): Promise<void> {
    checked("writeFile", path, options);
    if (content instanceof ReadableStream) await writeStream(this.store, path, content, options);
    else writeFile(this.store, path, content, options);
  }

  /** Makes a directory, with `recursive` those above it too. `EEXIST`, `ENOENT`, `ENOTDIR`. */
  async mkdir(path: string, options?: MkdirOptions): Promise<void> {
    checked("mkdir", path, options);
    mkdir(this.store, path, options);
  }

  /** Removes a file, a link or a directory. `ENOTEMPTY` for a full directory without `recursive`; `force` accepts absence. */
  async rm(path: string, options?: RmOptions): Promise<void> {
    checked("rm", path, options);
    rm(this.store, path, options);
  }

  /** Moves a file or a directory, replacing a file or an empty directory. `EINVAL` into its own subtree, `EBUSY` for `/`. */
  async rename(oldPath: string, newPath: string): Promise<void> {
    rename(this.store, oldPath, newPath);
  }

  /** Sets the permission bits, 0 to 0o7777, through links. */
  async chmod(path: string, mode: number): Promise<void> {
    chmod(this.store, path, mode);
  }

  /** Makes a symlink at `path`; `target` is kept as it is, and relative to the link's directory when it is followed. */
  async symlink(target: string, path: string): Promise<void> {
    symlink(this.store, target, path);
  }

  /**
   * How much the files take and how much room is left, in bytes, and how many inodes there are, the root among them. In a Durable Object the
   * bytes are those of its whole database, of the 10 GB that it holds.
   *
   * @example
   * const { freeBytes, totalBytes } = await fs.usage();
   * const freeShare = freeBytes / totalBytes;
   */
  async usage(): Promise<StatFs> {
    return this.store.statfs();
  }
}

function checked(call: keyof typeof KNOWN, path: string, options: unknown): void {
  const syscall = call in SYSCALLS ? SYSCALLS[call as keyof typeof SYSCALLS] : call;
  attempt({ syscall, path }, () => checkOptions(options, KNOWN[call]));
}
