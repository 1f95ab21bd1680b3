/** The words that the drawing knows: what they mean for the light, the land, and the things in it. */

import { type Colour, oklch } from "./colour.ts";

export type Light = "day" | "dawn" | "dusk" | "night" | "storm";
export type Land = "hills" | "mountains" | "sea" | "desert" | "snow" | "city";
export type Thing =
  | "sun"
  | "moon"
  | "star"
  | "cloud"
  | "rain"
  | "rainbow"
  | "bird"
  | "balloon"
  | "boat"
  | "tree"
  | "pine"
  | "flower"
  | "house"
  | "lighthouse"
  | "robot"
  | "cat";

const LIGHTS: Record<Light, string> = {
  day: "day noon summer bright",
  dawn: "dawn sunrise morning spring",
  dusk: "dusk sunset evening twilight autumn",
  night: "night midnight dark darkness starry moonlight",
  storm: "storm stormy grey gray fog foggy mist misty thunder",
};

const LANDS: Record<Land, string> = {
  hills: "hill meadow field grass countryside garden park farm valley",
  mountains: "mountain alp peak cliff volcano highland",
  sea: "sea ocean lake water river harbour harbor beach coast island bay",
  desert: "desert dune sand sahara",
  snow: "snow snowy winter ice arctic glacier",
  city: "city town street skyline skyscraper downtown metropolis",
};

const THINGS: Record<Thing, string> = {
  sun: "sun sunny sunshine sunset sunrise",
  moon: "moon moonlight crescent",
  star: "star starry galaxy space",
  cloud: "cloud cloudy storm stormy",
  rain: "rain rainy shower",
  rainbow: "rainbow",
  bird: "bird gull seagull swallow crow eagle",
  balloon: "balloon airship zeppelin",
  boat: "boat ship sailboat yacht sail",
  tree: "tree wood oak orchard park apple",
  pine: "pine forest fir spruce",
  flower: "flower rose tulip poppy daisy garden meadow",
  house: "house cabin cottage home village hut farm barn",
  lighthouse: "lighthouse tower beacon",
  robot: "robot computer android machine agent",
  cat: "cat kitten",
};

const COLOURS: Record<string, Colour> = {
  red: oklch(0.58, 0.22, 27),
  orange: oklch(0.74, 0.18, 55),
  yellow: oklch(0.88, 0.18, 98),
  green: oklch(0.62, 0.18, 145),
  teal: oklch(0.65, 0.12, 190),
  blue: oklch(0.55, 0.2, 258),
  purple: oklch(0.52, 0.2, 300),
  violet: oklch(0.58, 0.2, 295),
  pink: oklch(0.77, 0.15, 355),
  white: oklch(0.97, 0.005, 90),
  black: oklch(0.22, 0.01, 280),
  brown: oklch(0.47, 0.09, 55),
  golden: oklch(0.82, 0.16, 85),
  gold: oklch(0.82, 0.16, 85),
  silver: oklch(0.8, 0.01, 250),
};

const COUNTS: Record<string, number> = { two: 2, pair: 2, three: 3, four: 4, five: 5, six: 6, several: 4, many: 7 };

/** Words that mean many of their thing though they do not say so. */
const CROWDS = new Set("forest wood orchard park garden meadow village galaxy starry".split(" "));

/** Words that say nothing to be seen. */
const SILENT = new Set(
  "a about an and are as at be behind below beside by draw drawing for from i image in into is it its like me my near of on one or over painting photo picture please show some style that the their there this to under up very view with you your".split(
    " ",
  ),
);

/** What one word asks for. */
export type Meaning =
  | { readonly kind: "colour"; readonly colour: Colour }
  | { readonly kind: "count"; readonly count: number }
  | {
      readonly kind: "scene";
      readonly light: Light | undefined;
      readonly land: Land | undefined;
      readonly thing: Thing | undefined;
      readonly plural: boolean;
    }
  | { readonly kind: "unknown" };

/** The meaning of a word in lower case; undefined for one that says nothing to be seen. */
export function meaning(word: string): Meaning | undefined {
  if (SILENT.has(word)) return undefined;
  const colour = COLOURS[word];
  if (colour !== undefined) return { kind: "colour", colour };
  const count = COUNTS[word];
  if (count !== undefined) return { kind: "count", count };
  for (const form of [word, word.replace(/s$/, ""), word.replace(/es$/, "")]) {
    const [light, land, thing] = [keyOf(LIGHTS, form), keyOf(LANDS, form), keyOf(THINGS, form)];
    if (light ?? land ?? thing) return { kind: "scene", light, land, thing, plural: form !== word || CROWDS.has(word) };
  }
  return { kind: "unknown" };
}

function keyOf<K extends string>(table: Record<K, string>, word: string): K | undefined {
  return (Object.keys(table) as K[]).find((key) => table[key].split(" ").includes(word));
}
