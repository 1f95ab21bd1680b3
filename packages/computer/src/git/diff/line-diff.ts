/** Which lines of two texts differ, with the choices that git makes. */

import { viewOf } from "../objects/object-id.ts";
import { type ChangedFile, compact } from "./compact.ts";
import { bogoSqrt, Myers } from "./myers.ts";

/** Lines `[old, old + oldCount)` of one text became `[next, next + nextCount)` of the other. */
export interface LineChange {
  readonly old: number;
  readonly oldCount: number;
  readonly next: number;
  readonly nextCount: number;
}

const MAX_EQUAL = 1024;
const SCAN_WINDOW = 100;
const RUN = 4;

/** The lines of a text, each with its newline. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline + 1;
    lines.push(text.slice(at, end));
    at = end;
  }
  return lines;
}

/** Lines of bytes as strings of one character a byte. */
export function linesOf(data: Uint8Array): string[] {
  return splitLines(viewOf(data).toString("latin1"));
}

export function diffLines(
  a: readonly string[],
  b: readonly string[],
  { indents = true }: { indents?: boolean } = {},
): LineChange[] {
  const ids = new Map<string, number>();
  const counts: { a: number; b: number }[] = [];
  const classesOf = (lines: readonly string[], side: "a" | "b"): Int32Array =>
    Int32Array.from(lines, (line) => {
      let id = ids.get(line);
      if (id === undefined) {
        id = counts.push({ a: 0, b: 0 }) - 1;
        ids.set(line, id);
      }
      counts[id]![side]++;
      return id;
    });
  const left: ChangedFile = { lines: a, classes: classesOf(a, "a"), changed: new Uint8Array(a.length + 1) };
  const right: ChangedFile = { lines: b, classes: classesOf(b, "b"), changed: new Uint8Array(b.length + 1) };
  let start = 0;
  const shorter = Math.min(a.length, b.length);
  while (start < shorter && left.classes[start] === right.classes[start]) start++;
  let same = 0;
  while (same < shorter - start && left.classes[a.length - 1 - same] === right.classes[b.length - 1 - same]) same++;
  const x = relevant(left, start, a.length - same, (id) => counts[id]!.b);
  const y = relevant(right, start, b.length - same, (id) => counts[id]!.a);
  const pick = (file: ChangedFile, index: Int32Array): Int32Array => index.map((line) => file.classes[line]!);
  new Myers(
    pick(left, x),
    pick(right, y),
    (i) => {
      left.changed[x[i]!] = 1;
    },
    (i) => {
      right.changed[y[i]!] = 1;
    },
  ).run();
  compact(left, right, indents);
  compact(right, left, indents);
  return changesOf(left.changed, right.changed);
}

/** Lines that could be kept; those that cannot, or that are too common to say anything, are marked as changed. */
function relevant(file: ChangedFile, start: number, end: number, matches: (id: number) => number): Int32Array {
  const limit = Math.min(bogoSqrt(file.lines.length), MAX_EQUAL);
  const kinds = new Uint8Array(file.lines.length);
  for (let i = start; i < end; i++) {
    const count = matches(file.classes[i]!);
    kinds[i] = count === 0 ? 0 : count >= limit ? 2 : 1;
  }
  const kept: number[] = [];
  for (let i = start; i < end; i++) {
    if (kinds[i] === 1 || (kinds[i] === 2 && !isNoise(kinds, i, start, end - 1))) kept.push(i);
    else file.changed[i] = 1;
  }
  return Int32Array.from(kept);
}

/** Whether a common line stands among lines that match nothing. */
function isNoise(kinds: Uint8Array, i: number, start: number, end: number): boolean {
  const scan = (step: 1 | -1, last: number): { none: number; many: number } => {
    let [none, many] = [0, 1];
    for (let at = i + step; step < 0 ? at >= last : at <= last; at += step) {
      if (kinds[at] === 0) none++;
      else if (kinds[at] === 2) many++;
      else break;
    }
    return { none, many };
  };
  const before = scan(-1, Math.max(start, i - SCAN_WINDOW));
  if (before.none === 0) return false;
  const after = scan(1, Math.min(end, i + SCAN_WINDOW));
  if (after.none === 0) return false;
  const none = before.none + after.none;
  const many = before.many + after.many;
  return many * RUN < many + none;
}

function changesOf(a: Uint8Array, b: Uint8Array): LineChange[] {
  const changes: LineChange[] = [];
  let [i, j] = [0, 0];
  while (i < a.length - 1 || j < b.length - 1) {
    if (!a[i] && !b[j]) {
      i++;
      j++;
      continue;
    }
    const [old, next] = [i, j];
    while (a[i]) i++;
    while (b[j]) j++;
    changes.push({ old, oldCount: i - old, next, nextCount: j - next });
  }
  return changes;
}
