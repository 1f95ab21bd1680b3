/** `grep`: the lines of the files under a path that match. */

import { checkCount } from "../filesystem/arguments.ts";
import { baseName, normalizePath } from "../filesystem/path.ts";
import { attempt, existing, resolve } from "../filesystem/resolve.ts";
import { FsError } from "../fs-error.ts";
import type { Attr, InodeStore } from "../inode-store.ts";
import { join } from "../store/names.ts";
import { nameGlobs, pageBounds } from "./filter.ts";
import type { Glob } from "./glob.ts";
import { type LineMatcher, lineMatcher } from "./line-matcher.ts";
import { type LineMatch, LineScanner } from "./line-scanner.ts";
import { textPieces } from "./text-pieces.ts";
import { readAttributes, walk } from "./walk.ts";

const CONTEXT_MAX = 1_000;

export interface GrepOptions {
  ignoreCase?: boolean | undefined;
  /** The pattern is a regular expression in RE2 syntax. */
  regex?: boolean | undefined;
  /** Lines around each match to give with it, at most 1,000 on either side. */
  context?: number | undefined;
  /** At most this many matching lines. */
  limit?: number | undefined;
  /** Matching lines left out at the front. */
  offset?: number | undefined;
  /** A glob of the files to search; one without a slash means a name at any depth. */
  include?: string | undefined;
  /** Globs of what is left out, with everything under it. */
  exclude?: string[] | undefined;
}

/** A matching line. */
export interface WorkspaceGrepMatch extends LineMatch {
  path: string;
}

/** How far a search came. */
export interface GrepSummary {
  /** Files whose text was searched. */
  readonly filesSearched: number;
  /** Files left alone, or left off at some point, since they are binary. */
  readonly binaryFiles: number;
  /** Everything was searched; false where the page was full before. */
  readonly done: boolean;
}

export interface GrepPage extends GrepSummary {
  readonly matches: WorkspaceGrepMatch[];
}

/**
 * The matching lines under a path, file by file as {@link find} orders them; the return value says how much was searched.
 *
 * The pattern is literal and case-sensitive unless the options say otherwise, and matches within a line. `\r\n` ends a line as `\n` does, and is not part of it.
 * A file is binary from the first 256 KiB piece on that holds a NUL. A line over 4 KiB comes as a window around its first match. On a line over
 * 256 KiB, a match of a regular expression that is itself longer than 64 KiB may be missed. Links met on the way are not followed.
 *
 * `ENOENT`; `EINVAL` for a bad option or pattern, look-around and back-references included.
 */
export function* grepLines(
  store: InodeStore,
  pattern: string,
  path: string,
  options: GrepOptions = {},
): Generator<WorkspaceGrepMatch, GrepSummary> {
  const search = attempt({ syscall: "grep", path }, () => prepare(store, pattern, path, options));
  const tally = { filesSearched: 0, binaryFiles: 0 };
  let count = 0;
  if (search.start === search.end) return { ...tally, done: false };
  for (const file of files(store, path, search)) {
    for (const match of fileMatches(store, file, new LineScanner(search.matcher, search.context), tally)) {
      if (count++ < search.start) continue;
      yield { path: file.path, ...match };
      if (count === search.end) return { ...tally, done: false };
    }
  }
  return { ...tally, done: true };
}

/** One page of matching lines, and how much was searched for it. See {@link grepLines}. */
export function grepPage(store: InodeStore, pattern: string, path: string, options: GrepOptions = {}): GrepPage {
  const matches: WorkspaceGrepMatch[] = [];
  const lines = grepLines(store, pattern, path, options);
  for (let step = lines.next(); ; step = lines.next()) {
    if (step.done) return { matches, ...step.value };
    matches.push(step.value);
  }
}

interface Search {
  readonly root: Attr;
  readonly matcher: LineMatcher;
  readonly context: number;
  readonly start: number;
  readonly end: number;
  readonly include: Glob | undefined;
  readonly exclude: Glob[];
}

function prepare(store: InodeStore, pattern: string, path: string, options: GrepOptions): Search {
  checkCount(options.context, "context");
  const context = options.context ?? 0;
  if (context > CONTEXT_MAX) throw new FsError("EINVAL", { detail: `context may be at most ${CONTEXT_MAX} lines` });
  return {
    ...pageBounds(options),
    matcher: lineMatcher(pattern, options),
    context,
    include: options.include === undefined ? undefined : nameGlobs([options.include], "include")[0],
    exclude: nameGlobs(options.exclude, "exclude"),
    root: existing(resolve(store, path)),
  };
}

interface FoundFile {
  readonly path: string;
  readonly attr: Attr;
}

function* files(store: InodeStore, path: string, { root, include, exclude }: Search): Generator<FoundFile, void> {
  const top = normalizePath(path);
  if (root.kind === "file") {
    const name = baseName(path);
    const kept = include === undefined || include.enter(name).file;
    if (kept && !exclude.some((glob) => glob.enter(name).file)) yield { path: top, attr: root };
    return;
  }
  if (root.kind !== "dir") return;
  for (const visit of walk(readAttributes(store), root.ino, { wanted: include, excluded: exclude })) {
    if (visit.wanted && visit.node.kind === "file") yield { path: join(top, visit.path), attr: visit.node };
  }
}

interface Tally {
  filesSearched: number;
  binaryFiles: number;
}

function* fileMatches(
  store: InodeStore,
  file: FoundFile,
  scanner: LineScanner,
  tally: Tally,
): Generator<LineMatch, void> {
  const place = { syscall: "read", path: file.path };
  const pieces = textPieces(store, file.attr);
  let step = attempt(place, () => pieces.next());
  if (step.value !== false) tally.filesSearched++;
  for (; !step.done; step = attempt(place, () => pieces.next())) yield* scanner.feed(step.value);
  if (!step.value) tally.binaryFiles++;
  yield* scanner.end();
}
