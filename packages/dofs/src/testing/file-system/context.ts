/** What the parts of the shared filesystem suite are written in: a fresh filesystem for each test, and small checks. */

import { expect, test } from "vitest";
import type { MkdirOptions } from "../../filesystem/mkdir.ts";
import type { ReadFileOptions } from "../../filesystem/read-file.ts";
import type { ReaddirOptions, WorkspaceDirentResult } from "../../filesystem/readdir.ts";
import type { RmOptions } from "../../filesystem/rm.ts";
import type { WorkspaceStatResult } from "../../filesystem/stat.ts";
import type { WriteFileContent, WriteFileOptions } from "../../filesystem/write-file.ts";
import type { StatFs } from "../../inode-store.ts";

/** The path API as the suite calls it; a `FileSystem` is one. */
export interface FileSystemLike {
  readFile(path: string): Promise<ReadableStream<Uint8Array>>;
  readFile(path: string, encoding: "utf8"): Promise<string>;
  readFile(path: string, options: ReadFileOptions & { encoding?: undefined }): Promise<ReadableStream<Uint8Array>>;
  readFile(path: string, options: ReadFileOptions & { encoding: "utf8" }): Promise<string>;
  exists(path: string): Promise<boolean>;
  stat(path: string): Promise<WorkspaceStatResult>;
  statOrNull(path: string): Promise<WorkspaceStatResult | null>;
  lstat(path: string): Promise<WorkspaceStatResult>;
  lstatOrNull(path: string): Promise<WorkspaceStatResult | null>;
  readlink(path: string): Promise<string>;
  readdir(path: string, options?: ReaddirOptions): Promise<WorkspaceDirentResult[]>;
  writeFile(path: string, content: WriteFileContent, options?: WriteFileOptions): Promise<void>;
  mkdir(path: string, options?: MkdirOptions): Promise<void>;
  rm(path: string, options?: RmOptions): Promise<void>;
  rename(oldPath: string, newPath: string): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  symlink(target: string, path: string): Promise<void>;
  usage?(): Promise<StatFs>;
  find?(directory: string, pattern?: string): Promise<{ path: string }[]>;
  ls?(prefix: string): Promise<string[]>;
  grep?(pattern: string, path: string): Promise<{ path: string; line: number }[]>;
}

/**
 * What an implementation may lack, since something else lies under it.
 *
 * - `absolute links`: a link to `/w/x` leads to the same filesystem's `/w/x`.
 * - `own paths`: paths are normalised by their text, bad ones are `EINVAL`, the root is guarded.
 * - `whole writes`: a file changes in one step, and a stream that fails changes nothing.
 * - `snapshots`: an open stream gives the bytes of the moment it was opened.
 * - `search`: `find`, `ls` and `grep`.
 * - `usage`: the room taken and left.
 */
export type FileSystemFeature = "absolute links" | "own paths" | "whole writes" | "snapshots" | "search" | "usage";

/** Makes an empty filesystem and runs a test's body on it. */
export type RunOnFileSystem = (body: (fs: FileSystemLike) => Promise<void>) => Promise<void>;

/** Registers a test on a fresh filesystem with an empty directory `/w`; left out where a feature it needs is lacking. */
export type On = (
  title: string,
  body: (fs: FileSystemLike) => Promise<void>,
  needs?: readonly FileSystemFeature[],
) => void;

/** Time enough for the largest file on a busy machine. */
const TIMEOUT_MS = 60_000;

export function onFresh(run: RunOnFileSystem, lacks: readonly FileSystemFeature[]): On {
  return (title, body, needs = []) => {
    if (needs.some((feature) => lacks.includes(feature))) return;
    test(title, { timeout: TIMEOUT_MS }, () =>
      run(async (fs) => {
        await fs.mkdir("/w");
        await body(fs);
      }),
    );
  };
}

/** Expects a call to be refused with this code; gives the error. */
export async function fails(call: Promise<unknown>, code: string): Promise<Error> {
  const error = await call.then(
    (value) => expect.fail(`expected ${code}, got ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code });
  return error as Error;
}

/** A stream of these pieces, made as they are asked for. */
export function streamOf(...pieces: (Uint8Array | string)[]): ReadableStream<Uint8Array> {
  const left = pieces.map((piece) => (typeof piece === "string" ? new TextEncoder().encode(piece) : piece));
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = left.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
}

/** A stream that gives the pieces and then fails. */
export function failingStream(error: Error, ...pieces: string[]): ReadableStream<Uint8Array> {
  const left = pieces.map((piece) => new TextEncoder().encode(piece));
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = left.shift();
        if (piece === undefined) controller.error(error);
        else controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
}

export async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}

/** Bytes that differ at every place, in no short period, the same for the same range. */
export function pattern(start: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - start);
  for (let i = 0; i < bytes.length; i++) {
    const at = start + i;
    bytes[i] = (at ^ (at >> 8) ^ (at >> 16) ^ (at >> 18)) & 0xff;
  }
  return bytes;
}

/** Lets the clock move on. */
export function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 15));
}

export async function names(fs: FileSystemLike, path: string): Promise<string[]> {
  return (await fs.readdir(path)).map((entry) => entry.name);
}
