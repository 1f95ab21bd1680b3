/** Finds the matching lines of a text that comes in pieces, with their numbers and the lines around them. */

import { type LineMatcher, lineAfter, lineAt } from "./line-matcher.ts";
import { head, isLong, LongLine, type ShownLine, type ShownMatch, window } from "./long-line.ts";
import type { TextPiece } from "./text-pieces.ts";

/** An unfinished line longer than this, in UTF-16 units, is not kept whole. */
const HELD_MAX = 256 * 1024;

export interface WorkspaceGrepContextLine {
  line: number;
  text: string;
  isMatch: boolean;
  /** `text` is the beginning of a longer line. */
  truncated?: true;
}

export interface LineMatch {
  /** Its number; the first is 1. */
  line: number;
  text: string;
  /** The line with those around it, where they were asked for. */
  context?: WorkspaceGrepContextLine[];
  /** `text` is a part of the line, around the match. */
  truncated?: true;
  /** Where in a truncated line the match begins: UTF-16 units, the first is 1. */
  column?: number;
}

/** A match that still waits for lines after it. */
interface Waiting {
  readonly match: LineMatch & { context: WorkspaceGrepContextLine[] };
  missing: number;
}

/** Fed a text piece by piece, gives its matching lines as soon as their context is complete. */
export class LineScanner {
  readonly #matcher: LineMatcher;
  readonly #context: number;
  /** The number of the next line. */
  #number = 1;
  /** The beginning of a line that is not over. */
  #held = "";
  #long: LongLine | undefined;
  /** The last lines before the next one. */
  readonly #recent: WorkspaceGrepContextLine[] = [];
  readonly #waiting: Waiting[] = [];

  /** `context` lines before and after each match. */
  constructor(matcher: LineMatcher, context: number) {
    this.#matcher = matcher;
    this.#context = context;
  }

  *feed({ text, last }: TextPiece): Generator<LineMatch, void> {
    const rest = this.#long === undefined ? this.#held + text : yield* this.#feedLong(this.#long, text, last);
    this.#held = "";
    const complete = last ? rest.length : rest.lastIndexOf("\n") + 1;
    yield* this.#scan(rest.slice(0, complete));
    if (last) yield* this.end();
    else this.#hold(rest.slice(complete));
  }

  /** What still waited for lines that do not come. */
  *end(): Generator<LineMatch, void> {
    for (const { match } of this.#waiting.splice(0)) yield match;
  }

  #hold(beginning: string): void {
    if (this.#long !== undefined || beginning.length <= HELD_MAX) this.#held = beginning;
    else this.#long = new LongLine(this.#matcher, beginning);
  }

  /** Gives what is left of the text once the long line is over. */
  *#feedLong(long: LongLine, text: string, last: boolean): Generator<LineMatch, string> {
    const stop = text.indexOf("\n");
    const ends = stop >= 0 || last;
    long.add(stop < 0 ? text : text.slice(0, stop), ends);
    if (!ends) return "";
    this.#long = undefined;
    yield* this.#pass(long.head, long.match);
    return stop < 0 ? "" : text.slice(stop + 1);
  }

  /** Whole lines. */
  *#scan(block: string): Generator<LineMatch, void> {
    let at = 0;
    let hit = this.#matcher.next(block, 0);
    while (at < block.length) {
      if (this.#waiting.length === 0) {
        // Nobody wants the lines between here and the context of the next match.
        const skipped = before(block, at, hit?.start ?? block.length, this.#context);
        this.#number += countBreaks(block, at, skipped);
        if (skipped > at) this.#recent.length = 0;
        at = skipped;
        if (at >= block.length) break;
      }
      const line = lineAt(block, at);
      const isHit = hit?.start === line.start;
      const text = block.slice(line.start, line.end);
      yield* this.#pass(head(text), isHit ? this.#show(text) : undefined);
      at = lineAfter(block, line);
      if (isHit) hit = at < block.length ? this.#matcher.next(block, at) : undefined;
    }
  }

  #show(line: string): ShownMatch {
    if (!isLong(line)) return { text: line };
    const match = this.#matcher.find(line, { before: false, after: false });
    return match === undefined ? head(line) : window(line, match);
  }

  /** Takes one line into account: as a match, as context of those before it, and of those to come. */
  *#pass(shown: ShownLine, match: ShownMatch | undefined): Generator<LineMatch, void> {
    const line = this.#number++;
    if (this.#context === 0) {
      if (match !== undefined) yield { line, ...match };
      return;
    }
    const around: WorkspaceGrepContextLine = {
      line,
      ...(match === undefined ? shown : part(match)),
      isMatch: match !== undefined,
    };
    for (const waiting of this.#waiting) {
      waiting.match.context.push(around);
      waiting.missing--;
    }
    while (this.#waiting[0]?.missing === 0) yield this.#waiting.shift()!.match;
    if (match !== undefined) {
      const context = [...this.#recent, around];
      this.#waiting.push({ match: { line, ...match, context }, missing: this.#context });
    }
    this.#recent.push(around);
    if (this.#recent.length > this.#context) this.#recent.shift();
  }
}

function part({ text, truncated }: ShownMatch): ShownLine {
  return truncated ? { text, truncated } : { text };
}

/** Where the line begins that is `lines` lines before the one at `to`, but not before `from`. */
function before(block: string, from: number, to: number, lines: number): number {
  let at = to;
  for (let i = 0; i < lines && at > from; i++) at = at < 2 ? 0 : block.lastIndexOf("\n", at - 2) + 1;
  return Math.max(at, from);
}

function countBreaks(block: string, from: number, to: number): number {
  let count = 0;
  for (let at = block.indexOf("\n", from); at >= 0 && at < to; at = block.indexOf("\n", at + 1)) count++;
  return count;
}
