/** Finds the one place of each edit in a text; all of them, or a message that says which is wrong and where it was found. */

import { type FoldedText, foldText } from "./folded-text.ts";

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
}

/** What gives way to what; positions are UTF-16 units. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** More lines than this are not named one by one. */
const NAMED_LINES = 10;

/** The replacements in order of place. `source` and the edits end lines with `\n`. */
export function locateEdits(
  source: string,
  edits: readonly TextEdit[],
): { readonly replacements: readonly Replacement[] } | { readonly error: string } {
  let folded: FoldedText | undefined;
  const found: (Replacement & { readonly index: number })[] = [];
  for (const [index, { oldText, newText }] of edits.entries()) {
    const name = `edits[${index}]`;
    if (oldText === "")
      return wrong(`${name}: oldText is empty. Give the text to replace, or use write for a whole file`);
    if (oldText === newText) return wrong(`${name}: oldText and newText are the same`);
    let places = placesOf(source, oldText);
    if (places.length === 0) {
      folded ??= foldText(source);
      places = foldedPlaces(folded, oldText);
    }
    const [place, ...others] = places;
    if (place === undefined) {
      return wrong(`${name}: oldText was found 0 times. Read the file and copy the text from it as it is there`);
    }
    if (others.length > 0) {
      return wrong(
        `${name}: oldText was found ${places.length} times, on lines ${linesOf(source, places)}. Add lines around it, so that it fits one place`,
      );
    }
    found.push({ ...place, text: newText, index });
  }
  const replacements = found.toSorted((a, b) => a.start - b.start);
  for (const [at, next] of replacements.entries()) {
    const before = replacements[at - 1];
    if (before !== undefined && before.end > next.start) {
      const [one, other] = [before.index, next.index].sort((a, b) => a - b);
      return wrong(
        `edits[${one}] and edits[${other}] overlap on line ${lineAt(source, next.start)}. Make one edit of them`,
      );
    }
  }
  return { replacements };
}

function wrong(message: string): { readonly error: string } {
  return { error: `${message}. Nothing was changed.` };
}

function placesOf(source: string, sought: string): Place[] {
  const places: Place[] = [];
  for (let at = source.indexOf(sought); at !== -1; at = source.indexOf(sought, at + 1)) {
    places.push({ start: at, end: at + sought.length });
  }
  return places;
}

function foldedPlaces(folded: FoldedText, oldText: string): Place[] {
  const sought = foldText(oldText).text;
  if (sought.trim() === "") return [];
  return placesOf(folded.text, sought).flatMap(({ start, end }) => folded.original(start, end) ?? []);
}

function linesOf(source: string, places: readonly Place[]): string {
  const lines = places.slice(0, NAMED_LINES).map(({ start }) => lineAt(source, start));
  const more = places.length - lines.length;
  return more > 0 ? `${lines.join(", ")} and ${more} more` : `${lines.slice(0, -1).join(", ")} and ${lines.at(-1)}`;
}

/** The number of the line at a position, from 1. */
export function lineAt(source: string, position: number): number {
  let line = 1;
  for (let at = source.indexOf("\n"); at !== -1 && at < position; at = source.indexOf("\n", at + 1)) line++;
  return line;
}
