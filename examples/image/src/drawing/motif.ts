/** What a thing that can be drawn is: where it belongs, how large it is, and how it is drawn. */

import type { Mood } from "./backdrop.ts";
import type { Canvas } from "./canvas.ts";
import { type Colour, oklch } from "./colour.ts";
import type { Random } from "./random.ts";

export interface Place {
  readonly x: number;
  /** Its foot for what stands, its middle for what floats. */
  readonly y: number;
  readonly size: number;
}

export interface Brush {
  readonly canvas: Canvas;
  readonly mood: Mood;
  readonly random: Random;
  /** The colour that the prompt asked for, else undefined. */
  readonly colour: Colour | undefined;
}

export interface Motif {
  /** Where it belongs. */
  readonly zone: "sky" | "high" | "ground" | "water";
  /** In pixels on a picture 600 high. */
  readonly size: number;
  draw(brush: Brush, place: Place): void;
}

/** Colours of what most things have in common. */
export const WOOD: Colour = oklch(0.42, 0.07, 55);
export const DARK: Colour = oklch(0.25, 0.02, 280);
export const WINDOW: Colour = oklch(0.9, 0.14, 88);
