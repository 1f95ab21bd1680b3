/** The results as a picture: of each operation how the two mounts compare with the disk, on a logarithmic scale. */

import { OPERATIONS } from "./operations.ts";
import type { Results } from "./results.ts";

const ROW = 34;
const BAR = 11;
const LEFT = 290;
const WIDTH = 900;
const TOP = 66;
const LEAST = 1 / 64;
const MOST = 128;
const COLORS = { kernel: "#2b6cb0", "fuse-native": "#c9a227", aim: "#c53030", text: "#333", line: "#ccc" };
const MOUNTS = ["kernel", "fuse-native"] as const;

const x = (ratio: number): number => {
  const inside = Math.min(Math.max(ratio, LEAST), MOST);
  return LEFT + ((WIDTH - LEFT - 60) * Math.log(inside / LEAST)) / Math.log(MOST / LEAST);
};
const text = (at: number, y: number, said: string, more = ""): string =>
  `<text x="${at.toFixed(1)}" y="${y}" fill="${COLORS.text}" ${more}>${said}</text>`;
const rect = (at: number, y: number, width: number, color: string): string =>
  `<rect x="${at.toFixed(1)}" y="${y}" width="${Math.max(width, 1).toFixed(1)}" height="${BAR}" fill="${color}"/>`;

/** An SVG. A bar to the left of 1 is faster than the disk. */
export function plot(results: Results): string {
  const ids = Object.keys(OPERATIONS).filter((id) => results.rounds("kernel", id) > 0);
  const date = new Date().toISOString().slice(0, 10);
  const caption = `bench/fuse, medians of ${results.rounds("kernel", "create")} rounds, ${date}`;
  const bottom = TOP + ids.length * ROW;
  const scale = [1 / 16, 1 / 4, 1, 4, 16, 64].map((tick) => {
    const at = x(tick).toFixed(1);
    const line = `<line x1="${at}" x2="${at}" y1="${TOP - 8}" y2="${bottom}" stroke="${tick === 1 ? "#666" : COLORS.line}"/>`;
    return line + text(x(tick), TOP - 14, tick < 1 ? `1/${1 / tick}` : `${tick}×`, 'text-anchor="middle"');
  });
  const rows = ids.map((id, row) => {
    const { title, aim, rate } = OPERATIONS[id]!;
    const y = TOP + row * ROW;
    const bars = MOUNTS.map((mount, index) => {
      const ratio = results.ratio(mount, "disk", id);
      // All bars are of time, those of rates too.
      const slower = rate ? 1 / ratio : ratio;
      const [from, to] = [x(1), x(slower)].sort((a, b) => a - b);
      const top = y + index * (BAR + 2);
      const told = slower >= 10 ? slower.toFixed(0) : slower.toFixed(2);
      return rect(from!, top, to! - from!, COLORS[mount]) + figure(slower < 1 ? from! : to!, top, told, slower < 1);
    });
    // The aim of a rate is about memory, not about the disk.
    const mark = aim === undefined || rate ? "" : aimAt(x(aim), y);
    return text(LEFT - 10, y + 15, title.replace("&", "&amp;"), 'text-anchor="end"') + bars.join("") + mark;
  });
  const legend = MOUNTS.map(
    (mount, index) => rect(LEFT + index * 120, 18, 12, COLORS[mount]) + text(LEFT + index * 120 + 18, 28, mount),
  );
  const aimed = aimAt(LEFT + 245, 14) + text(LEFT + 253, 28, "aimed at");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 30}" font-family="sans-serif" font-size="12">
<title>Time of a mount's operations, the disk being 1</title>
<rect width="100%" height="100%" fill="white"/>
${text(10, 28, "Time of a mount, the disk being 1", 'font-weight="bold"')}
${[...legend, aimed, ...scale, ...rows, text(10, bottom + 18, caption, 'font-size="10"')].join("\n")}
</svg>
`;
}

/** Beside the end of a bar. */
function figure(at: number, top: number, told: string, left: boolean): string {
  return text(left ? at - 4 : at + 4, top + BAR - 1, told, `font-size="10" text-anchor="${left ? "end" : "start"}"`);
}

function aimAt(at: number, y: number): string {
  const to = at.toFixed(1);
  return `<line x1="${to}" x2="${to}" y1="${y - 2}" y2="${y + 2 * BAR + 4}" stroke="${COLORS.aim}" stroke-width="2"/>`;
}
