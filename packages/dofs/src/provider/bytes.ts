/** Node's Buffer, which callers of the provider expect: the one place of the package that imports from `node:`. */

import { Buffer } from "node:buffer";
import { FsError } from "../fs-error.ts";

/** What can be written; text in the encoding that the options name, UTF-8 by default. */
export type WriteData = string | Uint8Array;

/** Options that name an encoding, or the encoding itself, as Node's `fs` takes them. */
export type EncodingOptions = BufferEncoding | { encoding?: BufferEncoding | null | undefined } | null | undefined;

/** The encoding that options name; undefined for bytes. `EINVAL` for one that Node does not know. */
export function encodingOf(options: EncodingOptions): BufferEncoding | undefined {
  const encoding = typeof options === "string" ? options : options?.encoding;
  if (encoding === undefined || encoding === null) return undefined;
  if (!Buffer.isEncoding(encoding)) throw new FsError("EINVAL", { detail: `unknown encoding ${String(encoding)}` });
  return encoding;
}

/** A copy of bytes as a Buffer, which its receiver may change. */
export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes);
}

/** Bytes as a reader asked for them: text where it named an encoding, else a Buffer of its own. */
export function decode(bytes: Uint8Array, options: EncodingOptions): Buffer | string {
  const encoding = encodingOf(options);
  if (encoding === undefined) return toBuffer(bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding);
}

/** What a writer gave, as bytes; `EINVAL` for what is neither text nor bytes. */
export function encode(data: unknown, options: EncodingOptions): Uint8Array {
  if (typeof data === "string") return Buffer.from(data, encodingOf(options) ?? "utf8");
  if (data instanceof Uint8Array) return data;
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw new FsError("EINVAL", { detail: "the data must be a string or bytes" });
}
