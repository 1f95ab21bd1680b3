/** The measurements as a Markdown table: medians with their spread, and the ratio between the systems. */

import type { Rows } from "./counted-storage.ts";
import { type Measured, type Run, SYSTEMS, type System } from "./measure.ts";

interface Cell {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export interface Row {
  readonly title: string;
  /** Milliseconds of one operation. */
  readonly ms: Record<System, Cell>;
  /** What one operation comes to in the database, rounded. */
  readonly rows: Record<System, Rows>;
}

/** What one operation takes, the empty request taken off. */
export function rowsOf(measured: readonly Measured[]): Row[] {
  const empty = measured.find(({ operation }) => operation.id === "nothing");
  const rest = measured.filter((entry) => entry !== empty);
  return rest.map(({ operation, runs }) => {
    const ms = (system: System) => {
      const offset = empty === undefined ? 0 : spread(empty.runs[system].map(({ ms }) => ms)).median;
      return spread(runs[system].map((run) => Math.max(0, run.ms - offset) / operation.times));
    };
    const rows = (system: System) => perOperation(runs[system], operation.times);
    return {
      title: operation.title,
      ms: { ours: ms("ours"), published: ms("published") },
      rows: { ours: rows("ours"), published: rows("published") },
    };
  });
}

/** Those where ours is not the faster. */
export function slower(rows: readonly Row[]): Row[] {
  return rows.filter(({ ms }) => ms.ours.median > ms.published.median);
}

export function table(rows: readonly Row[]): string {
  const head = ["operation", "ms", "published, ms", "times faster", "statements", "rows read", "rows written"];
  const lines = rows.map(({ title, ms, rows: count }) => [
    title,
    ...SYSTEMS.map((system) => cell(ms[system])),
    figure(ms.published.median / ms.ours.median),
    ...(["statements", "read", "written"] as const).map(
      (key) => `${figure(count.ours[key])} / ${figure(count.published[key])}`,
    ),
  ]);
  return [head, head.map((_, i) => (i === 0 ? "---" : "---:")), ...lines]
    .map((line) => `| ${line.join(" | ")} |`)
    .join("\n");
}

function perOperation(runs: readonly Run[], times: number): Rows {
  const median = (key: keyof Rows) => spread(runs.map(({ rows }) => rows[key])).median / times;
  return { statements: median("statements"), read: median("read"), written: median("written") };
}

function spread(values: readonly number[]): Cell {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, least: sorted[0] ?? 0, most: sorted.at(-1) ?? 0 };
}

function cell({ median, least, most }: Cell): string {
  return `${figure(median)} (${figure(least)}–${figure(most)})`;
}

function figure(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (value >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString("en-US");
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
