/** A picture in memory that shapes are painted on, with smooth edges. */

import type { Colour } from "./colour.ts";
import type { Shape } from "./shapes.ts";

export interface Paint {
  /** 0 to 1; default 1. */
  readonly alpha?: number;
  /** How wide the edge is, in pixels; default 1. */
  readonly blur?: number;
}

export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly #pixels: Float32Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#pixels = new Float32Array(width * height * 3);
  }

  /** Sets every pixel of each line. */
  fillLines(colourOf: (y: number) => Colour): void {
    for (let y = 0; y < this.height; y++) {
      const colour = colourOf(y);
      for (let at = y * this.width * 3; at < (y + 1) * this.width * 3; at += 3) this.#pixels.set(colour, at);
    }
  }

  /** Paints a shape over what is there, in one colour or in one for each place. */
  paint(shape: Shape, colour: Colour | ((x: number, y: number) => Colour), { alpha = 1, blur = 1 }: Paint = {}): void {
    const [left, top, right, bottom] = shape.bounds;
    const endX = Math.min(this.width, Math.ceil(right + blur));
    const endY = Math.min(this.height, Math.ceil(bottom + blur));
    for (let y = Math.max(0, Math.floor(top - blur)); y < endY; y++) {
      for (let x = Math.max(0, Math.floor(left - blur)); x < endX; x++) {
        const cover = alpha * Math.min(1, Math.max(0, 0.5 - shape.distance(x + 0.5, y + 0.5) / blur));
        if (cover === 0) continue;
        const over = typeof colour === "function" ? colour(x, y) : colour;
        const at = (y * this.width + x) * 3;
        for (let part = 0; part < 3; part++) {
          const under = this.#pixels[at + part]!;
          this.#pixels[at + part] = under + (over[part]! - under) * cover;
        }
      }
    }
  }

  /** The picture as bytes, three to a pixel: red, green, blue. */
  toRgb(): Uint8Array {
    return Uint8Array.from(this.#pixels, (value) => Math.round(255 * Math.min(1, Math.max(0, value))));
  }
}
