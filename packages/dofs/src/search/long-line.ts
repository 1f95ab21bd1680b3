/** Lines too long to be shown or held whole: windows of them, and the search through one that comes in pieces. */

import { byteLength } from "../store/names.ts";
import type { LineMatcher, Span } from "./line-matcher.ts";

/** The most bytes of a line that are shown. */
const SHOWN_BYTES = 4_096;

/** A line as it is shown. */
export interface ShownLine {
  readonly text: string;
  /** `text` is a part of the line. */
  readonly truncated?: true;
}

/** A line that matched, as it is shown. */
export interface ShownMatch extends ShownLine {
  /** Where in a truncated line the match begins: UTF-16 units, the first is 1. */
  readonly column?: number;
}

/** Whether a line is shown only in part. */
export function isLong(line: string): boolean {
  if (line.length * 3 <= SHOWN_BYTES) return false;
  return line.length > SHOWN_BYTES || byteLength(line) > SHOWN_BYTES;
}

/** The beginning of a line, as long as it may be. */
export function head(line: string): ShownLine {
  return isLong(line) ? { text: around(line, { start: 0, end: 0 }), truncated: true } : { text: line };
}

/** The part of a long line around a match. `dropped` units of the line stood before `piece`. */
export function window(piece: string, match: Span, dropped = 0): ShownMatch {
  return { text: around(piece, match), truncated: true, column: dropped + match.start + 1 };
}

/** One line that is fed in pieces and never held whole. */
export class LongLine {
  readonly #matcher: LineMatcher;
  readonly #head: ShownLine;
  #held = "";
  #dropped = 0;
  #match: ShownMatch | undefined;

  constructor(matcher: LineMatcher, beginning: string) {
    this.#matcher = matcher;
    this.#head = head(beginning);
    this.add(beginning, false);
  }

  get head(): ShownLine {
    return this.#head;
  }

  /** The line's first match, once it was found. */
  get match(): ShownMatch | undefined {
    return this.#match;
  }

  /** Takes the next piece of the line; `ends` when the line is over with it, its line break left out. */
  add(piece: string, ends: boolean): void {
    if (this.#match !== undefined) return;
    const text = this.#held + piece;
    // A `\r` at a cut may belong to the line break.
    const seen = text.endsWith("\r") ? text.slice(0, -1) : text;
    const match = this.#matcher.find(seen, { before: this.#dropped > 0, after: !ends });
    if (match !== undefined) this.#match = window(seen, match, this.#dropped);
    const keep = Math.max(SHOWN_BYTES, this.#matcher.reach + 2);
    const drop = Math.max(0, text.length - keep);
    this.#held = text.slice(drop);
    this.#dropped += drop;
  }
}

function around(line: string, match: Span): string {
  let { start, end } = { start: match.start, end: match.start };
  let room = SHOWN_BYTES;
  const take = (unit: number) => {
    room -= width(line, unit);
    return room >= 0;
  };
  // The match first, then one unit from either side in turn.
  while (end < Math.min(match.end, line.length) && take(end)) end++;
  while (room > 0 && (start > 0 || end < line.length)) {
    if (start > 0 && take(start - 1)) start--;
    if (end < line.length && room > 0 && take(end)) end++;
  }
  return whole(line, start, end);
}

/** Bytes of a unit in UTF-8; a surrogate pair has four. */
function width(line: string, unit: number): number {
  const code = line.charCodeAt(unit);
  if (code < 0x80) return 1;
  return code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3;
}

/** A slice with no half of a surrogate pair at either end. */
function whole(line: string, start: number, end: number): string {
  const from = isLow(line.charCodeAt(start)) && isHigh(line.charCodeAt(start - 1)) ? start + 1 : start;
  const to = isHigh(line.charCodeAt(end - 1)) && isLow(line.charCodeAt(end)) ? end - 1 : end;
  return line.slice(from, to);
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
