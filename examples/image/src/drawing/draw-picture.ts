/** A picture of the words of a prompt, the same for the same words. */

import { encode } from "fast-png";
import { MOODS, paintLand, paintSky } from "./backdrop.ts";
import { Canvas } from "./canvas.ts";
import { oklch } from "./colour.ts";
import { drawIsland } from "./ground-motifs.ts";
import type { Brush, Place } from "./motif.ts";
import { MOTIFS } from "./motifs.ts";
import { hash, Random } from "./random.ts";
import { readScene, type Scene } from "./scene.ts";
import { drawOrnament } from "./sky-motifs.ts";
import type { Thing } from "./vocabulary.ts";

const WIDTH = 960;
const HEIGHT = 600;

/** As PNG, and what of the prompt is to be seen in it. */
export interface Picture {
  readonly png: Uint8Array;
  readonly shows: readonly string[];
}

/**
 * Draws the light, the land and the things that the prompt names; every other word becomes an ornament in the sky.
 *
 * @example
 * const { png } = drawPicture("two red boats at sunset");
 */
export function drawPicture(prompt: string): Picture {
  const scene = readScene(prompt);
  const random = new Random(prompt.toLowerCase());
  const canvas = new Canvas(WIDTH, HEIGHT);
  const mood = MOODS[scene.light];
  const brush: Brush = { canvas, mood, random, colour: undefined };
  paintSky(canvas, scene.light, random);
  const places = layOut(scene, random);
  for (const { place, thing, colour } of places.filter(({ thing }) => behindLand(thing))) {
    MOTIFS[thing].draw({ ...brush, colour }, place);
  }
  const ground = paintLand(canvas, scene.land, mood, random);
  scene.others.forEach(({ word, colour }, index) => {
    const place = {
      x: ((index + 0.5 + random.between(-0.25, 0.25)) / scene.others.length) * WIDTH,
      y: HEIGHT * random.between(0.1, 0.34),
      size: random.between(15, 25),
    };
    const points = Math.min(12, Math.max(3, [...word].length));
    drawOrnament(brush, place, points, colour ?? oklch(0.75, 0.15, hash(word) % 360));
  });
  // The nearest last, so that it covers what is farther off.
  const near = places.filter(({ thing }) => !behindLand(thing)).sort((a, b) => a.place.y - b.place.y);
  for (const { place, thing, colour } of near) {
    const { zone, draw } = MOTIFS[thing];
    const y = zone === "sky" ? place.y : Math.max(place.y, ground);
    if (scene.land === "sea" && zone === "ground") drawIsland(brush, { ...place, y });
    draw({ ...brush, colour }, { ...place, y });
  }
  const png = encode({ width: WIDTH, height: HEIGHT, data: canvas.toRgb(), channels: 3, depth: 8 });
  return { png, shows: shown(scene) };
}

interface Placed {
  readonly thing: Thing;
  readonly colour: Brush["colour"];
  readonly place: Place;
}

function behindLand(thing: Thing): boolean {
  return MOTIFS[thing].zone === "high";
}

/** Spreads the things of each zone over the width of the picture. */
function layOut({ things, land }: Scene, random: Random): Placed[] {
  const all = things.flatMap(({ thing, count, colour }) => Array.from({ length: count }, () => ({ thing, colour })));
  const zones = Map.groupBy(all, ({ thing }) => MOTIFS[thing].zone);
  return [...zones].flatMap(([zone, members]) => {
    const first = random.between(0, 1);
    return members.map(({ thing, colour }, index): Placed => {
      const part = (index + 0.3 + 0.4 * random.next()) / members.length;
      const x = WIDTH * (0.08 + 0.84 * (members.length === 1 ? 0.3 + 0.4 * first : part));
      const { size } = MOTIFS[thing];
      const depth = random.next();
      if (zone === "sky")
        return {
          thing,
          colour,
          place: { x, y: HEIGHT * (0.12 + 0.33 * depth), size: size * random.between(0.8, 1.2) },
        };
      if (zone === "high") return { thing, colour, place: { x, y: HEIGHT * (0.2 + 0.14 * depth), size } };
      const [top, bottom] = land === "sea" && zone === "ground" ? [0.63, 0.68] : [0.74, 0.95];
      return {
        thing,
        colour,
        place: { x, y: HEIGHT * (top + (bottom - top) * depth), size: size * (0.75 + 0.5 * depth) },
      };
    });
  });
}

function shown({ light, land, things, others }: Scene): string[] {
  const named = things.map(({ thing, count }) => (count === 1 ? thing : `${thing} ×${count}`));
  return [light, land, ...named, ...others.map(({ word }) => `“${word}” as an ornament`)];
}
