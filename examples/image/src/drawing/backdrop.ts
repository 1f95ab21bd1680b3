/** The sky of a light and the land below it. */

import type { Canvas } from "./canvas.ts";
import { type Colour, mix, oklch } from "./colour.ts";
import type { Random } from "./random.ts";
import { below, box, circle, ellipse } from "./shapes.ts";
import type { Land, Light } from "./vocabulary.ts";

/** What the light does to colours. */
export interface Mood {
  readonly top: Colour;
  readonly horizon: Colour;
  /** What far things fade into. */
  readonly haze: Colour;
  /** How much of a colour is left in this light, 0 to 1. */
  readonly brightness: number;
  readonly glow: Colour;
}

export const MOODS: Readonly<Record<Light, Mood>> = {
  day: mood([0.66, 0.13, 245], [0.93, 0.04, 215], [0.86, 0.04, 225], 1, [0.97, 0.08, 95]),
  dawn: mood([0.62, 0.1, 285], [0.91, 0.09, 60], [0.84, 0.07, 20], 0.92, [0.95, 0.11, 85]),
  dusk: mood([0.38, 0.13, 295], [0.82, 0.16, 55], [0.66, 0.14, 25], 0.74, [0.9, 0.16, 75]),
  night: mood([0.16, 0.06, 275], [0.4, 0.09, 265], [0.33, 0.07, 265], 0.42, [0.94, 0.05, 100]),
  storm: mood([0.42, 0.02, 255], [0.75, 0.02, 235], [0.65, 0.02, 240], 0.7, [0.9, 0.03, 100]),
};

type Lch = readonly [lightness: number, chroma: number, hue: number];

function mood(top: Lch, horizon: Lch, haze: Lch, brightness: number, glow: Lch): Mood {
  return { top: oklch(...top), horizon: oklch(...horizon), haze: oklch(...haze), brightness, glow: oklch(...glow) };
}

/** A colour as it looks in this light, some way off: 0 is here, 1 is the horizon. */
export function lit(colour: Colour, { top, haze, brightness }: Mood, distance = 0): Colour {
  const shade = mix(top, [0, 0, 0], 0.55);
  return mix(mix(shade, colour, brightness), haze, distance * 0.8);
}

export function paintSky(canvas: Canvas, light: Light, random: Random): void {
  const { top, horizon } = MOODS[light];
  const end = canvas.height * 0.68;
  canvas.fillLines((y) => mix(top, horizon, (y / end) ** 1.25));
  if (light !== "night") return;
  for (let star = 0; star < 150; star++) {
    const [x, y] = [random.between(0, canvas.width), random.between(0, end) * random.next()];
    canvas.paint(circle(x, y, random.between(0.5, 1.5)), [1, 1, 0.95], { alpha: random.between(0.3, 0.95), blur: 1.2 });
  }
}

/** Paints the land, and tells where its ground begins: things stand at or below that line. */
export function paintLand(canvas: Canvas, land: Land, look: Mood, random: Random): number {
  const { height } = canvas;
  const ground = height * (land === "sea" ? 0.6 : 0.7);
  if (land === "sea") {
    ridge(canvas, lit(oklch(0.5, 0.07, 160), look, 0.75), ground, height * 0.07, random);
    paintWater(canvas, ground, look, random);
  } else if (land === "mountains") {
    for (const [distance, tall] of [
      [0.85, 0.42],
      [0.6, 0.33],
      [0.35, 0.2],
    ] as const) {
      peaks(canvas, ground, height * tall, lit(oklch(0.46, 0.05, 265), look, distance), look, random);
    }
    layers(canvas, ground, [oklch(0.5, 0.1, 150), oklch(0.58, 0.13, 142), oklch(0.5, 0.13, 145)], look, random);
  } else if (land === "city") {
    for (const distance of [0.7, 0.4, 0.1]) skyline(canvas, ground, distance, look, random);
    layers(canvas, height * 0.78, [oklch(0.42, 0.02, 260)], look, random, 0.01);
  } else {
    const colours: Record<"hills" | "desert" | "snow", Lch[]> = {
      hills: [
        [0.66, 0.1, 155],
        [0.68, 0.14, 140],
        [0.6, 0.15, 142],
        [0.5, 0.13, 146],
      ],
      desert: [
        [0.76, 0.09, 65],
        [0.8, 0.11, 75],
        [0.74, 0.12, 65],
        [0.66, 0.12, 58],
      ],
      snow: [
        [0.88, 0.02, 245],
        [0.93, 0.015, 235],
        [0.96, 0.01, 230],
        [0.91, 0.02, 245],
      ],
    };
    layers(
      canvas,
      ground,
      colours[land].map((lch) => oklch(...lch)),
      look,
      random,
      0.06,
    );
  }
  return ground;
}

