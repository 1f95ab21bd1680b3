/** Regular expressions of POSIX and GNU tools, run by an engine that cannot be made to take forever. */

import type { RE2JS } from "re2js";
import { Failure } from "./command.ts";

export type Syntax = "basic" | "extended" | "fixed" | "perl";

/** Where a pattern matches in a line. */
export interface Matcher {
  test(line: string): boolean;
  /** Every match that does not overlap the one before. */
  all(line: string): { start: number; end: number }[];
}

export interface MatcherOptions {
  readonly syntax: Syntax;
  readonly ignoreCase: boolean;
  readonly word: boolean;
  readonly line: boolean;
  /** The longest of several matches at a place counts, not the first that is found. */
  readonly longest: boolean;
}

const WORD = "[\\p{L}\\p{N}_]";
const BOUNDARY_START = `(?<!${WORD})(?=${WORD})`;
const BOUNDARY_END = `(?<=${WORD})(?!${WORD})`;
const CLASSES: Readonly<Record<string, string>> = {
  alpha: "\\p{L}",
  digit: "0-9",
  alnum: "\\p{L}\\p{N}",
  upper: "\\p{Lu}",
  lower: "\\p{Ll}",
  space: "\\t\\n\\v\\f\\r ",
  blank: "\\t ",
  punct: "!-\\/:-@\\[-`\\{-~",
  print: " -~\\u{A0}-\\u{10FFFF}",
  graph: "!-~\\u{A1}-\\u{10FFFF}",
  cntrl: "\\0-\\x1F\\x7F",
  xdigit: "0-9A-Fa-f",
};

/** One matcher of several patterns. A bad pattern is a {@link Failure} with exit code 2. */
export async function matcherOf(patterns: readonly string[], options: MatcherOptions): Promise<Matcher> {
  const { syntax, ignoreCase, word, line, longest } = options;
  const plain = syntax === "fixed" && !ignoreCase && !word && !line ? patterns : undefined;
  if (plain?.length === 1 && plain[0] !== undefined && plain[0] !== "") return literalMatcher(plain[0]);
  const parts = patterns.map((pattern) => `(?:${translated(pattern, syntax)})`);
  let source = parts.join("|");
  if (line) source = `^(?:${source})$`;
  else if (word) source = `(?<!${WORD})(?:${source})(?!${WORD})`;
  const backward = patterns.some((pattern) => syntax !== "fixed" && /\\[1-9]/.test(pattern));
  const alternates = longest && !backward && (patterns.length > 1 || /\|/.test(patterns.join("")));
  if ((alternates || runsAway(source)) && syntax !== "perl") {
    if (backward) throw new Failure("this back-reference could take forever: write the pattern without it", 2);
    return linearMatcher(patterns, options);
  }
  if (syntax === "perl" && runsAway(source)) return perlLinear(source, ignoreCase);
  return nativeMatcher(compiled(source, ignoreCase));
}

function literalMatcher(needle: string): Matcher {
  return {
    test: (text) => text.includes(needle),
    all(text) {
      const found: { start: number; end: number }[] = [];
      for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
        found.push({ start: at, end: at + needle.length });
      }
      return found;
    },
  };
}

function nativeMatcher(expression: RegExp): Matcher {
  const single = new RegExp(expression.source, expression.flags.replace("g", ""));
  return {
    test: (text) => single.test(text),
    all: (text) =>
      [...text.matchAll(expression)].map((match) => ({ start: match.index, end: match.index + match[0].length })),
  };
}

/** For patterns that could make a backtracking engine try exponentially many ways. */
function linearMatcher(
  patterns: readonly string[],
  { syntax, ignoreCase, word, line }: MatcherOptions,
): Promise<Matcher> {
  const source = patterns.map((pattern) => `(?:${translated(pattern, syntax, true)})`).join("|");
  const whole = line ? `^(?:${source})$` : word ? `\\b(?:${source})\\b` : source;
  return re2Matcher(whole, ignoreCase);
}

