/** What a prompt asks to be drawn, read word by word. */

import type { Colour } from "./colour.ts";
import { type Land, type Light, meaning, type Thing } from "./vocabulary.ts";

/** A thing to draw so many times, in the colour that the prompt gave it. */
export interface Wanted {
  readonly thing: Thing;
  readonly count: number;
  readonly colour: Colour | undefined;
}

export interface Scene {
  readonly light: Light;
  readonly land: Land;
  readonly things: readonly Wanted[];
  /** Words that have no picture of their own: each becomes an ornament in the sky. */
  readonly others: readonly { readonly word: string; readonly colour: Colour | undefined }[];
}

/** How many ornaments the sky has room for. */
const MAX_OTHERS = 9;

/** A colour or a number goes with the next thing that is named: `two red boats`. */
export function readScene(prompt: string): Scene {
  let light: Light | undefined;
  let land: Land | undefined;
  let colour: Colour | undefined;
  let count: number | undefined;
  const things: Wanted[] = [];
  const others: { word: string; colour: Colour | undefined }[] = [];
  for (const word of prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const means = meaning(word);
    if (means === undefined) continue;
    if (means.kind === "colour") colour = means.colour;
    else if (means.kind === "count") count = means.count;
    else {
      if (means.kind === "unknown") others.push({ word, colour });
      else {
        light ??= means.light;
        land ??= means.land;
        const { thing, plural } = means;
        if (thing !== undefined) things.push({ thing, count: count ?? (plural ? 4 : 1), colour });
      }
      colour = undefined;
      count = undefined;
    }
  }
  const afloat = things.some(({ thing }) => thing === "boat" || thing === "lighthouse");
  return {
    light: light ?? "day",
    land: land ?? (afloat ? "sea" : "hills"),
    things,
    others: others.slice(0, MAX_OTHERS),
  };
}
