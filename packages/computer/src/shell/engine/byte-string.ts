/** Bytes and text of the interpreter without loss: a byte that is not UTF-8 is a lone surrogate U+DC80 to U+DCFF in text. */

import { Buffer } from "node:buffer";

const fatal = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
const ESCAPED = /[\uDC80-\uDCFF]/;
const NON_ASCII = /[^\0-\x7F]/;
const WIDE = /[^\0-\xFF]/;

/** Text of bytes. */
export function textOf(bytes: Uint8Array): string {
  try {
    return fatal.decode(bytes);
  } catch {
    return escapedText(bytes);
  }
}

/** Bytes of text. */
export function bytesOf(text: string): Uint8Array {
  return ESCAPED.test(text) ? unescapedBytes(text) : encoder.encode(text);
}

/** One character a byte, the form in which the interpreter passes bytes on. */
export function byteString(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** The bytes of a string with one character a byte. */
export function bytesOfByteString(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}

function escapedText(bytes: Uint8Array): string {
  const pieces: string[] = [];
  let start = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceAt(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    if (at > start) pieces.push(fatal.decode(bytes.subarray(start, at)));
    pieces.push(String.fromCharCode(0xdc00 + (bytes[at] ?? 0)));
    start = ++at;
  }
  if (start < bytes.length) pieces.push(fatal.decode(bytes.subarray(start)));
  return pieces.join("");
}

/** The length of the UTF-8 character at a place, 0 where there is none. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length =
    first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  const second = bytes[at + 1] ?? 0;
  if (first === 0xe0 && second < 0xa0) return 0;
  if (first === 0xed && second > 0x9f) return 0;
  if (first === 0xf0 && second < 0x90) return 0;
  if (first === 0xf4 && second > 0x8f) return 0;
  for (let next = at + 1; next < at + length; next++) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

function unescapedBytes(text: string): Uint8Array {
  const pieces: Uint8Array[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const low = text.charCodeAt(at + 1);
      if (low >= 0xdc00 && low <= 0xdfff) at++;
    } else if (unit >= 0xdc80 && unit <= 0xdcff) {
      if (at > start) pieces.push(encoder.encode(text.slice(start, at)));
      pieces.push(Uint8Array.of(unit - 0xdc00));
      start = at + 1;
    }
  }
  if (start < text.length) pieces.push(encoder.encode(text.slice(start)));
  return Buffer.concat(pieces);
}

/** What the interpreter knows of its own strings, under the names that it calls. */
interface Produced {
  stdout: string;
  stdoutKind?: "text" | "bytes";
  stdoutEncoding?: "binary";
}

export function utf8ByteLength(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

export function same(text: string): string {
  return text;
}

export function decodeBytesToUtf8(bytes: string): string {
  // What is wider than a byte was decoded before.
  return !NON_ASCII.test(bytes) || WIDE.test(bytes) ? bytes : textOf(bytesOfByteString(bytes));
}

export function encodeUtf8ToBytes(text: string): string {
  return NON_ASCII.test(text) ? byteString(bytesOf(text)) : text;
}

export const EMPTY_BYTES = "";

export async function readBytesFrom(
  fs: { readFileBytes?(path: string): Promise<string>; readFileBuffer(path: string): Promise<Uint8Array> },
  path: string,
): Promise<string> {
  return fs.readFileBytes === undefined ? byteString(await fs.readFileBuffer(path)) : fs.readFileBytes(path);
}

export function stdoutKind(result: Produced): "text" | "bytes" {
  return result.stdoutKind ?? (result.stdoutEncoding === "binary" ? "bytes" : "text");
}

export function stdoutAsBytes(result: Produced): string {
  return stdoutKind(result) === "bytes" ? result.stdout : encodeUtf8ToBytes(result.stdout);
}

export function decodedTextFromResult(result: Produced): string {
  if (stdoutKind(result) === "bytes") return decodeBytesToUtf8(result.stdout);
  // Bytes that came one by one may be a character by now.
  return ESCAPED.test(result.stdout) ? textOf(bytesOf(result.stdout)) : result.stdout;
}

export function textOutput(stdout: string): { stdout: string; stdoutKind: "text" } {
  return { stdout, stdoutKind: "text" };
}

export function bytesOutput(stdout: string): { stdout: string; stdoutKind: "bytes"; stdoutEncoding: "binary" } {
  return { stdout, stdoutKind: "bytes", stdoutEncoding: "binary" };
}
