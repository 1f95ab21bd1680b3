/** Glob patterns as bash reads them, matched one path segment at a time while a walk goes down the tree. */

import { expand } from "brace-expansion";
import { FsError } from "../fs-error.ts";
import { type Segment, segment } from "./glob-segment.ts";

/** More alternatives of braces than this are refused. */
const ALTERNATIVES_MAX = 1_000;
/** A pattern longer than this, in UTF-16 units, is refused. */
const LENGTH_MAX = 4_096;

export interface GlobOptions {
  /** A pattern without a slash means a name at any depth, as in `.gitignore` and `grep --include`. A leading `/` or `./` ties it to the top. */
  readonly anyDepth?: boolean;
}

/** One way through the braces: `**` is null. */
interface Alternative {
  readonly segments: readonly (Segment | null)[];
  /** The pattern ended in a slash. */
  readonly directory: boolean;
}

/** So many places in a pattern are kept for when a walk comes to them again. */
const KEPT_MAX = 1_000;
/** With more alternatives than this side by side the way on is worked out for each name. */
const POSITIONS_MAX = 30;

interface Position {
  readonly alternative: Alternative;
  readonly index: number;
}

/**
 * Where a walk stands in a pattern, after the segments it has gone down.
 *
 * `*` and `?` stay in a segment, `**` crosses segments and matches none too, `[…]`, `{a,b}`, `{1..3}` and `\` are as in bash;
 * a name's leading dot is nothing special. Work is linear in the name, whatever the pattern.
 */
export class Glob {
  /** The segments gone down so far, as a path, match. */
  readonly file: boolean;
  /** They match where they lead to a directory. */
  readonly directory: boolean;
  /** Everything below matches. */
  readonly below: boolean;
  /** The only names that can lead to a match from here; undefined where a wildcard decides. Empty where nothing can. */
  readonly names: ReadonlySet<string> | undefined;
  readonly #positions: readonly Position[];
  /** The places after this one, by which of the positions match: a bit for each. */
  readonly #next = new Map<number, Glob>();
  /** How many more places may be kept, counted for the whole pattern. */
  readonly #room: { left: number };

  private constructor(positions: readonly Position[], file: boolean, directory: boolean, room: { left: number }) {
    this.#positions = positions;
    this.#room = room;
    this.file = file;
    this.directory = directory;
    this.below = positions.some(isTail);
    this.names = literalNames(positions);
  }

  /** The place before the first segment; `EINVAL` for a pattern that is too long or has too many alternatives. */
  static parse(pattern: string, options: GlobOptions = {}): Glob {
    if (typeof pattern !== "string" || pattern.length > LENGTH_MAX) {
      throw new FsError("EINVAL", { detail: `a glob must be a string of at most ${LENGTH_MAX} characters` });
    }
    const positions: Position[] = [];
    for (const text of braces(pattern)) reach(positions, alternative(text, options.anyDepth ?? false), 0);
    return new Glob(positions, false, false, { left: KEPT_MAX });
  }

  /** The place one segment further down; the same one for names that match alike. */
  enter(name: string): Glob {
    if (this.#positions.length > POSITIONS_MAX) return this.#after((position) => matches(position, name));
    let key = 0;
    this.#positions.forEach((position, i) => {
      if (matches(position, name)) key |= 1 << i;
    });
    const known = this.#next.get(key);
    if (known !== undefined) return known;
    const next = this.#after((_, i) => (key & (1 << i)) !== 0);
    if (this.#room.left-- > 0) this.#next.set(key, next);
    return next;
  }

  #after(matching: (position: Position, i: number) => boolean): Glob {
    const positions: Position[] = [];
    let file = false;
    let directory = false;
    this.#positions.forEach((position, i) => {
      if (!matching(position, i)) return;
      const { alternative, index } = position;
      const last = index === alternative.segments.length - 1;
      if (alternative.segments[index] === null) reach(positions, alternative, index);
      else if (!last) reach(positions, alternative, index + 1);
      if (!last) return;
      directory = true;
      file ||= !alternative.directory;
    });
    return new Glob(positions, file, directory, this.#room);
  }
}

function matches({ alternative, index }: Position, name: string): boolean {
  const matcher = alternative.segments[index];
  return matcher === null || matcher?.test(name) === true;
}

/** Adds a place in an alternative, and the one after it where that is reached through a `**` that matches nothing. */
function reach(positions: Position[], alternative: Alternative, index: number): void {
  const { segments } = alternative;
  for (let i = index; i < segments.length; i++) {
    if (!holds(positions, alternative, i)) positions.push({ alternative, index: i });
    if (segments[i] !== null) return;
  }
}

/** The places in one alternative stand together at the end of the list while they are added. */
function holds(positions: readonly Position[], alternative: Alternative, index: number): boolean {
  for (let i = positions.length - 1; positions[i]?.alternative === alternative; i--) {
    if (positions[i]!.index === index) return true;
  }
  return false;
}

function isTail({ alternative, index }: Position): boolean {
  return !alternative.directory && alternative.segments[index] === null && index === alternative.segments.length - 1;
}

function literalNames(positions: readonly Position[]): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const { alternative, index } of positions) {
    const literal = alternative.segments[index]?.literal;
    if (literal === undefined) return undefined;
    names.add(literal);
  }
  return names;
}

function alternative(text: string, anyDepth: boolean): Alternative {
  const path = text.replace(/^(\.?\/)+/, "");
  const parts = path.split(/\\?\//);
  const segments: (Segment | null)[] = [];
  for (const part of parts) {
    if (part === "" || part === ".") continue;
    if (part !== "**") segments.push(segment(part));
    else if (segments.at(-1) !== null) segments.push(null);
  }
  if (anyDepth && path === text && segments.length === 1 && segments[0] !== null) segments.unshift(null);
  return { segments, directory: path.endsWith("/") };
}

function braces(pattern: string): string[] {
  // The expansion takes one of two backslashes for itself; what it leaves is read again as a glob.
  const texts = expand(pattern.replaceAll("\\\\", "\\\\\\\\"), { max: ALTERNATIVES_MAX + 1 });
  if (texts.length > ALTERNATIVES_MAX) {
    throw new FsError("EINVAL", { detail: `the braces of a glob may name at most ${ALTERNATIVES_MAX} alternatives` });
  }
  return texts;
}
