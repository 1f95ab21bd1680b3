/** Slides groups of changed lines to where a reader expects them, as git does. */

const MAX_INDENT = 200;
const MAX_BLANKS = 20;
const MAX_SLIDING = 100;
const INDENT_WEIGHT = 60;

/** One side of a comparison: its lines, the class of each, and which of them changed. */
export interface ChangedFile {
  readonly lines: readonly string[];
  readonly classes: Int32Array;
  /** One more than there are lines; the last is 0. */
  readonly changed: Uint8Array;
}

/** A run of changed lines, `[start, end)`, which may be empty. */
class Group {
  start = 0;
  end = 0;
  readonly #file: ChangedFile;

  constructor(file: ChangedFile) {
    this.#file = file;
    while (file.changed[this.end]) this.end++;
  }

  next(): boolean {
    if (this.end === this.#file.lines.length) return false;
    this.start = this.end + 1;
    this.end = this.start;
    while (this.#file.changed[this.end]) this.end++;
    return true;
  }

  previous(): boolean {
    if (this.start === 0) return false;
    this.end = this.start - 1;
    this.start = this.end;
    while (this.#file.changed[this.start - 1]) this.start--;
    return true;
  }

  slideDown(): boolean {
    const { classes, changed, lines } = this.#file;
    if (this.end >= lines.length || classes[this.start] !== classes[this.end]) return false;
    changed[this.start++] = 0;
    changed[this.end++] = 1;
    while (changed[this.end]) this.end++;
    return true;
  }

  slideUp(): boolean {
    const { classes, changed } = this.#file;
    if (this.start <= 0 || classes[this.start - 1] !== classes[this.end - 1]) return false;
    changed[--this.start] = 1;
    changed[--this.end] = 0;
    while (changed[this.start - 1]) this.start--;
    return true;
  }
}

/** `indents` looks at how far lines are indented; without it a group stays as far down as it goes. */
export function compact(file: ChangedFile, other: ChangedFile, indents = true): void {
  const group = new Group(file);
  const beside = new Group(other);
  do {
    if (group.end === group.start) continue;
    let earliest: number;
    let matching: number;
    let size: number;
    do {
      size = group.end - group.start;
      matching = -1;
      while (group.slideUp()) beside.previous();
      earliest = group.end;
      if (beside.end > beside.start) matching = group.end;
      while (group.slideDown()) {
        beside.next();
        if (beside.end > beside.start) matching = group.end;
      }
    } while (size !== group.end - group.start);
    if (group.end === earliest) continue;
    if (matching !== -1) {
      while (beside.end === beside.start) {
        group.slideUp();
        beside.previous();
      }
    } else if (indents) {
      const best = bestEnd(file, group, earliest, size);
      while (group.end > best) {
        group.slideUp();
        beside.previous();
      }
    }
  } while (group.next() && beside.next());
}

function bestEnd(file: ChangedFile, group: Group, earliest: number, size: number): number {
  let best = -1;
  let bestScore = { indent: 0, penalty: 0 };
  for (let end = Math.max(earliest, group.end - size - 1, group.end - MAX_SLIDING); end <= group.end; end++) {
    const score = { indent: 0, penalty: 0 };
    addSplit(file.lines, end, score);
    addSplit(file.lines, end - size, score);
    const order = INDENT_WEIGHT * Math.sign(score.indent - bestScore.indent) + (score.penalty - bestScore.penalty);
    if (best === -1 || order <= 0) {
      best = end;
      bestScore = score;
    }
  }
  return best;
}

/** How bad it is to split the text before a line. */
function addSplit(lines: readonly string[], split: number, score: { indent: number; penalty: number }): void {
  const atEnd = split >= lines.length;
  const own = atEnd ? -1 : indentOf(lines[split]!);
  const before = nearest(lines, split - 1, -1);
  const after = nearest(lines, split + 1, 1);
  if (before.indent === -1 && before.blanks === 0) score.penalty += 1;
  if (atEnd) score.penalty += 21;
  const postBlank = own === -1 ? 1 + after.blanks : 0;
  const blanks = before.blanks + postBlank;
  score.penalty += -30 * blanks + 6 * postBlank;
  const indent = own === -1 ? after.indent : own;
  score.indent += indent;
  if (indent === -1 || before.indent === -1 || indent === before.indent) return;
  if (indent > before.indent) score.penalty += blanks > 0 ? 10 : -4;
  else if (after.indent !== -1 && after.indent > indent) score.penalty += blanks > 0 ? 17 : 24;
  else score.penalty += blanks > 0 ? 17 : 23;
}

/** The indent of the nearest line that is not blank, and how many blank ones lie before it. */
function nearest(lines: readonly string[], from: number, step: 1 | -1): { indent: number; blanks: number } {
  let blanks = 0;
  for (let i = from; i >= 0 && i < lines.length; i += step) {
    const indent = indentOf(lines[i]!);
    if (indent !== -1) return { indent, blanks };
    if (++blanks === MAX_BLANKS) return { indent: 0, blanks };
  }
  return { indent: -1, blanks };
}

/** Columns of white space before a line's text; -1 for a blank line. */
function indentOf(line: string): number {
  let indent = 0;
  for (let i = 0; i < line.length; i++) {
    const char = line[i]!;
    if (char === " ") indent += 1;
    else if (char === "\t") indent += 8 - (indent % 8);
    else if (!/[\n\v\f\r]/.test(char)) return indent;
    if (indent >= MAX_INDENT) return MAX_INDENT;
  }
  return -1;
}
