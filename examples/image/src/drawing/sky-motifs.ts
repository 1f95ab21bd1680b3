/** Things in the sky. */

import { lit } from "./backdrop.ts";
import { type Colour, mix, oklch } from "./colour.ts";
import { type Brush, DARK, type Motif, type Place, WOOD } from "./motif.ts";
import { box, circle, ellipse, type Point, polygon, ring, stroke, without } from "./shapes.ts";
import type { Thing } from "./vocabulary.ts";

type Airy = Extract<Thing, "sun" | "moon" | "star" | "cloud" | "rain" | "rainbow" | "bird" | "balloon">;

export const SKY_MOTIFS: Readonly<Record<Airy, Motif>> = {
  sun: { zone: "high", size: 46, draw: (brush, place) => glowing(brush, place, brush.colour ?? brush.mood.glow) },
  moon: {
    zone: "high",
    size: 38,
    draw({ canvas, colour }, { x, y, size }) {
      const light = colour ?? oklch(0.95, 0.04, 95);
      canvas.paint(circle(x, y, size * 2.4), light, { alpha: 0.18, blur: size * 3 });
      canvas.paint(without(circle(x, y, size), circle(x + size * 0.5, y - size * 0.2, size * 0.88)), light, {
        blur: 1.5,
      });
    },
  },
  star: {
    zone: "sky",
    size: 15,
    draw({ canvas, colour }, { x, y, size }) {
      const light = colour ?? oklch(0.95, 0.1, 98);
      canvas.paint(circle(x, y, size), light, { alpha: 0.25, blur: size * 1.6 });
      canvas.paint(spiked(x, y, size, 5, 0.42), light);
    },
  },
  cloud: {
    zone: "sky",
    size: 60,
    draw({ canvas, mood, random, colour }, { x, y, size }) {
      const base = mix(colour ?? [1, 1, 1], mood.top, 0.55 - 0.5 * mood.brightness);
      for (let puff = 0; puff < 7; puff++) {
        const at = (puff - 3) / 3;
        const r = size * (0.62 - 0.34 * Math.abs(at)) * random.between(0.85, 1.15);
        canvas.paint(ellipse(x + at * size, y - r * 0.35, r, r * 0.72), base, { alpha: 0.8, blur: size / 6 });
      }
    },
  },
  rain: {
    zone: "sky",
    size: 40,
    draw({ canvas, random, mood }) {
      for (let drop = 0; drop < 170; drop++) {
        const [x, y, long] = [random.between(0, canvas.width), random.between(0, canvas.height), random.between(9, 22)];
        canvas.paint(stroke([x, y], [x - long * 0.25, y + long], 0.6), mix(mood.horizon, [1, 1, 1], 0.5), {
          alpha: 0.5,
        });
      }
    },
  },
  rainbow: {
    zone: "high",
    size: 60,
    draw({ canvas }) {
      const [x, y, r] = [canvas.width / 2, canvas.height * 0.78, canvas.width * 0.43];
      const hue = (px: number, py: number): Colour =>
        oklch(0.8, 0.16, 25 + (r + 26 - Math.hypot(px - x, py - y)) * 5.2);
      canvas.paint(ring(x, y, r, 46), hue, { alpha: 0.62, blur: 12 });
    },
  },
  bird: {
    zone: "sky",
    size: 17,
    draw({ canvas, colour, mood }, { x, y, size }) {
      const dark = colour ?? mix(DARK, mood.haze, 0.15);
      for (const side of [-1, 1]) {
        const elbow: Point = [x + side * size * 0.5, y - size * 0.42];
        canvas.paint(stroke([x, y], elbow, size * 0.09), dark);
        canvas.paint(stroke(elbow, [x + side * size, y - size * 0.1], size * 0.065), dark);
      }
    },
  },
  balloon: {
    zone: "sky",
    size: 52,
    draw({ canvas, mood, random, colour }, { x, y, size }) {
      const main = lit(colour ?? oklch(0.66, 0.19, random.between(0, 360)), mood, 0.1);
      const light = mix(main, [1, 1, 1], 0.45);
      for (const side of [-0.32, 0.32]) {
        canvas.paint(stroke([x + side * size, y + size * 0.78], [x + side * 0.45 * size, y + size * 1.5], 0.8), DARK);
      }
      canvas.paint(box(x - size * 0.17, y + size * 1.45, size * 0.34, size * 0.26), lit(WOOD, mood));
      const hull = polygon(
        [x - size * 0.86, y + size * 0.5],
        [x + size * 0.86, y + size * 0.5],
        [x + size * 0.2, y + size * 1.25],
        [x - size * 0.2, y + size * 1.25],
      );
      const whole = {
        bounds: [x - size, y - size, x + size, y + size * 1.25] as const,
        distance: (px: number, py: number) => Math.min(circle(x, y, size).distance(px, py), hull.distance(px, py)),
      };
      canvas.paint(whole, (px) => {
        const around = Math.asin(Math.max(-1, Math.min(1, (px - x) / size)));
        const stripe = Math.floor((around / Math.PI) * 8 + 8) % 2 === 0 ? main : light;
        return mix(stripe, DARK, 0.28 * Math.max(0, (px - x) / size));
      });
    },
  },
};

/** An ornament for a word that has no picture: as many points as letters, in the hue that its letters give. */
export function drawOrnament({ canvas, mood }: Brush, { x, y, size }: Place, points: number, colour: Colour): void {
  canvas.paint(stroke([x, y], [x, -size], 0.5), mix(colour, mood.haze, 0.4), { alpha: 0.5 });
  canvas.paint(circle(x, y, size * 1.3), colour, { alpha: 0.3, blur: size });
  canvas.paint(spiked(x, y, size, points, 0.62), colour);
  canvas.paint(spiked(x, y, size * 0.6, points, 0.62), mix(colour, [1, 1, 1], 0.45));
  canvas.paint(circle(x, y, size * 0.18), mix(colour, DARK, 0.4));
}

function glowing({ canvas }: Brush, { x, y, size }: Place, colour: Colour): void {
  for (const [wide, alpha] of [
    [5, 0.16],
    [2.8, 0.22],
    [1.6, 0.3],
  ] as const) {
    canvas.paint(circle(x, y, size * wide * 0.7), colour, { alpha, blur: size * wide });
  }
  canvas.paint(circle(x, y, size), mix(colour, [1, 1, 0.96], 0.45), { blur: 2.5 });
}

function spiked(x: number, y: number, size: number, points: number, inner: number): ReturnType<typeof polygon> {
  return polygon(
    ...Array.from({ length: points * 2 }, (_, corner): Point => {
      const [angle, out] = [(corner * Math.PI) / points - Math.PI / 2, size * (corner % 2 === 0 ? 1 : inner)];
      return [x + Math.cos(angle) * out, y + Math.sin(angle) * out];
    }),
  );
}
