/** Changed lines as the hunks of a unified diff, as bytes in a string of one character each. */

import type { LineChange } from "./line-diff.ts";

const FUNCTION_BYTES = 80;

/** The hunks of a patch; empty where nothing changed. */
export function hunksText(
  a: readonly string[],
  b: readonly string[],
  changes: readonly LineChange[],
  context: number,
): string {
  const parts: string[] = [];
  let functionLine = "";
  let searched = -1;
  for (let first = 0; first < changes.length; ) {
    let last = first;
    while (last + 1 < changes.length && changes[last + 1]!.old - endOf(changes[last]!) <= 2 * context) last++;
    const head = changes[first]!;
    const tail = changes[last]!;
    const before = Math.min(context, head.old, head.next);
    const [from1, from2] = [Math.max(head.old - context, 0), Math.max(head.next - context, 0)];
    const after = Math.min(context, a.length - endOf(tail), b.length - (tail.next + tail.nextCount));
    const [to1, to2] = [endOf(tail) + after, tail.next + tail.nextCount + after];
    const found = functionBefore(a, from1 - 1, searched);
    if (found !== undefined) functionLine = found;
    searched = from1 - 1;
    parts.push(
      `@@ -${range(from1, to1 - from1)} +${range(from2, to2 - from2)} @@${functionLine === "" ? "" : ` ${functionLine}`}\n`,
    );
    for (let i = head.next - before; i < head.next; i++) parts.push(marked(" ", b[i]!));
    for (let i = first; i <= last; i++) {
      const change = changes[i]!;
      if (i > first) {
        const { next, nextCount } = changes[i - 1]!;
        for (let line = next + nextCount; line < change.next; line++) parts.push(marked(" ", b[line]!));
      }
      for (let line = change.old; line < endOf(change); line++) parts.push(marked("-", a[line]!));
      for (let line = change.next; line < change.next + change.nextCount; line++) parts.push(marked("+", b[line]!));
    }
    for (let i = to2 - after; i < to2; i++) parts.push(marked(" ", b[i]!));
    first = last + 1;
  }
  return parts.join("");
}

function endOf({ old, oldCount }: LineChange): number {
  return old + oldCount;
}

/** A range as a hunk's header has it: 1-based, the line before where it is empty, the count where it is not 1. */
export function range(from: number, count: number): string {
  const start = count === 0 ? from : from + 1;
  return count === 1 ? String(start) : `${start},${count}`;
}

export function marked(sign: string, line: string): string {
  return line.endsWith("\n") ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;
}

/** The nearest line above that looks like the head of a function. */
function functionBefore(lines: readonly string[], from: number, limit: number): string | undefined {
  for (let i = from; i > limit && i >= 0; i--) {
    const line = lines[i]!;
    if (/^[A-Za-z_$]/.test(line)) return line.slice(0, FUNCTION_BYTES).replace(/[ \t\n\v\f\r]+$/, "");
  }
  return undefined;
}
