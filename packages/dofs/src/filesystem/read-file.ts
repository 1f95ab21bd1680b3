/** `readFile`: a file's bytes or a range of them, as a stream or as text. */

import { FsError } from "../fs-error.ts";
import type { Absent, Attr, InodeStore, Snapshot } from "../inode-store.ts";
import { checkCount } from "./arguments.ts";
import { attempt, existing, resolve } from "./resolve.ts";

/** The most bytes in one piece of a stream. */
export const PIECE_BYTES: number = 256 * 1024;

export interface ReadFileOptions {
  encoding?: "utf8" | undefined;
  /** Where to start, in bytes; past the end there is nothing. */
  byteOffset?: number | undefined;
  /** At most this many bytes. */
  byteLength?: number | undefined;
}

/** The range asked for, cut to the file: `[start, end)`. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** The options that `readFile`'s second argument stands for; `EINVAL` for an encoding that is not UTF-8. */
export function readOptions(options: "utf8" | ReadFileOptions | undefined): ReadFileOptions {
  const read = typeof options === "string" ? { encoding: options } : (options ?? {});
  if (read.encoding !== undefined && read.encoding !== null && read.encoding !== "utf8") {
    throw new FsError("EINVAL", {
      detail: `encoding must be "utf8" or left out, not ${JSON.stringify(read.encoding)}`,
    });
  }
  return read;
}

/** The text of a file; bytes that are not UTF-8 become U+FFFD, a byte order mark stays. */
export function readText(store: InodeStore, path: string, options: ReadFileOptions): string {
  return attempt({ syscall: "open", path }, () => {
    const file = regularFile(store, path);
    const { start, end } = range(file, options);
    const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
    let text = "";
    for (let at = start; at < end; ) {
      const bytes = present(store.read(file.ino, at, Math.min(PIECE_BYTES, end - at)));
      at += bytes.length;
      text += decoder.decode(bytes, { stream: true });
    }
    return text + decoder.decode();
  });
}

/** A stream of the bytes that the file has now, whatever is written to it later. */
export function readStream(store: InodeStore, path: string, options: ReadFileOptions): ReadableStream<Uint8Array> {
  return attempt({ syscall: "open", path }, () => {
    const file = regularFile(store, path);
    const { start, end } = range(file, options);
    if (end - start <= PIECE_BYTES) return streamOf(present(store.read(file.ino, start, end - start)));
    return streamFrom(store.snapshot(file.ino), { start, end }, path);
  });
}

function regularFile(store: InodeStore, path: string): Attr {
  const attr = existing(resolve(store, path));
  if (attr.kind === "dir") throw new FsError("EISDIR");
  if (attr.kind !== "file") throw new FsError("EINVAL", { detail: "not a regular file" });
  return attr;
}

function range(file: Attr, { byteOffset, byteLength }: ReadFileOptions): Range {
  checkCount(byteOffset, "byteOffset");
  checkCount(byteLength, "byteLength");
  const start = Math.min(byteOffset ?? 0, file.size);
  return { start, end: Math.min(start + (byteLength ?? file.size), file.size) };
}

function present(read: Uint8Array | Absent): Uint8Array {
  if (read instanceof Uint8Array) return read;
  throw new FsError("EIO", { detail: "the file's contents are not here" });
}

/** Nothing is held for a file of one piece, so an abandoned stream costs nothing. */
function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: "bytes",
    autoAllocateChunkSize: Math.max(1, bytes.length),
    start(controller) {
      if (bytes.length > 0) controller.enqueue(owned(bytes));
      controller.close();
    },
  });
}

function streamFrom(snapshot: Snapshot, { start, end }: Range, path: string): ReadableStream<Uint8Array> {
  let at = start;
  return new ReadableStream(
    {
      type: "bytes",
      // Without it, workerd hands the pieces out 4 KiB at a time.
      autoAllocateChunkSize: PIECE_BYTES,
      pull(controller) {
        try {
          const bytes = attempt({ syscall: "read", path }, () =>
            present(snapshot.read(at, Math.min(PIECE_BYTES, end - at))),
          );
          at += bytes.length;
          controller.enqueue(owned(bytes));
        } catch (error) {
          snapshot.release();
          throw error;
        }
        if (at < end) return;
        snapshot.release();
        controller.close();
      },
      cancel() {
        if (at < end) snapshot.release();
      },
    },
    { highWaterMark: 0 },
  );
}

/** A byte stream takes its chunks' buffers away; those of a store's answers are the caller's. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}
