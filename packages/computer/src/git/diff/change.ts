/** What differs between two states of a tree: paths with what they were and what they are. */

/** A file on one side. */
export interface Side {
  readonly mode: number;
  /** Undefined for a file of the work tree, of which the contents are looked at when they are needed. */
  readonly oid: string | undefined;
}

export type ChangeStatus = "A" | "M" | "D" | "T" | "R" | "C" | "U";

export interface Change {
  readonly status: ChangeStatus;
  /** Where it is now; of a deleted file where it was. */
  readonly path: string;
  /** Where a renamed or copied file was. */
  readonly from?: string | undefined;
  readonly old?: Side | undefined;
  readonly next?: Side | undefined;
  /** How much of a renamed file is as it was, of 60,000. */
  readonly score?: number | undefined;
  /** What each side of a conflict, or each parent of a merge, has of it. */
  readonly parents?: readonly Side[] | undefined;
}

export const MAX_SCORE = 60_000;

/** The change from one side to the other. */
export function changeOf(path: string, old: Side | undefined, next: Side | undefined): Change {
  if (old === undefined) return { status: "A", path, next };
  if (next === undefined) return { status: "D", path, old };
  const status = (old.mode & 0o170000) === (next.mode & 0o170000) ? "M" : "T";
  return { status, path, old, next };
}

/** A similarity in percent, as git prints it. */
export function percent(score: number): number {
  return Math.floor((score * 100) / MAX_SCORE);
}
