/** A merged file beside all of its parents at once: `diff --cc`. Only what differs from every parent is shown. */

import { Buffer } from "node:buffer";
import { diffLines, linesOf } from "./line-diff.ts";

/** A line that parents had and the result has not. */
interface Lost {
  readonly line: string;
  parents: number;
}

interface ResultLine {
  readonly line: string;
  /** The parents, as bits, that have not this line. */
  added: number;
  /** What stood before it in parents. */
  lost: Lost[];
  /** The line's number in each parent. */
  readonly numbers: number[];
  shown: boolean;
  /** It is shown as context only: what was lost before it is not. */
  bare: boolean;
}

const COMMENT_BYTES = 40;

/** The hunks; empty where nothing differs from every parent. */
export function combinedHunks(result: Uint8Array, parents: readonly Uint8Array[], context: number): string {
  const lines = linesOf(result);
  const rows: ResultLine[] = [...lines, ""].map((line) => ({
    line,
    added: 0,
    lost: [],
    numbers: [],
    shown: false,
    bare: false,
  }));
  for (const [n, parent] of parents.entries()) addParent(rows, lines, linesOf(parent), n);
  if (!chooseHunks(rows, (1 << parents.length) - 1, context)) return "";
  return Buffer.from(hunks(rows, parents.length), "latin1").toString("utf8");
}

function addParent(rows: readonly ResultLine[], lines: readonly string[], parent: readonly string[], n: number): void {
  const lost = new Map<number, string[]>();
  for (const { old, oldCount, next, nextCount } of diffLines(parent, lines)) {
    if (oldCount > 0) lost.set(next, parent.slice(old, old + oldCount));
    for (let i = next; i < next + nextCount; i++) rows[i]!.added |= 1 << n;
  }
  let number = 1;
  for (const [i, row] of rows.entries()) {
    row.lost = coalesced(row.lost, lost.get(i) ?? [], n);
    row.numbers[n] = number;
    for (const { parents } of row.lost) if (parents & (1 << n)) number++;
    if (i < rows.length - 1 && !(row.added & (1 << n))) number++;
  }
  rows.at(-1)!.numbers[parentEnd(n)] = number;
}

/** Where the number after a parent's last line is kept: beyond those of its lines. */
function parentEnd(n: number): number {
  return 100 + n;
}

/** What earlier parents lost and what this one lost, with what they have alike said once. */
function coalesced(before: readonly Lost[], own: readonly string[], n: number): Lost[] {
  if (own.length === 0) return [...before];
  if (before.length === 0) return own.map((line) => ({ line, parents: 1 << n }));
  const [a, b] = [before.length, own.length];
  const length = Array.from({ length: a + 1 }, () => new Array<number>(b + 1).fill(0));
  for (let i = 1; i <= a; i++) {
    for (let j = 1; j <= b; j++) {
      const same = before[i - 1]!.line === own[j - 1];
      length[i]![j] = same ? length[i - 1]![j - 1]! + 1 : Math.max(length[i]![j - 1]!, length[i - 1]![j]!);
    }
  }
  const merged: Lost[] = [];
  for (let i = a, j = b; i > 0 || j > 0; ) {
    if (i > 0 && j > 0 && before[i - 1]!.line === own[j - 1]) {
      merged.push({ line: before[i - 1]!.line, parents: before[i - 1]!.parents | (1 << n) });
      i--;
      j--;
    } else if (j > 0 && (i === 0 || length[i]![j - 1]! >= length[i - 1]![j]!))
      merged.push({ line: own[--j]!, parents: 1 << n });
    else merged.push(before[--i]!);
  }
  return merged.reverse();
}

