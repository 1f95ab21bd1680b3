/** A text as it is compared when it is not found letter by letter: quotes, dashes, spaces and compatible characters as one, no blanks at ends of lines. */

/** A folded text, and for each of its units where in the original it comes from. */
export interface FoldedText {
  readonly text: string;
  /** The original's stretch behind the units from `start` to `end`; undefined where it would cut through a character. */
  original(start: number, end: number): { readonly start: number; readonly end: number } | undefined;
}

/** What composes into one character: a base with its marks, or the letters of a Korean syllable. */
const CHARACTER = /(?:[\u1100-\u115f][\u1160-\u11a7]?[\u11a8-\u11ff]?|[\s\S])\p{M}*/gu;
const SINGLE_QUOTES = /[\u2018-\u201b\u2032\u2035\u00b4\u02bc]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033\u2036\u00ab\u00bb]/g;
const DASHES = /[\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d]/g;
const SPACES = /[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const BLANK = /[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;

export function foldText(source: string): FoldedText {
  const pieces: string[] = [];
  /** For each unit, where the character it is of begins and ends; the first unit of a character has `first`. */
  const starts: number[] = [];
  const ends: number[] = [];
  const first: boolean[] = [];
  let at = 0;
  for (const [character] of source.matchAll(CHARACTER)) {
    const begin = at;
    at += character.length;
    if (isBlankAtEnd(source, begin)) continue;
    const folded = fold(character);
    pieces.push(folded);
    for (let unit = 0; unit < folded.length; unit++) {
      starts.push(begin);
      ends.push(at);
      first.push(unit === 0);
    }
  }
  return {
    text: pieces.join(""),
    original: (start, end) => {
      if (end <= start || first[start] !== true) return undefined;
      // A character that folds into several units must be in it whole.
      if (end < first.length && first[end] !== true) return undefined;
      return { start: starts[start] ?? 0, end: ends[end - 1] ?? source.length };
    },
  };
}

function fold(character: string): string {
  if (character.length === 1 && character < "\u007f" && character !== "\t") return character;
  return character
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(DASHES, "-")
    .replace(SPACES, " ")
    .normalize("NFKC");
}

function isBlankAtEnd(source: string, position: number): boolean {
  let at = position;
  while (at < source.length && BLANK.test(source.charAt(at))) at++;
  return at > position && (at === source.length || source[at] === "\n");
}
