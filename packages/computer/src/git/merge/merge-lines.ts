/** Merges two texts that came of one, line by line, with markers where both changed the same. */

import { diffLines, type LineChange } from "../diff/line-diff.ts";

/** What stands behind the markers, and which side wins where both changed the same. */
export interface MergeLabels {
  readonly ours: string;
  readonly theirs: string;
  readonly favour?: "ours" | "theirs" | "union" | undefined;
}

export interface MergedText {
  readonly text: string;
  readonly conflicts: number;
}

/** A stretch that changed. `by` is the side that changed it; 0 where both did and differ, 3 where both did the same. */
interface Stretch {
  by: 0 | 1 | 2 | 3;
  i0: number;
  chg0: number;
  i1: number;
  chg1: number;
  i2: number;
  chg2: number;
}

const MARKER = 7;
/** Conflicts with so few equal lines between them are shown as one. */
const BETWEEN = 3;

export function mergeLines(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  labels: MergeLabels,
): MergedText {
  const found = stretches(
    diffLines(base, ours, { indents: false }),
    diffLines(base, theirs, { indents: false }),
    ours,
    theirs,
  );
  const refined = joinClose(found.flatMap((stretch) => refine(stretch, ours, theirs)));
  const parts: string[] = [];
  let at = 0;
  let conflicts = 0;
  for (const stretch of refined) {
    const { by, i1, chg1, i2, chg2 } = stretch;
    if (by === 3) continue;
    parts.push(...ours.slice(at, i1));
    const [mine, other] = [ours.slice(i1, i1 + chg1), theirs.slice(i2, i2 + chg2)];
    if (by === 1) parts.push(...mine);
    else if (by === 2) parts.push(...other);
    else if (labels.favour === "ours") parts.push(...mine);
    else if (labels.favour === "theirs") parts.push(...other);
    else if (labels.favour === "union") parts.push(...ended(mine), ...other);
    else {
      conflicts++;
      parts.push(
        `${"<".repeat(MARKER)} ${labels.ours}\n`,
        ...ended(mine),
        `${"=".repeat(MARKER)}\n`,
        ...ended(other),
        `${">".repeat(MARKER)} ${labels.theirs}\n`,
      );
    }
    at = i1 + chg1;
  }
  parts.push(...ours.slice(at));
  return { text: parts.join(""), conflicts };
}

function ended(lines: readonly string[]): string[] {
  return lines.map((line) => (line.endsWith("\n") ? line : `${line}\n`));
}

function stretches(
  ours: readonly LineChange[],
  theirs: readonly LineChange[],
  a: readonly string[],
  b: readonly string[],
): Stretch[] {
  const found: Stretch[] = [];
  const append = (next: Stretch): void => {
    const last = found.at(-1);
    if (last !== undefined && (next.i1 <= last.i1 + last.chg1 || next.i2 <= last.i2 + last.chg2)) {
      if (next.by !== last.by) last.by = 0;
      last.chg0 = next.i0 + next.chg0 - last.i0;
      last.chg1 = next.i1 + next.chg1 - last.i1;
      last.chg2 = next.i2 + next.chg2 - last.i2;
    } else found.push(next);
  };
  let [i, j] = [0, 0];
  let [offset1, offset2] = [0, 0];
  const onlyOurs = (x: LineChange): Stretch => ({
    by: 1,
    i0: x.old,
    chg0: x.oldCount,
    i1: x.next,
    chg1: x.nextCount,
    i2: x.old + offset2,
    chg2: x.oldCount,
  });
  const onlyTheirs = (y: LineChange): Stretch => ({
    by: 2,
    i0: y.old,
    chg0: y.oldCount,
    i1: y.old + offset1,
    chg1: y.oldCount,
    i2: y.next,
    chg2: y.nextCount,
  });
  while (i < ours.length && j < theirs.length) {
    const [x, y] = [ours[i]!, theirs[j]!];
    if (x.old + x.oldCount < y.old) {
      offset2 = y.next - y.old;
      append(onlyOurs(x));
      i++;
      continue;
    }
    if (y.old + y.oldCount < x.old) {
      offset1 = x.next - x.old;
      append(onlyTheirs(y));
      j++;
      continue;
    }
    const same =
      x.old === y.old &&
      x.oldCount === y.oldCount &&
      x.nextCount === y.nextCount &&
      a.slice(x.next, x.next + x.nextCount).every((line, k) => line === b[y.next + k]);
    if (!same) append(overlap(x, y));
    const [end1, end2] = [x.old + x.oldCount, y.old + y.oldCount];
    if (end1 >= end2) j++;
    if (end2 >= end1) i++;
  }
  const last = (changes: readonly LineChange[]): number => {
    const change = changes.at(-1);
    return change === undefined ? 0 : change.next + change.nextCount - change.old - change.oldCount;
  };
  offset2 = last(theirs);
  for (; i < ours.length; i++) append(onlyOurs(ours[i]!));
  offset1 = last(ours);
  for (; j < theirs.length; j++) append(onlyTheirs(theirs[j]!));
  return found;
}

function overlap(x: LineChange, y: LineChange): Stretch {
  const off = x.old - y.old;
  const tail = off + x.oldCount - y.oldCount;
  const i0 = off > 0 ? x.old - off : x.old;
  const i1 = off > 0 ? x.next - off : x.next;
  const i2 = off > 0 ? y.next : y.next + off;
  let chg0 = x.old + x.oldCount - i0;
  let chg1 = x.next + x.nextCount - i1;
  let chg2 = y.next + y.nextCount - i2;
  if (tail < 0) {
    chg0 -= tail;
    chg1 -= tail;
  } else chg2 += tail;
  return { by: 0, i0, chg0, i1, chg1, i2, chg2 };
}

/** Takes out of a conflict what both sides have alike. */
function refine(stretch: Stretch, ours: readonly string[], theirs: readonly string[]): Stretch[] {
  const { by, i1, chg1, i2, chg2 } = stretch;
  if (by !== 0 || chg1 === 0 || chg2 === 0) return [stretch];
  const changes = diffLines(ours.slice(i1, i1 + chg1), theirs.slice(i2, i2 + chg2), { indents: false });
  if (changes.length === 0) return [{ ...stretch, by: 3 }];
  return changes.map(({ old, oldCount, next, nextCount }) => ({
    ...stretch,
    i1: i1 + old,
    chg1: oldCount,
    i2: i2 + next,
    chg2: nextCount,
  }));
}

function joinClose(found: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = [];
  for (const stretch of found) {
    const last = joined.at(-1);
    if (last?.by === 0 && stretch.by === 0 && stretch.i1 - (last.i1 + last.chg1) <= BETWEEN) {
      last.chg1 = stretch.i1 + stretch.chg1 - last.i1;
      last.chg2 = stretch.i2 + stretch.chg2 - last.i2;
    } else joined.push({ ...stretch });
  }
  return joined;
}
