/** A file's contents as text in pieces of bounded size, as far as they are text. */

import { FsError } from "../fs-error.ts";
import type { Attr, InodeStore } from "../inode-store.ts";

/** Bytes read at once: one chunk. */
const PIECE_BYTES = 256 * 1024;

export interface TextPiece {
  readonly text: string;
  /** Nothing comes after it. */
  readonly last: boolean;
}

/**
 * The text of a file, piece by piece; a byte order mark is left out and bytes that are not UTF-8 become U+FFFD.
 *
 * A piece with a NUL in it makes the file binary: it is not given, nothing after it is read, and the return value is false.
 * `EIO` where the contents are not here.
 */
export function* textPieces(store: InodeStore, file: Attr): Generator<TextPiece, boolean> {
  const decoder = new TextDecoder();
  for (let offset = 0; offset < file.size; ) {
    const bytes = store.read(file.ino, offset, Math.min(PIECE_BYTES, file.size - offset));
    if (!(bytes instanceof Uint8Array)) throw new FsError("EIO", { detail: "the contents are not here yet" });
    if (bytes.includes(0)) return false;
    // A file that was cut short since its attributes were read has ended.
    offset = bytes.length === 0 ? file.size : offset + bytes.length;
    const last = offset >= file.size;
    yield { text: decoder.decode(bytes, { stream: !last }), last };
  }
  return true;
}
