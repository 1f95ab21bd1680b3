/** A unified diff of a text whose changed places are known. */

import type { Replacement } from "./locate-edits.ts";

const CONTEXT = 3;

export interface DiffLimits {
  readonly maxLines: number;
  /** UTF-16 units. */
  readonly maxLength: number;
}

export interface UnifiedDiff {
  readonly diff: string;
  /** The number in the new text of the first line that is not as it was. */
  readonly firstChangedLine: number;
}

/** Lines `from` to `to` of the old text give way to `lines`; the end is exclusive, lines have their ends. */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** `replacements` are in order, and do not overlap. The diff is cut, and says so, where it is over the limits. */
export function unifiedDiff(
  path: string,
  source: string,
  replacements: readonly Replacement[],
  limits: DiffLimits,
): UnifiedDiff {
  const old = linesOf(source);
  const changes = lineChanges(source, old, replacements);
  const lines = [`--- ${path}\n`, `+++ ${path}\n`];
  let shift = 0;
  for (let first = 0; first < changes.length; ) {
    let last = first;
    while (gap(changes[last], changes[last + 1]) <= 2 * CONTEXT) last++;
    const group = changes.slice(first, last + 1);
    shift += hunk(old, group, shift, lines);
    first = last + 1;
  }
  return { diff: cut(lines, limits), firstChangedLine: (changes[0]?.from ?? 0) + 1 };
}

function gap(before: Change | undefined, after: Change | undefined): number {
  return before === undefined || after === undefined ? Number.POSITIVE_INFINITY : after.from - before.to;
}

/** Adds the hunk of the changes, and gives by how much it makes the text longer, in lines. */
function hunk(old: readonly string[], changes: readonly Change[], shift: number, lines: string[]): number {
  const from = Math.max((changes[0]?.from ?? 0) - CONTEXT, 0);
  const to = Math.min((changes.at(-1)?.to ?? 0) + CONTEXT, old.length);
  const longer = changes.reduce((sum, change) => sum + change.lines.length - (change.to - change.from), 0);
  lines.push(`@@ -${range(from, to - from)} +${range(from + shift, to - from + longer)} @@\n`);
  let at = from;
  for (const change of changes) {
    for (; at < change.from; at++) lines.push(marked(" ", old[at]));
    for (; at < change.to; at++) lines.push(marked("-", old[at]));
    for (const line of change.lines) lines.push(marked("+", line));
  }
  for (; at < to; at++) lines.push(marked(" ", old[at]));
  return longer;
}

function range(from: number, count: number): string {
  const start = count === 0 ? from : from + 1;
  return count === 1 ? `${start}` : `${start},${count}`;
}

function marked(mark: string, line = ""): string {
  return line.endsWith("\n") ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`;
}

/** The replacements as changes of whole lines, those on one line together, without lines that stay as they were. */
function lineChanges(source: string, old: readonly string[], replacements: readonly Replacement[]): Change[] {
  const changes: Change[] = [];
  const startOf = lineStarts(old);
  for (let index = 0; index < replacements.length; ) {
    const first = replacements[index];
    if (first === undefined) break;
    const from = lineOf(startOf, first.start);
    let text = source.slice(startOf[from], first.start);
    let [at, to] = [first.start, from];
    // Replacements that share a line are one change of it.
    for (
      let next: Replacement | undefined = first;
      next !== undefined;
      next = sharing(replacements[index], startOf, to)
    ) {
      text += source.slice(at, next.start) + next.text;
      at = next.end;
      to = endLine(startOf, next.end, next.text);
      index++;
    }
    text += source.slice(at, startOf[to]);
    changes.push(trimmed(old, { from, to, lines: linesOf(text) }));
  }
  return changes.filter(({ from, to, lines }) => to > from || lines.length > 0);
}

function sharing(next: Replacement | undefined, startOf: readonly number[], to: number): Replacement | undefined {
  return next !== undefined && next.start < (startOf[to] ?? 0) ? next : undefined;
}

/** The line after the last one that is touched: what is put in may not end its line, and then what follows joins it. */
function endLine(startOf: readonly number[], end: number, text: string): number {
  const line = lineOf(startOf, end);
  return startOf[line] === end && text.endsWith("\n") ? line : Math.min(line + 1, startOf.length - 1);
}

/** Where each line begins, and the end of the text. */
function lineStarts(lines: readonly string[]): number[] {
  const starts = [0];
  let at = 0;
  for (const line of lines) {
    at += line.length;
    starts.push(at);
  }
  return starts;
}

/** The line that a position is on. */
function lineOf(startOf: readonly number[], position: number): number {
  let [low, high] = [0, startOf.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((startOf[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

function trimmed(old: readonly string[], change: Change): Change {
  let { from, to } = change;
  let [start, end] = [0, change.lines.length];
  while (from < to && start < end && old[from] === change.lines[start]) {
    from++;
    start++;
  }
  while (to > from && end > start && old[to - 1] === change.lines[end - 1]) {
    to--;
    end--;
  }
  return { from, to, lines: change.lines.slice(start, end) };
}

function linesOf(source: string): string[] {
  return source.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function cut(lines: readonly string[], { maxLines, maxLength }: DiffLimits): string {
  let [length, count] = [0, 0];
  for (const line of lines) {
    if (count === maxLines || length + line.length > maxLength) break;
    length += line.length;
    count++;
  }
  const shown = lines.slice(0, count).join("");
  return count === lines.length ? shown : `${shown}[${lines.length - count} more lines of the diff are not shown.]\n`;
}
