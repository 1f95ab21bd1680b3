/** Which files a search is about: what `include`, `exclude`, `limit` and `offset` say, checked. */

import { checkCount } from "../filesystem/arguments.ts";
import { FsError } from "../fs-error.ts";
import { Glob } from "./glob.ts";

/** A page of results. */
export interface PageOptions {
  /** At most this many. */
  readonly limit?: number | undefined;
  /** Results left out at the front. */
  readonly offset?: number | undefined;
}

/** The page as bounds on a running count: `[start, end)`. `EINVAL` for what is no count. */
export function pageBounds({ limit, offset }: PageOptions): { start: number; end: number } {
  checkCount(limit, "limit");
  checkCount(offset, "offset");
  const start = offset ?? 0;
  return { start, end: limit === undefined ? Number.POSITIVE_INFINITY : start + limit };
}

/**
 * The globs of `include` or `exclude`: one without a slash means a name at any depth, as git and GNU grep have it.
 * `EINVAL` for a list that is none.
 */
export function nameGlobs(patterns: readonly string[] | undefined, option: string): Glob[] {
  if (patterns === undefined) return [];
  if (!Array.isArray(patterns)) throw new FsError("EINVAL", { detail: `${option} must be a list of globs` });
  return patterns.map((pattern) => Glob.parse(pattern, { anyDepth: true }));
}