/** Marks the lines to be shown; whether there are any. */
function chooseHunks(rows: readonly ResultLine[], all: number, context: number): boolean {
  const last = rows.length - 1;
  for (const row of rows) row.shown = row.added !== 0 || row.lost.length > 0;
  for (let i = 0; i <= last; ) {
    while (i <= last && !rows[i]!.shown) i++;
    if (i > last) break;
    const begin = i;
    let end = i + 1;
    for (; end <= last; end++) {
      if (rows[end]!.shown) continue;
      let ahead = Math.min(tailOf(rows, begin, end) + context, last + 1);
      let goesOn = false;
      while (ahead > 0 && end <= --ahead) {
        if (!rows[ahead]!.shown) continue;
        goesOn = true;
        break;
      }
      if (!goesOn) break;
      end = ahead;
    }
    if (isDull(rows.slice(begin, end), all)) for (const row of rows.slice(begin, end)) row.shown = false;
    i = end;
  }
  return giveContext(rows, context);
}

/** Whether all that changed changed for the same parents, and not for every one. */
function isDull(rows: readonly ResultLine[], all: number): boolean {
  const masks = new Set(
    rows.flatMap(({ added, lost }) => [...(added === 0 ? [] : [added]), ...lost.map(({ parents }) => parents)]),
  );
  return masks.size <= 1 && !masks.has(all);
}

/** A line that is there only for what was lost before it is no part of the hunk's text. */
function tailOf(rows: readonly ResultLine[], begin: number, end: number): number {
  return begin + 1 <= end && rows[end - 1]!.added === 0 ? end - 1 : end;
}

function giveContext(rows: readonly ResultLine[], context: number): boolean {
  const last = rows.length - 1;
  const next = (from: number, shown: boolean): number => {
    let at = from;
    while (at <= last && rows[at]!.shown !== shown) at++;
    return at;
  };
  let i = next(0, true);
  if (i > last) return false;
  while (i <= last) {
    for (let j = Math.max(i - context, 0); j < i; j++) {
      if (!rows[j]!.shown) rows[j]!.bare = true;
      rows[j]!.shown = true;
    }
    for (;;) {
      let j = next(i, false);
      if (j > last) return true;
      const k = next(j, true);
      j = tailOf(rows, i, j);
      if (k < j + context) {
        for (; j < k; j++) rows[j]!.shown = true;
        i = k;
        continue;
      }
      i = k;
      for (const stop = Math.min(j + context, last + 1); j < stop; j++) rows[j]!.shown = true;
      break;
    }
  }
  return true;
}

function hunks(rows: readonly ResultLine[], parents: number): string {
  const last = rows.length - 1;
  const marker = "@".repeat(parents + 1);
  const parts: string[] = [];
  let comment = "";
  for (let at = 0; ; ) {
    while (at <= last && !rows[at]!.shown) {
      if (/^[A-Za-z_$]/.test(rows[at]!.line)) comment = rows[at]!.line;
      at++;
    }
    if (at > last) return parts.join("");
    let end = at + 1;
    while (end <= last && rows[end]!.shown) end++;
    const count = end > last ? end - at - 1 : end - at;
    const ranges = Array.from({ length: parents }, (_, n) => {
      const from = rows[at]!.numbers[n]!;
      const to = end > last ? rows[last]!.numbers[parentEnd(n)]! : rows[end]!.numbers[n]!;
      return ` -${from},${to - from}`;
    });
    parts.push(`${marker}${ranges.join("")} +${at + 1},${count} ${marker}${commentText(comment)}\n`);
    for (; at < end; at++) {
      const { line, added, lost, bare } = rows[at]!;
      const signs = (mask: number, sign: string): string =>
        Array.from({ length: parents }, (_, n) => (mask & (1 << n) ? sign : " ")).join("");
      if (!bare) for (const gone of lost) parts.push(ended(signs(gone.parents, "-") + gone.line));
      if (at < last) parts.push(ended(signs(added, "+") + line));
    }
  }
}

function ended(line: string): string {
  return line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`;
}

function commentText(comment: string): string {
  const text = comment
    .slice(0, COMMENT_BYTES)
    .replace(/\n[\s\S]*$/, "")
    .replace(/[ \t\v\f\r]+$/, "");
  // Git leaves the last character out.
  return text.length < 2 ? "" : ` ${text.slice(0, -1)}`;
}
