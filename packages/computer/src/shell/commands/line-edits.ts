/** The fewest changes from one list of lines to another, by Myers' algorithm. */

import { Failure } from "./command.ts";

/** Lines `from` to `to` of the left give way to lines `fromRight` to `toRight` of the right; ends are exclusive. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly fromRight: number;
  readonly toRight: number;
}

/** Above this many changes the search would take more memory than there is. */
const CHANGES_MAX = 6000;

export function editsOf(left: readonly string[], right: readonly string[]): Edit[] {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  while (end < left.length - start && end < right.length - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  const pairs = matched(left.slice(start, left.length - end), right.slice(start, right.length - end));
  const edits: Edit[] = [];
  let [at, atRight] = [0, 0];
  for (const [a, b] of [...pairs, [left.length - end - start, right.length - end - start] as const]) {
    if (a > at || b > atRight)
      edits.push({ from: at + start, to: a + start, fromRight: atRight + start, toRight: b + start });
    [at, atRight] = [a + 1, b + 1];
  }
  return edits;
}

/** Pairs of lines that stay, in order. */
function matched(left: readonly string[], right: readonly string[]): (readonly [number, number])[] {
  const [n, m] = [left.length, right.length];
  if (n === 0 || m === 0) return [];
  const trace: Int32Array[] = [];
  const offset = Math.min(n + m, CHANGES_MAX) + 1;
  const reach = new Int32Array(2 * offset + 1);
  for (let changes = 0; changes <= n + m; changes++) {
    if (changes > CHANGES_MAX) throw new Failure("these files differ too much to be compared in this shell", 2);
    trace.push(reach.slice(offset - changes - 1, offset + changes + 2));
    for (let k = -changes; k <= changes; k += 2) {
      const down = k === -changes || (k !== changes && (reach[offset + k - 1] ?? 0) < (reach[offset + k + 1] ?? 0));
      let x = down ? (reach[offset + k + 1] ?? 0) : (reach[offset + k - 1] ?? 0) + 1;
      while (x < n && x - k < m && left[x] === right[x - k]) x++;
      reach[offset + k] = x;
      if (x >= n && x - k >= m) return walkBack(trace, n, m);
    }
  }
  return [];
}

function walkBack(trace: readonly Int32Array[], n: number, m: number): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  let [x, y] = [n, m];
  for (let changes = trace.length - 1; changes >= 0; changes--) {
    const reach = trace[changes] ?? new Int32Array();
    const at = (k: number): number => reach[k + changes + 1] ?? 0;
    const k = x - y;
    const before = k === -changes || (k !== changes && at(k - 1) < at(k + 1)) ? k + 1 : k - 1;
    const [px, py] = changes === 0 ? [0, 0] : [at(before), at(before) - before];
    while (x > px && y > py) pairs.push([--x, --y]);
    [x, y] = [px, py];
  }
  return pairs.reverse();
}
