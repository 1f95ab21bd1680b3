/** Colours by how light, how strong and which hue they look, which mix better than red, green and blue do. */

/** Red, green, blue, each 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number];

/** A colour of the OKLCH space: lightness 0 to 1, chroma about 0 to 0.3, hue in degrees. */
export function oklch(lightness: number, chroma: number, hue: number): Colour {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

export function mix(from: Colour, to: Colour, part: number): Colour {
  const at = Math.min(1, Math.max(0, part));
  const [red, green, blue] = from.map((value, index) => value + (to[index]! - value) * at);
  return [red!, green!, blue!];
}

function gamma(linear: number): number {
  const value = Math.min(1, Math.max(0, linear));
  return value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
}
