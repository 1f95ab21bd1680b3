/** Things on the ground and on the water. */

import { lit } from "./backdrop.ts";
import { mix, oklch } from "./colour.ts";
import { type Brush, DARK, type Motif, type Place, WINDOW, WOOD } from "./motif.ts";
import { box, circle, ellipse, type Point, polygon, stroke } from "./shapes.ts";
import type { Thing } from "./vocabulary.ts";

type Earthly = Exclude<Thing, "sun" | "moon" | "star" | "cloud" | "rain" | "rainbow" | "bird" | "balloon">;

export const GROUND_MOTIFS: Readonly<Record<Earthly, Motif>> = {
  boat: {
    zone: "water",
    size: 62,
    draw({ canvas, mood, colour }, { x, y, size }) {
      const hull = lit(colour ?? oklch(0.5, 0.16, 30), mood);
      canvas.paint(ellipse(x, y + size * 0.16, size * 0.95, size * 0.13), mix(hull, DARK, 0.5), {
        alpha: 0.4,
        blur: 8,
      });
      canvas.paint(
        polygon(
          [x - size, y - size * 0.26],
          [x + size * 1.08, y - size * 0.3],
          [x + size * 0.72, y + size * 0.14],
          [x - size * 0.72, y + size * 0.14],
        ),
        (_, py) => mix(hull, DARK, Math.max(0, (py - y) / size) * 2),
      );
      canvas.paint(
        stroke([x - size * 0.02, y - size * 0.26], [x - size * 0.02, y - size * 1.75], size * 0.035),
        lit(WOOD, mood),
      );
      canvas.paint(
        polygon(
          [x + size * 0.06, y - size * 1.7],
          [x + size * 0.06, y - size * 0.4],
          [x + size * 0.9, y - size * 0.42],
        ),
        lit(oklch(0.97, 0.015, 90), mood),
      );
      canvas.paint(
        polygon([x - size * 0.1, y - size * 1.5], [x - size * 0.1, y - size * 0.4], [x - size * 0.74, y - size * 0.4]),
        lit(oklch(0.92, 0.03, 85), mood),
      );
      canvas.paint(
        polygon(
          [x - size * 0.02, y - size * 1.86],
          [x - size * 0.02, y - size * 1.72],
          [x + size * 0.22, y - size * 1.79],
        ),
        hull,
      );
    },
  },
  tree: {
    zone: "ground",
    size: 100,
    draw({ canvas, mood, random, colour }, { x, y, size }) {
      canvas.paint(
        polygon(
          [x - size * 0.06, y],
          [x - size * 0.035, y - size * 0.6],
          [x + size * 0.035, y - size * 0.6],
          [x + size * 0.07, y],
        ),
        lit(WOOD, mood),
      );
      const leaf = lit(colour ?? oklch(0.58, 0.14, random.between(125, 150)), mood);
      for (let tuft = 0; tuft < 16; tuft++) {
        const [angle, out] = [tuft * 2.4, Math.sqrt(tuft / 16) * size * 0.27];
        const shade = mix(leaf, tuft % 3 === 0 ? DARK : [1, 1, 0.7], tuft % 3 === 0 ? 0.18 : random.between(0, 0.16));
        canvas.paint(
          circle(x + Math.cos(angle) * out, y - size * 0.72 + Math.sin(angle) * out * 0.9, size * 0.14),
          shade,
          { blur: 2 },
        );
      }
    },
  },
  pine: {
    zone: "ground",
    size: 110,
    draw({ canvas, mood, random, colour }, { x, y, size }) {
      canvas.paint(box(x - size * 0.03, y - size * 0.2, size * 0.06, size * 0.2), lit(WOOD, mood));
      const needles = lit(colour ?? oklch(0.45, 0.09, random.between(150, 168)), mood);
      for (let tier = 0; tier < 4; tier++) {
        const [foot, wide] = [y - size * (0.14 + tier * 0.2), size * (0.29 - tier * 0.055)];
        canvas.paint(polygon([x - wide, foot], [x, foot - size * 0.34], [x + wide, foot]), (px) =>
          mix(needles, px > x ? DARK : [1, 1, 1], px > x ? 0.2 : 0.06),
        );
      }
    },
  },
  flower: {
    zone: "ground",
    size: 34,
    draw({ canvas, mood, random, colour }, { x, y, size }) {
      for (let bloom = 0; bloom < 9; bloom++) {
        const [bx, by] = [x + random.between(-3, 3) * size, y - random.between(-0.6, 1) * size];
        const petal = lit(colour ?? oklch(0.74, 0.17, random.between(300, 420)), mood);
        canvas.paint(
          stroke([bx, by], [bx + random.between(-4, 4), by + size * 0.8], 1.3),
          lit(oklch(0.55, 0.14, 140), mood),
        );
        for (let leaf = 0; leaf < 6; leaf++) {
          const angle = (leaf * Math.PI) / 3;
          canvas.paint(
            circle(bx + Math.cos(angle) * size * 0.17, by + Math.sin(angle) * size * 0.17, size * 0.13),
            petal,
          );
        }
        canvas.paint(circle(bx, by, size * 0.11), lit(WINDOW, mood));
      }
    },
  },
  house: {
    zone: "ground",
    size: 84,
    draw({ canvas, mood, colour }, { x, y, size }) {
      const wall = lit(colour ?? oklch(0.9, 0.04, 80), mood);
      const roof = lit(oklch(0.48, 0.12, 32), mood);
      canvas.paint(box(x + size * 0.2, y - size * 1.1, size * 0.13, size * 0.4), roof);
      canvas.paint(box(x - size * 0.52, y - size * 0.6, size * 1.04, size * 0.6), (px) =>
        mix(wall, DARK, px > x ? 0.1 : 0),
      );
      canvas.paint(
        polygon([x - size * 0.66, y - size * 0.58], [x, y - size * 1.12], [x + size * 0.66, y - size * 0.58]),
        roof,
      );
      canvas.paint(box(x - size * 0.1, y - size * 0.36, size * 0.2, size * 0.36), lit(WOOD, mood));
      for (const side of [-0.4, 0.22])
        canvas.paint(box(x + side * size, y - size * 0.43, size * 0.18, size * 0.18), WINDOW);
    },
  },
  lighthouse: {
    zone: "ground",
    size: 150,
    draw({ canvas, mood, colour }, { x, y, size }) {
      const band = lit(colour ?? oklch(0.55, 0.2, 28), mood);
      const white = lit([0.97, 0.96, 0.93], mood);
      for (const side of [-1, 1]) {
        canvas.paint(
          polygon(
            [x, y - size * 1.06],
            [x + side * size * 2.6, y - size * 1.32],
            [x + side * size * 2.6, y - size * 0.86],
          ),
          WINDOW,
          { alpha: 0.55 - 0.4 * mood.brightness, blur: 12 },
        );
      }
      canvas.paint(
        polygon(
          [x - size * 0.16, y],
          [x - size * 0.1, y - size * 0.95],
          [x + size * 0.1, y - size * 0.95],
          [x + size * 0.16, y],
        ),
        (px, py) => mix(Math.floor((y - py) / (size * 0.19)) % 2 === 0 ? white : band, DARK, px > x ? 0.14 : 0),
      );
      canvas.paint(box(x - size * 0.13, y - size * 0.98, size * 0.26, size * 0.04), DARK);
      canvas.paint(box(x - size * 0.07, y - size * 1.13, size * 0.14, size * 0.15), WINDOW);
      canvas.paint(
        polygon([x - size * 0.11, y - size * 1.12], [x, y - size * 1.28], [x + size * 0.11, y - size * 1.12]),
        band,
      );
    },
  },
  robot: {
    zone: "ground",
    size: 92,
    draw({ canvas, mood, colour }, { x, y, size }) {
      const metal = lit(colour ?? oklch(0.72, 0.05, 220), mood);
      const dark = mix(metal, DARK, 0.5);
      for (const side of [-1, 1]) {
        canvas.paint(stroke([x + side * size * 0.16, y - size * 0.3], [x + side * size * 0.16, y], size * 0.07), dark);
        canvas.paint(
          stroke(
            [x + side * size * 0.36, y - size * 0.72],
            [x + side * size * 0.52, y - size * (side > 0 ? 1.05 : 0.4)],
            size * 0.06,
          ),
          dark,
        );
      }
      canvas.paint(box(x - size * 0.33, y - size * 0.82, size * 0.66, size * 0.56), (px) =>
        mix(metal, DARK, px > x ? 0.14 : 0),
      );
      canvas.paint(stroke([x, y - size * 1.3], [x, y - size * 1.46], 1.6), dark);
      canvas.paint(circle(x, y - size * 1.48, size * 0.05), oklch(0.65, 0.22, 27));
      canvas.paint(box(x - size * 0.27, y - size * 1.3, size * 0.54, size * 0.42), metal);
      for (const side of [-1, 1]) canvas.paint(circle(x + side * size * 0.12, y - size * 1.12, size * 0.07), WINDOW);
      canvas.paint(stroke([x - size * 0.1, y - size * 0.97], [x + size * 0.1, y - size * 0.97], size * 0.018), DARK);
      for (let light = 0; light < 3; light++)
        canvas.paint(
          circle(x + (light - 1) * size * 0.16, y - size * 0.56, size * 0.045),
          oklch(0.75, 0.18, 140 - light * 55),
        );
    },
  },
  cat: {
    zone: "ground",
    size: 66,
    draw({ canvas, mood, colour }, { x, y, size }) {
      const fur = lit(colour ?? oklch(0.45, 0.06, 60), mood);
      const tail: Point[] = [
        [x + size * 0.3, y - size * 0.08],
        [x + size * 0.68, y - size * 0.16],
        [x + size * 0.72, y - size * 0.52],
      ];
      for (const at of [0, 1]) canvas.paint(stroke(tail[at]!, tail[at + 1]!, size * 0.07), fur);
      canvas.paint(ellipse(x, y - size * 0.36, size * 0.36, size * 0.42), fur);
      for (const side of [-1, 1]) {
        canvas.paint(
          polygon(
            [x + side * size * 0.28, y - size * 0.9],
            [x + side * size * 0.24, y - size * 1.24],
            [x + side * size * 0.03, y - size * 1.06],
          ),
          fur,
        );
      }
      canvas.paint(circle(x, y - size * 0.88, size * 0.3), fur);
      for (const side of [-1, 1]) {
        canvas.paint(
          ellipse(x + side * size * 0.12, y - size * 0.92, size * 0.06, size * 0.075),
          oklch(0.85, 0.16, 115),
        );
        canvas.paint(ellipse(x + side * size * 0.12, y - size * 0.92, size * 0.018, size * 0.065), [0, 0, 0]);
        canvas.paint(
          stroke(
            [x + side * size * 0.08, y - size * 0.78],
            [x + side * size * 0.42, y - size * (0.78 + side * 0.03)],
            0.7,
          ),
          mix(fur, [1, 1, 1], 0.6),
        );
      }
      canvas.paint(
        polygon([x - size * 0.035, y - size * 0.82], [x + size * 0.035, y - size * 0.82], [x, y - size * 0.77]),
        oklch(0.7, 0.12, 10),
      );
    },
  },
};

/** Ground for what would else stand on the water. */
export function drawIsland({ canvas, mood }: Brush, { x, y, size }: Place): void {
  const sand = lit(oklch(0.62, 0.07, 75), mood);
  canvas.paint(ellipse(x, y + size * 0.08, size * 0.72, size * 0.15), mix(sand, DARK, 0.55), { alpha: 0.5, blur: 6 });
  canvas.paint(ellipse(x, y + size * 0.03, size * 0.62, size * 0.13), (_, py) => mix(sand, DARK, (py - y) / size));
}