function perlLinear(source: string, ignoreCase: boolean): Promise<Matcher> {
  if (/\(\?[=!<]|\\[1-9]/.test(source)) {
    throw new Failure(
      "this pattern could take forever: nested repetitions with look-around or back-references are not supported",
      2,
    );
  }
  return re2Matcher(source, ignoreCase);
}

async function re2Matcher(source: string, ignoreCase: boolean): Promise<Matcher> {
  // Few patterns need the engine, and every isolate would wait for it.
  const { RE2JS: engine } = await import("re2js");
  let expression: RE2JS;
  try {
    expression = engine.compile(source, engine.LONGEST_MATCH | (ignoreCase ? engine.CASE_INSENSITIVE : 0));
  } catch {
    throw new Failure("Invalid regular expression", 2);
  }
  return {
    test: (text) => expression.matcher(text).find(),
    all(text) {
      const found: { start: number; end: number }[] = [];
      const matcher = expression.matcher(text);
      while (matcher.find()) found.push({ start: matcher.start(), end: matcher.end() });
      return found;
    },
  };
}

function compiled(source: string, ignoreCase: boolean): RegExp {
  try {
    return new RegExp(source, ignoreCase ? "giu" : "gu");
  } catch {
    try {
      return new RegExp(source, ignoreCase ? "gi" : "g");
    } catch (error) {
      throw new Failure(
        error instanceof Error ? error.message.replace(/^Invalid regular expression: /, "") : String(error),
        2,
      );
    }
  }
}

/** Whether a repetition stands on a group that repeats or chooses itself. */
function runsAway(source: string): boolean {
  const open: { repeats: boolean }[] = [];
  let inClass = false;
  for (let at = 0; at < source.length; at++) {
    const character = source[at];
    if (character === "\\") at++;
    else if (inClass) inClass = character !== "]";
    else if (character === "[") inClass = true;
    else if (character === "(") open.push({ repeats: false });
    else if (character === ")") {
      const group = open.pop();
      const after = source[at + 1] ?? "";
      const repeated = after === "*" || after === "+" || (after === "{" && !/^\{[01]\}/.test(source.slice(at + 1)));
      if (repeated && group?.repeats === true) return true;
      const outer = open.at(-1);
      if (outer !== undefined && (repeated || group?.repeats === true)) outer.repeats = true;
    } else if (character === "*" || character === "+" || character === "{" || character === "|") {
      const group = open.at(-1);
      if (group !== undefined) group.repeats = true;
    }
  }
  return false;
}

/** A pattern in the words of JavaScript, or of RE2 with `linear`. */
function translated(pattern: string, syntax: Syntax, linear = false): string {
  if (syntax === "fixed") return escaped(pattern);
  if (syntax === "perl")
    return pattern
      .replace(/\\h/g, "[\\t ]")
      .replace(/\\K/g, () => refuse("\\K"))
      .replace(/\(\?P</g, "(?<");
  return new Translation(pattern, syntax === "extended", linear).run();
}

function refuse(construct: string): never {
  throw new Failure(`${construct} is not supported in this shell`, 2);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

class Translation {
  readonly #pattern: string;
  readonly #extended: boolean;
  readonly #linear: boolean;
  #at = 0;
  #depth = 0;
  #out = "";
  /** Nothing stands here yet that could be repeated. */
  #start = true;

  constructor(pattern: string, extended: boolean, linear: boolean) {
    this.#pattern = pattern;
    this.#extended = extended;
    this.#linear = linear;
  }

  run(): string {
    while (this.#at < this.#pattern.length) this.#next();
    if (this.#depth > 0) throw new Failure(this.#extended ? "Unmatched ( or \\(" : "Unmatched ( or \\(", 2);
    return this.#out;
  }

  #next(): void {
    const character = this.#pattern[this.#at] ?? "";
    if (character === "\\") {
      this.#escape();
      return;
    }
    if (character === "[") {
      this.#bracket();
      return;
    }
    this.#at++;
    const operator = this.#extended && "(){}|+?".includes(character);
    if (operator) {
      this.#operator(character);
      return;
    }
    if (character === "*") {
      if (this.#start) this.#literal("*");
      else this.#repeat("*");
      return;
    }
    if (character === "^" && (this.#extended || this.#start)) {
      this.#anchor("^");
      return;
    }
    if (character === "$" && (this.#extended || this.#endsHere())) {
      this.#anchor("$");
      return;
    }
    if (character === ".") {
      this.#atom(this.#linear ? "[^\\n]" : "[^\\n\\uDC80-\\uDCFF]");
      return;
    }
    const whole = String.fromCodePoint(this.#pattern.codePointAt(this.#at - 1) ?? 0);
    this.#at += whole.length - 1;
    this.#literal(whole);
  }

  #escape(): void {
    const character = this.#pattern[this.#at + 1];
    if (character === undefined) throw new Failure("Trailing backslash", 2);
    this.#at += 2;
    if (!this.#extended && "(){}|+?".includes(character)) {
      this.#operator(character);
      return;
    }
    if (/[1-9]/.test(character)) {
      this.#atom(`\\${character}(?:)`);
      return;
    }
    const words: Readonly<Record<string, string>> = {
      w: WORD,
      W: "[^\\p{L}\\p{N}_]",
      s: "[\\t\\n\\v\\f\\r ]",
      S: "[^\\t\\n\\v\\f\\r ]",
    };
    const word = words[character];
    if (word !== undefined) {
      this.#atom(word);
      return;
    }
    const boundary = this.#boundary(character);
    if (boundary !== undefined) {
      this.#anchor(boundary);
      return;
    }
    this.#literal(character);
  }

  #boundary(character: string): string | undefined {
    if (character === "`") return "^";
    if (character === "'") return "$";
    if (this.#linear) return { "<": "\\b", ">": "\\b", b: "\\b", B: "\\B" }[character];
    return {
      "<": BOUNDARY_START,
      ">": BOUNDARY_END,
      b: `(?:${BOUNDARY_START}|${BOUNDARY_END})`,
      B: `(?:(?<!${WORD})(?!${WORD})|(?<=${WORD})(?=${WORD}))`,
    }[character];
  }

  #operator(character: string): void {
    if (character === "(") {
      this.#depth++;
      this.#out += "(";
      this.#start = true;
    } else if (character === ")") {
      if (this.#depth === 0) {
        if (!this.#extended) throw new Failure("Unmatched ) or \\)", 2);
        this.#literal(")");
        return;
      }
      this.#depth--;
      this.#atom(")");
    } else if (character === "|") {
      this.#out += "|";
      this.#start = true;
    } else if (character === "{") {
      this.#interval();
    } else if (character === "}") {
      this.#literal("}");
    } else if (this.#start) {
      this.#literal(character);
    } else {
      this.#repeat(character);
    }
  }

  #interval(): void {
    const rest = this.#pattern.slice(this.#at);
    const match = (this.#extended ? /^(\d*)(,?)(\d*)\}/ : /^(\d*)(,?)(\d*)\\\}/).exec(rest);
    if (match === null || (match[1] === "" && match[2] === "") || this.#start) {
      if (this.#extended) {
        this.#literal("{");
        return;
      }
      throw new Failure(match === null ? "Unmatched \\{" : "Invalid preceding regular expression", 2);
    }
    this.#at += match[0].length;
    const [, low = "", comma = "", high = ""] = match;
    if (Number(low) > 32767 || Number(high) > 32767) throw new Failure("Regular expression too big", 2);
    this.#repeat(`{${low === "" ? "0" : low}${comma}${high}}`);
  }

  #bracket(): void {
    let at = this.#at + 1;
    let out = "[";
    if (this.#pattern[at] === "^") {
      out += "^";
      at++;
    }
    for (let first = true; ; first = false) {
      const character = this.#pattern[at];
      if (character === undefined) throw new Failure("Unmatched [, [^, [:, [., or [=", 2);
      if (character === "]" && !first) break;
      const named = /^\[:([a-z]*):\]/.exec(this.#pattern.slice(at));
      if (named !== null) {
        const known = CLASSES[named[1] ?? ""];
        if (known === undefined) throw new Failure("Invalid character class name", 2);
        out += known;
        at += named[0].length;
        continue;
      }
      if (/^\[[.=]/.test(this.#pattern.slice(at))) refuse(this.#pattern.slice(at, at + 2));
      const whole = String.fromCodePoint(this.#pattern.codePointAt(at) ?? 0);
      at += whole.length;
      const range = whole === "-" ? !first && this.#pattern[at] !== "]" && !out.endsWith("-") : false;
      out += range ? "-" : whole.replace(/[\\^\-[\]]/, "\\$&");
    }
    this.#at = at + 1;
    this.#atom(`${out}]`);
  }

  #endsHere(): boolean {
    const rest = this.#pattern.slice(this.#at);
    return rest === "" || rest.startsWith("\\)") || rest.startsWith("\\|");
  }

  #literal(character: string): void {
    this.#atom(escaped(character));
  }

  #atom(text: string): void {
    this.#out += text;
    this.#start = false;
  }

  #anchor(text: string): void {
    this.#out += text;
  }

  #repeat(text: string): void {
    // A repetition of a repetition is one of a group.
    if (/(?:[*+?]|\})$/.test(this.#out) && !/\\.$/.test(this.#out)) this.#out = `(?:${this.#out})`;
    this.#out += text;
  }
}