/** Rolling ground, the farthest first. */
function layers(
  canvas: Canvas,
  ground: number,
  colours: readonly Colour[],
  look: Mood,
  random: Random,
  roll = 0.03,
): void {
  const { height } = canvas;
  colours.forEach((colour, index) => {
    const part = index / colours.length;
    const base = ground + (height - ground) * part * 0.9 - height * 0.03;
    ridge(canvas, lit(colour, look, 0.55 * (1 - part) ** 2), base, height * roll * (1 - part / 2), random);
  });
}

function ridge(canvas: Canvas, colour: Colour, base: number, roll: number, random: Random): void {
  const waves = [0, 1, 2].map((octave) => ({
    length: (canvas.width / (1.2 + octave * 1.7)) * random.between(0.8, 1.2),
    phase: random.between(0, 7),
    tall: roll / 1.8 ** octave,
  }));
  const lineOf = (x: number): number =>
    waves.reduce((y, { length, phase, tall }) => y - tall * Math.sin((x / length) * 2 * Math.PI + phase), base);
  const dark = mix(colour, [0, 0, 0], 0.22);
  canvas.paint(below(lineOf, canvas.width, canvas.height), (_, y) =>
    mix(colour, dark, (y - base + roll) / (canvas.height - base + 1)),
  );
}

function peaks(canvas: Canvas, ground: number, tall: number, colour: Colour, look: Mood, random: Random): void {
  const points: { x: number; y: number }[] = [];
  for (let x = -80; x < canvas.width + 200; x += random.between(60, 130)) {
    points.push({
      x,
      y: ground - tall * (points.length % 2 === 0 ? random.between(0.15, 0.45) : random.between(0.65, 1)),
    });
  }
  const seed = random.between(0, 100);
  const rough = (x: number): number => 5 * Math.sin(x / 9 + seed) + 3 * Math.sin(x / 3.7 + seed * 2);
  const lineOf = (x: number): number => {
    const after = Math.max(
      1,
      points.findIndex((point) => point.x > x),
    );
    const [from, to] = [points[after - 1]!, points[after]!];
    return from.y + ((to.y - from.y) * (x - from.x)) / (to.x - from.x) + rough(x);
  };
  canvas.paint(below(lineOf, canvas.width, ground + 40), (_, y) =>
    mix(colour, look.haze, (y - ground + tall) / (tall * 2.2)),
  );
  const white = mix(lit([0.98, 0.98, 1], look, 0.2), look.haze, 0.25);
  const snowline = ground - tall * 0.62;
  const snow = below(
    (x) => (lineOf(x) < snowline + 2.2 * rough(x * 1.7) ? lineOf(x) : canvas.height),
    canvas.width,
    snowline + 26,
  );
  canvas.paint(
    { ...snow, distance: (x, y) => Math.max(snow.distance(x, y), y - snowline - 2.5 * rough(x * 1.7)) },
    white,
  );
}

function paintWater(canvas: Canvas, ground: number, look: Mood, random: Random): void {
  const { width, height } = canvas;
  const deep = lit(oklch(0.45, 0.1, 235), look);
  const far = mix(deep, look.horizon, 0.65);
  canvas.paint(box(0, ground, width, height - ground), (_, y) =>
    mix(far, deep, ((y - ground) / (height - ground)) ** 0.6),
  );
  for (let wave = 0; wave < 260; wave++) {
    const depth = random.next() ** 1.5;
    const y = ground + 2 + depth * (height - ground);
    const light = wave % 3 === 0 ? mix(deep, [0, 0, 0], 0.25) : mix(far, look.glow, 0.5);
    canvas.paint(ellipse(random.between(0, width), y, 8 + 44 * depth * random.next(), 0.7 + 1.7 * depth), light, {
      alpha: 0.28,
      blur: 1.5,
    });
  }
}

function skyline(canvas: Canvas, ground: number, distance: number, look: Mood, random: Random): void {
  const wall = lit(oklch(0.42, 0.03, random.between(230, 290)), look, distance);
  const window = mix(wall, oklch(0.9, 0.13, 88), look.brightness < 0.8 ? 0.85 : 0.3);
  for (let x = random.between(-30, 0); x < canvas.width; ) {
    const wide = random.between(34, 78);
    const tall = random.between(0.12, 0.42) * canvas.height * (0.6 + distance * 0.6);
    canvas.paint(box(x, ground - tall, wide, tall + 80), wall);
    for (let wy = ground - tall + 9; distance < 0.6 && wy < ground + 40; wy += 13) {
      for (let wx = x + 7; wx < x + wide - 8; wx += 11) {
        if (random.next() < 0.55) canvas.paint(box(wx, wy, 5, 7), window);
      }
    }
    x += wide + random.between(-6, 12);
  }
}
