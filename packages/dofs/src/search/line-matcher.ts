/** What `grep` looks for in a line: a piece of text, or a regular expression in RE2's syntax. */

import { RE2JS, RE2JSException } from "re2js";
import { FsError } from "../fs-error.ts";

/** `[start, end)` in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface LineMatcher {
  /** How many units before a cut a long line is looked at again after it; a longer match that lies across the cut is missed. */
  readonly reach: number;
  /** The next line at or after `from`, which is where a line begins, that has a match: its bounds without its line break. */
  next(block: string, from: number): Span | undefined;
  /** The first match in a piece of a line. */
  find(piece: string, cut: Cut): Span | undefined;
}

/** Where a piece of a line is cut off from the rest of it. */
export interface Cut {
  readonly before: boolean;
  readonly after: boolean;
}

export interface PatternOptions {
  readonly regex?: boolean | undefined;
  readonly ignoreCase?: boolean | undefined;
}

/** A regular expression longer than this, in UTF-16 units, is refused. */
const REGEX_LENGTH_MAX = 4_096;
/** And one whose program has more instructions: the time for one character grows with them. */
const REGEX_PROGRAM_MAX = 2_000;
const REGEX_REACH = 64 * 1024;

/** Reads a pattern. `EINVAL` for one that cannot be read, naming what is wrong, or that spans lines. */
export function lineMatcher(pattern: string, options: PatternOptions): LineMatcher {
  if (typeof pattern !== "string") throw new FsError("EINVAL", { detail: "the pattern must be a string" });
  if (pattern.includes("\n")) {
    throw new FsError("EINVAL", { detail: "a match lies in one line: the pattern must not hold a line break" });
  }
  if (options.regex) return regexMatcher(pattern, options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  return options.ignoreCase
    ? foldedMatcher(pattern)
    : literalMatcher(pattern, (text, from) => text.indexOf(pattern, from));
}

/** The bounds of the line that begins at `start`, without `\n` or `\r\n`. */
export function lineAt(block: string, start: number): Span {
  const stop = block.indexOf("\n", start);
  const end = stop < 0 ? block.length : stop;
  return { start, end: end > start && block.charCodeAt(end - 1) === 13 ? end - 1 : end };
}

/** Where the line after one begins; past the block after the last. */
export function lineAfter(block: string, { end }: Span): number {
  const stop = block.indexOf("\n", end);
  return stop < 0 ? block.length + 1 : stop + 1;
}

function literalMatcher(needle: string, search: (text: string, from: number) => number): LineMatcher {
  return {
    reach: needle.length,
    next(block, from) {
      for (let at = from; ; ) {
        const found = search(block, at);
        if (found < 0) return undefined;
        const line = lineAt(block, found === 0 ? 0 : block.lastIndexOf("\n", found - 1) + 1);
        // The `\r` of a line break belongs to no line, and a file's last line break begins no line.
        if (line.start < block.length && found + needle.length <= line.end) return line;
        if (found >= block.length) return undefined;
        at = found + 1;
      }
    },
    find(piece) {
      const start = search(piece, 0);
      return start < 0 ? undefined : { start, end: start + needle.length };
    },
  };
}

/** The expression has no repetition and no alternatives, so it cannot backtrack further than the needle is long. */
function foldedMatcher(needle: string): LineMatcher {
  const expression = new RegExp(needle.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
  return literalMatcher(needle, (text, from) => {
    expression.lastIndex = from;
    return expression.exec(text)?.index ?? -1;
  });
}

function regexMatcher(pattern: string, flags: number): LineMatcher {
  const whole = compile(pattern, flags);
  const pieces = new Map<string, RE2JS>();
  return {
    reach: REGEX_REACH,
    next(block, from) {
      for (let at = from; at < block.length; ) {
        const line = lineAt(block, at);
        if (whole.test(block.slice(line.start, line.end))) return line;
        at = lineAfter(block, line);
      }
      return undefined;
    },
    find(piece, { before, after }) {
      // Beside a cut the match must have a neighbour, so that no anchor holds there.
      const neighbour = "(?s:.)";
      const source = `${before ? neighbour : ""}(${pattern})${after ? neighbour : ""}`;
      const regex = pieces.get(source) ?? RE2JS.compile(source, flags);
      pieces.set(source, regex);
      if (!regex.test(piece)) return undefined;
      const matcher = regex.matcher(piece);
      return matcher.find() ? { start: matcher.start(1), end: matcher.end(1) } : undefined;
    },
  };
}

function compile(pattern: string, flags: number): RE2JS {
  if (pattern.length > REGEX_LENGTH_MAX) {
    throw new FsError("EINVAL", { detail: `a regular expression may have at most ${REGEX_LENGTH_MAX} characters` });
  }
  let regex: RE2JS;
  try {
    regex = RE2JS.compile(pattern, flags);
  } catch (error) {
    if (error instanceof RE2JSException) throw new FsError("EINVAL", { detail: explain(error.message), cause: error });
    throw error;
  }
  if (regex.programSize() > REGEX_PROGRAM_MAX) {
    throw new FsError("EINVAL", { detail: "the regular expression is too large: use smaller repetition counts" });
  }
  return regex;
}

/** What users of other engines write and RE2 lacks, as it stands in RE2's own message. */
const LACKING: readonly [RegExp, string][] = [
  [/\(\?<[=!]/, "look-behind"],
  [/\(\?[=!]/, "look-ahead"],
  [/`\\[1-9]`|`\\k`|\(\?P=|`\(\?P`/, "a back-reference"],
  [/\(\?>/, "an atomic group"],
  [/\(\?\(/, "a conditional"],
  [/`[*+?]\+`|`\{.*\}\+`/, "a possessive quantifier"],
];

function explain(message: string): string {
  const reason = message.replace(/^error parsing regexp: /, "");
  const construct = /`(.*)`/s.exec(reason)?.[1] ?? "";
  for (const [sign, name] of LACKING) {
    if (sign.test(reason)) return `${name} (${construct.slice(0, 40)}) is not part of the RE2 syntax that grep takes`;
  }
  return `not a regular expression in RE2 syntax: ${reason.slice(0, 200)}`;
}
