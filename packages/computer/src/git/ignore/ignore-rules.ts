/** What is ignored: the patterns of `.gitignore` files, `info/exclude` and the user's own, the last that matches deciding. */

import { directoryOf, isWithin, nameOf } from "../files/repository-path.ts";
import { wildmatch } from "./wildmatch.ts";

interface Pattern {
  readonly text: string;
  readonly negated: boolean;
  readonly directoryOnly: boolean;
  /** It is matched against the path from its file's directory, not the name alone. */
  readonly anchored: boolean;
  /** It has no wildcard. */
  readonly literal: boolean;
}

interface PatternList {
  /** The directory that the patterns are of. */
  readonly base: string;
  readonly patterns: readonly Pattern[];
}

export class IgnoreRules {
  readonly #general: PatternList[] = [];
  readonly #byDirectory = new Map<string, PatternList>();
  readonly #ignoreCase: boolean;
  readonly #read: (directory: string) => string | undefined;
  readonly #directories = new Map<string, boolean>([["", false]]);

  /** `general` are texts of patterns for the whole tree, the weakest first; `read` gives the text of a directory's `.gitignore`. */
  constructor(
    general: readonly string[],
    read: (directory: string) => string | undefined,
    { ignoreCase = false }: { ignoreCase?: boolean | undefined } = {},
  ) {
    this.#general = general.map((text) => ({ base: "", patterns: parsePatterns(text) }));
    this.#read = read;
    this.#ignoreCase = ignoreCase;
  }

  /** Says what a directory's `.gitignore` has, so that it is not looked for; undefined where it has none. */
  know(directory: string, text: string | undefined): void {
    if (this.#byDirectory.has(directory)) return;
    this.#byDirectory.set(directory, { base: directory, patterns: text === undefined ? [] : parsePatterns(text) });
  }

  /** Whether a path is ignored, by a pattern of its own or because a directory above it is. */
  isIgnored(path: string, isDirectory: boolean): boolean {
    if (this.#isDirectoryIgnored(directoryOf(path))) return true;
    return isDirectory ? this.#isDirectoryIgnored(path) : this.#decide(path, false);
  }

  #isDirectoryIgnored(path: string): boolean {
    const known = this.#directories.get(path);
    if (known !== undefined) return known;
    const ignored = this.#isDirectoryIgnored(directoryOf(path)) || this.#decide(path, true);
    this.#directories.set(path, ignored);
    return ignored;
  }

  #decide(path: string, isDirectory: boolean): boolean {
    for (let at = directoryOf(path); ; at = directoryOf(at)) {
      const found = this.#last(this.#of(at), path, isDirectory);
      if (found !== undefined) return !found.negated;
      if (at === "") break;
    }
    for (const list of this.#general.toReversed()) {
      const found = this.#last(list, path, isDirectory);
      if (found !== undefined) return !found.negated;
    }
    return false;
  }

  #of(directory: string): PatternList {
    if (!this.#byDirectory.has(directory)) this.know(directory, this.#read(directory));
    return this.#byDirectory.get(directory)!;
  }

  #last({ base, patterns }: PatternList, path: string, isDirectory: boolean): Pattern | undefined {
    if (patterns.length === 0 || !isWithin(path, base)) return undefined;
    const within = base === "" ? path : path.slice(base.length + 1);
    const name = nameOf(path);
    return patterns.findLast((pattern) => {
      if (pattern.directoryOnly && !isDirectory) return false;
      const subject = pattern.anchored ? within : name;
      if (pattern.literal && !this.#ignoreCase) return pattern.text === subject;
      return wildmatch(pattern.text, subject, { pathname: pattern.anchored, ignoreCase: this.#ignoreCase });
    });
  }
}

export function parsePatterns(text: string): Pattern[] {
  return text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .flatMap((line) => {
      let pattern = line.endsWith("\r") ? line.slice(0, -1) : line;
      // Blanks at the end do not count unless the last of them is escaped.
      pattern = pattern.replace(/((?:^|[^\\])(?:\\\\)*(?:\\ )?) +$/, "$1");
      if (pattern === "" || pattern.startsWith("#")) return [];
      const negated = pattern.startsWith("!");
      if (negated) pattern = pattern.slice(1);
      const directoryOnly = pattern.endsWith("/");
      if (directoryOnly) pattern = pattern.slice(0, -1);
      const anchored = pattern.includes("/");
      if (pattern.startsWith("/")) pattern = pattern.slice(1);
      if (pattern === "") return [];
      return [{ text: pattern, negated, directoryOnly, anchored, literal: !/[*?[\\]/.test(pattern) }];
    });
}
