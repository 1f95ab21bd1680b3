/** What the shell's isolate and the workspace say to each other about files. */

/** A path without links in it, and what is there; `kind: null` where nothing is. */
export interface FileNode {
  path: string;
  kind: "file" | "dir" | "symlink" | null;
  ino: number;
  mode: number;
  size: number;
  /** Milliseconds since 1970. */
  mtime: number;
  nlink: number;
  /** A symlink's. */
  target?: string;
  /** All of a file, where it was asked for and is small enough. */
  bytes?: Uint8Array;
  /** A directory's, in byte order; only where all of them are told. */
  names?: string[];
}

/** What is told of files, and the revisions of the store before and after the call. */
export interface FilesAnswer {
  before: number;
  rev: number;
  nodes: FileNode[];
}

export interface TreeRequest {
  path: string;
  /** Contents of files come along. */
  contents: boolean;
  /** Go on after this path. */
  after?: string;
}

export interface TreeAnswer extends FilesAnswer {
  /** Ask again after this path; left out where all was told. */
  next?: string;
}

export interface SearchRequest {
  path: string;
  /** What a file must have to be told of. */
  needle: Uint8Array;
  /** Go on after this file. */
  after?: string;
}

export interface SearchAnswer extends FilesAnswer {
  /** Paths from the directory on, in the order of a walk through it; absent where the path leads to none. */
  found?: string[];
  /** Ask again after this file; left out where all was told. */
  next?: string;
}

/** The files of a workspace for a shell. Paths are absolute; links are followed. */
export interface ShellFileSource {
  /** A path's every step, its directory's entries, and what it leads to: a directory with its entries, a small file with its bytes. */
  look(path: string): Promise<FilesAnswer>;
  /** All under a directory, links not followed. */
  tree(request: TreeRequest): Promise<TreeAnswer>;
  /** The files under a directory that have some bytes, small ones with their contents; nothing of the others. */
  search(request: SearchRequest): Promise<SearchAnswer>;
  read(path: string, offset: number, length: number): Promise<{ before: number; rev: number; bytes: Uint8Array }>;
  write(path: string, content: Uint8Array | ReadableStream<Uint8Array>): Promise<FilesAnswer>;
  append(path: string, content: Uint8Array): Promise<FilesAnswer>;
  mkdir(path: string, recursive: boolean): Promise<FilesAnswer>;
  rm(path: string, options: { recursive: boolean; force: boolean }): Promise<FilesAnswer>;
  rename(from: string, to: string): Promise<FilesAnswer>;
  chmod(path: string, mode: number): Promise<FilesAnswer>;
  utimes(path: string, mtime: number): Promise<FilesAnswer>;
  symlink(target: string, path: string): Promise<FilesAnswer>;
  link(existing: string, path: string): Promise<FilesAnswer>;
}

/** Files up to this many bytes come with what is told of them. */
export const SMALL_FILE: number = 256 * 1024;

/** Bytes of contents in one answer, about. */
export const ANSWER_BYTES: number = 12 * 1024 * 1024;

/** Entries of a directory that are told without being asked for. */
export const SHORT_DIRECTORY = 2000;
