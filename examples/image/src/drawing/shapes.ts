/** Shapes, each by how far a place is from its edge: below zero inside. All in pixels, downward. */

export interface Shape {
  readonly bounds: readonly [left: number, top: number, right: number, bottom: number];
  distance(x: number, y: number): number;
}

export type Point = readonly [x: number, y: number];

export function circle(x: number, y: number, radius: number): Shape {
  return {
    bounds: [x - radius, y - radius, x + radius, y + radius],
    distance: (px, py) => Math.hypot(px - x, py - y) - radius,
  };
}

export function ellipse(x: number, y: number, rx: number, ry: number): Shape {
  return {
    bounds: [x - rx, y - ry, x + rx, y + ry],
    distance: (px, py) => (Math.hypot((px - x) / rx, (py - y) / ry) - 1) * Math.min(rx, ry),
  };
}

/** A line with round ends, `radius` thick on either side. */
export function stroke([ax, ay]: Point, [bx, by]: Point, radius: number): Shape {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy || 1;
  return {
    bounds: [
      Math.min(ax, bx) - radius,
      Math.min(ay, by) - radius,
      Math.max(ax, bx) + radius,
      Math.max(ay, by) + radius,
    ],
    distance: (px, py) => {
      const along = Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / length));
      return Math.hypot(px - ax - along * dx, py - ay - along * dy) - radius;
    },
  };
}

export function ring(x: number, y: number, radius: number, thick: number): Shape {
  const outer = radius + thick / 2;
  return {
    bounds: [x - outer, y - outer, x + outer, y + outer],
    distance: (px, py) => Math.abs(Math.hypot(px - x, py - y) - radius) - thick / 2,
  };
}

export function polygon(...points: readonly Point[]): Shape {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return {
    bounds: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)],
    distance: (px, py) => {
      let nearest = Number.POSITIVE_INFINITY;
      let inside = false;
      for (let at = 0, before = points.length - 1; at < points.length; before = at++) {
        const [ax, ay] = points[at]!;
        const [bx, by] = points[before]!;
        const [dx, dy] = [bx - ax, by - ay];
        const along = Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy || 1)));
        nearest = Math.min(nearest, (px - ax - along * dx) ** 2 + (py - ay - along * dy) ** 2);
        if (ay > py !== by > py && px < (dx * (py - ay)) / dy + ax) inside = !inside;
      }
      return inside ? -Math.sqrt(nearest) : Math.sqrt(nearest);
    },
  };
}

export function box(left: number, top: number, width: number, height: number): Shape {
  return polygon([left, top], [left + width, top], [left + width, top + height], [left, top + height]);
}

/** Everything below a line, down to `bottom`. */
export function below(lineOf: (x: number) => number, width: number, bottom: number): Shape {
  const line = Float32Array.from({ length: width + 1 }, (_, x) => lineOf(x));
  return {
    bounds: [0, Math.min(...line), width, bottom],
    distance: (px, py) => line[Math.min(width, Math.max(0, Math.floor(px)))]! - py,
  };
}

/** What is inside of the first and outside of the second. */
export function without(shape: Shape, hole: Shape): Shape {
  return { bounds: shape.bounds, distance: (x, y) => Math.max(shape.distance(x, y), -hole.distance(x, y)) };
}
