/** One segment of a glob as a test of a name, in linear time. */

import { RE2JS } from "re2js";

/** A test of one name. */
export interface Segment {
  /** The one name that matches, where the segment has no wildcard. */
  readonly literal?: string;
  test(name: string): boolean;
}

/** The character classes of POSIX brackets, as RE2 writes them inside its own. */
const CLASSES: Record<string, string> = {
  alnum: "\\p{L}\\p{N}",
  alpha: "\\p{L}",
  ascii: "\\x00-\\x7F",
  blank: " \\t",
  cntrl: "\\p{Cc}",
  digit: "0-9",
  graph: "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}",
  lower: "\\p{Ll}",
  print: "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ",
  punct: "\\p{P}\\p{S}",
  space: "\\s\\x0B",
  upper: "\\p{Lu}",
  word: "\\p{L}\\p{N}_",
  xdigit: "0-9A-Fa-f",
};

/** Reads a segment: `*`, `?`, `[…]` and `\`; everything else, an unclosed bracket too, stands for itself. */
export function segment(text: string): Segment {
  const characters = [...text];
  let literal: string | undefined = "";
  let source = "";
  for (let i = 0; i < characters.length; i++) {
    let character = characters[i]!;
    if (character === "*" || character === "?") {
      literal = undefined;
      source += character === "?" ? "." : ".*";
      continue;
    }
    const bracket = character === "[" ? readBracket(characters, i) : undefined;
    if (bracket !== undefined) {
      literal = undefined;
      source += bracket.source;
      i = bracket.end;
      continue;
    }
    if (character === "\\" && i + 1 < characters.length) character = characters[++i]!;
    if (literal !== undefined) literal += character;
    source += quote(character);
  }
  if (literal !== undefined) return { literal, test: (name) => name === literal };
  if (!/[?[\\]/.test(text) && text.isWellFormed()) return starred(text);
  const regex = RE2JS.compile(`^(?:${source})$`, RE2JS.DOTALL);
  return { test: (name) => regex.test(name) };
}

/** A segment with no wildcard but stars, which is most of them: as good as free beside a regular expression. */
function starred(text: string): Segment {
  const parts = text.split("*");
  const first = parts.shift()!;
  const last = parts.pop()!;
  return {
    test: (name) => {
      const end = name.length - last.length;
      if (end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false;
      let at = first.length;
      for (const part of parts) {
        const found = name.indexOf(part, at);
        if (found < 0) return false;
        at = found + part.length;
      }
      return at <= end;
    },
  };
}

interface Bracket {
  readonly source: string;
  /** Where its `]` is. */
  readonly end: number;
}

/** The bracket expression that opens at `open`; undefined where it never closes, and its `[` is a character. */
function readBracket(characters: readonly string[], open: number): Bracket | undefined {
  let i = open + 1;
  const negated = characters[i] === "!" || characters[i] === "^";
  if (negated) i++;
  let members = "";
  for (let first = true; ; first = false) {
    if (i >= characters.length) return undefined;
    if (characters[i] === "]" && !first) break;
    const named = readNamed(characters, i);
    if (named?.kind === ":") {
      members += CLASSES[named.name] ?? "";
      i = named.end + 1;
      continue;
    }
    const from = readMember(characters, i);
    i = from.end + 1;
    const dash = characters[i] === "-" && i + 1 < characters.length && characters[i + 1] !== "]";
    const to = dash ? readMember(characters, i + 1) : from;
    if (dash) i = to.end + 1;
    // As in bash, a range that runs backwards has nothing in it.
    if (from.code <= to.code) members += `${point(from.code)}-${point(to.code)}`;
  }
  if (members === "") return { source: negated ? "." : "[^\\x00-\\x{10FFFF}]", end: i };
  return { source: `[${negated ? "^" : ""}${members}]`, end: i };
}

interface Member {
  readonly code: number;
  readonly end: number;
}

function readMember(characters: readonly string[], at: number): Member {
  const named = readNamed(characters, at);
  if (named !== undefined && [...named.name].length === 1) return { code: named.name.codePointAt(0)!, end: named.end };
  const escaped = characters[at] === "\\" && at + 1 < characters.length;
  const end = escaped ? at + 1 : at;
  return { code: characters[end]!.codePointAt(0)!, end };
}

/** `[:name:]`, `[=c=]` or `[.c.]` at a place inside a bracket. */
function readNamed(characters: readonly string[], at: number): { kind: string; name: string; end: number } | undefined {
  const kind = characters[at + 1];
  if (characters[at] !== "[" || (kind !== ":" && kind !== "=" && kind !== ".")) return undefined;
  for (let i = at + 2; i + 1 < characters.length; i++) {
    if (characters[i] === kind && characters[i + 1] === "]") {
      return { kind, name: characters.slice(at + 2, i).join(""), end: i + 1 };
    }
  }
  return undefined;
}

function quote(character: string): string {
  return /[\p{L}\p{N}_]/u.test(character) ? character : point(character.codePointAt(0)!);
}

function point(code: number): string {
  return `\\x{${code.toString(16)}}`;
}
