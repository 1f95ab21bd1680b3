/** A stretch of a text file by lines or by bytes, read without the rest of the file. */

import type { FileStore } from "../../files/file-store.ts";

const NEWLINE = 10;
/** A UTF-8 character has at most three bytes after its first. */
const CHARACTER_TAIL = 3;
const PAGE_BYTES = 256 * 1024;

export interface WindowRequest {
  readonly path: string;
  /** The file's size in bytes. */
  readonly size: number;
  /** The first line, from 1; with `byteOffset` the number of the line that is there. */
  readonly line: number | undefined;
  readonly byteOffset: number | undefined;
  readonly maxLines: number;
  readonly maxBytes: number;
}

export interface TextWindow {
  readonly bytes: Uint8Array;
  /** Where it begins and ends in the file, in bytes; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  /** The number of its first line; null where only a position was given. */
  readonly startLine: number | null;
  /** Whole lines in it; a last one without a newline at the file's end is whole. */
  readonly lines: number;
}

/** The window, or how many lines there are where it would begin after the last. */
export async function textWindow(
  store: FileStore,
  request: WindowRequest,
): Promise<TextWindow | { readonly totalLines: number }> {
  const { path, size, line = 1, byteOffset, maxLines, maxBytes } = request;
  let start = byteOffset === undefined ? 0 : await characterStart(store, path, Math.min(byteOffset, size));
  if (byteOffset === undefined && line > 1) {
    const found = await lineStart(store, path, size, line);
    if ("totalLines" in found) return found;
    start = found.start;
  }
  const startLine = byteOffset === undefined ? line : (request.line ?? null);
  const read = await readRange(store, path, start, Math.min(maxBytes + CHARACTER_TAIL, size - start));
  const last = start + read.length >= size;
  const within = last && read.length <= maxBytes ? read.length : Math.min(maxBytes, read.length);
  const { end, lines } = afterLines(read.subarray(0, within), maxLines);
  if (lines === maxLines && end < read.length) return window(read, start, end, startLine, lines);
  if (within === read.length && last) {
    const whole = end === read.length ? lines : lines + 1;
    return window(read, start, read.length, startLine, whole);
  }
  if (lines > 0) return window(read, start, end, startLine, lines);
  return window(read, start, characterEnd(read, within), startLine, 0);
}

function window(read: Uint8Array, start: number, length: number, startLine: number | null, lines: number): TextWindow {
  return { bytes: read.subarray(0, length), start, end: start + length, startLine, lines };
}

/** Where the last of the first `maxLines` whole lines ends, and how many those are. */
function afterLines(bytes: Uint8Array, maxLines: number): { end: number; lines: number } {
  let [end, lines] = [0, 0];
  while (lines < maxLines) {
    const newline = bytes.indexOf(NEWLINE, end);
    if (newline === -1) break;
    end = newline + 1;
    lines++;
  }
  return { end, lines };
}

async function lineStart(
  store: FileStore,
  path: string,
  size: number,
  line: number,
): Promise<{ start: number } | { totalLines: number }> {
  let passed = 0;
  let unfinished = false;
  for (let at = 0; at < size; at += PAGE_BYTES) {
    const page = await readRange(store, path, at, Math.min(PAGE_BYTES, size - at));
    const { end, lines } = afterLines(page, line - 1 - passed);
    passed += lines;
    if (passed === line - 1 && at + end < size) return { start: at + end };
    unfinished = end < page.length;
  }
  return { totalLines: passed + (unfinished ? 1 : 0) };
}

/** The beginning of the character at a position. */
async function characterStart(store: FileStore, path: string, position: number): Promise<number> {
  const from = Math.max(position - CHARACTER_TAIL, 0);
  const bytes = await readRange(store, path, from, position - from + 1);
  let at = position - from;
  while (at > 0 && isContinuation(bytes[at])) at--;
  return isContinuation(bytes[at]) ? position : from + at;
}

/** The end of the last whole character of the first `limit` bytes. */
function characterEnd(bytes: Uint8Array, limit: number): number {
  let at = limit;
  while (at > 0 && at > limit - CHARACTER_TAIL && isContinuation(bytes[at])) at--;
  return at === 0 || isContinuation(bytes[at]) ? limit : at;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}

/** The bytes of a range, fewer at the file's end. */
export async function readRange(store: FileStore, path: string, offset: number, length: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let held = 0;
  if (length <= 0) return new Uint8Array();
  for await (const piece of store.readChunks(path, offset, length)) {
    pieces.push(piece.subarray(0, length - held));
    held += Math.min(piece.length, length - held);
    if (held === length) break;
  }
  const bytes = new Uint8Array(held);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
