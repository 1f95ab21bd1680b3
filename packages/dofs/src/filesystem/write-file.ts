/** `writeFile`: a file's whole contents in one step, from bytes or from a stream. */

import { FsError } from "../fs-error.ts";
import type { Content, InodeStore } from "../inode-store.ts";
import { permissionBits } from "./arguments.ts";
import { attempt, type Place, resolve } from "./resolve.ts";

const DEFAULT_MODE = 0o644;
/**
 * A stream whose next piece is always there takes a turn of the event loop each so many bytes. Without, everything else would wait for its end,
 * and a Durable Object's database, which commits between turns, would hold all of it in one transaction, far more than its cache takes.
 */
const TURN_BYTES = 1024 * 1024;

/** What can be written. Text is written as UTF-8. */
export type WriteFileContent = string | Uint8Array | ReadableStream<Uint8Array>;

export interface WriteFileOptions {
  /** Permission bits of a new file, default 0o644; a file that is there keeps its own. */
  mode?: number | undefined;
  /** `EEXIST` where anything is, a dangling link too. */
  exclusive?: boolean | undefined;
}

/** Writes a file at once. `EISDIR` for a directory, `ENOENT` for a missing parent, `EEXIST` as {@link WriteFileOptions} says. */
export function writeFile(
  store: InodeStore,
  path: string,
  content: string | Uint8Array,
  options: WriteFileOptions = {},
): void {
  checkContent(path, content);
  attempt({ syscall: "open", path }, () => put(store, path, bytesOf(content), options));
}

/**
 * Consumes a stream, then writes its bytes in one step. A path that cannot be written is refused before the stream is touched;
 * a stream that fails leaves everything as it was, and its error is the one that comes out.
 */
export async function writeStream(
  store: InodeStore,
  path: string,
  source: ReadableStream<Uint8Array>,
  options: WriteFileOptions = {},
): Promise<void> {
  const at = { syscall: "open", path };
  attempt(at, () => {
    permissionBits(options.mode ?? DEFAULT_MODE);
    target(store, path, options);
  });
  const reader = source.getReader();
  const stage = store.stage();
  let turned = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const { value } = next;
      attempt({ syscall: "write", path }, () => stage.append(pieceOf(value)));
      if (stage.size - turned < TURN_BYTES) continue;
      turned = stage.size;
      await new Promise((resume) => setTimeout(resume, 0));
    }
    attempt(at, () => put(store, path, stage, options));
  } catch (error) {
    stage.discard();
    await reader.cancel(error).catch(() => {});
    throw error;
  } finally {
    reader.releaseLock();
  }
}

function put(store: InodeStore, path: string, content: Content, options: WriteFileOptions): void {
  const mode = permissionBits(options.mode ?? DEFAULT_MODE);
  const { parent, name, attr } = target(store, path, options);
  if (attr === undefined) store.create(parent, name, { kind: "file", mode, content });
  else store.replace(attr.ino, content);
}

/** Where the contents go: through links, unless the file must be new. */
function target(store: InodeStore, path: string, { exclusive = false }: WriteFileOptions): Place {
  const place = resolve(store, path, { follow: !exclusive });
  if (exclusive && place.attr !== undefined) throw new FsError("EEXIST");
  if (place.slash || place.attr?.kind === "dir") throw new FsError("EISDIR");
  if (place.attr !== undefined && place.attr.kind !== "file") {
    throw new FsError("EINVAL", { detail: "not a regular file" });
  }
  return place;
}

/** Refuses with `EINVAL` what cannot be written to `path`. */
export function checkContent(path: string, content: unknown): asserts content is WriteFileContent {
  if (typeof content === "string" || content instanceof Uint8Array || content instanceof ReadableStream) return;
  const detail = "the content must be a string, a Uint8Array or a ReadableStream";
  throw new FsError("EINVAL", { detail, syscall: "open", path });
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

function pieceOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new FsError("EINVAL", { detail: "the stream must give Uint8Arrays" });
}
