/** The results as Markdown: all figures, the requests behind them, and what was aimed at and not reached. */

import { availableParallelism, cpus, loadavg, release } from "node:os";
import { OPERATIONS } from "./operations.ts";
import { missed, type Results } from "./results.ts";

export function report(results: Results, places: readonly string[], loadBefore: number): string {
  return [table(results, places), note(results, loadBefore), missedList(results), requests(results)].join("\n\n");
}

function table(results: Results, places: readonly string[]): string {
  const ids = measured(results);
  const head = `| operation | ${places.join(" | ")} | kernel : disk | aim |`;
  const rows = ids.map((id) => {
    const { title, times, rate, aim } = OPERATIONS[id]!;
    const cells = places.map((place) => {
      const { median, least, most } = results.figures(place, id);
      return `${short(median)} (${short(least)}–${short(most)})`;
    });
    const unit = rate ? "MiB/s" : times > 1 ? "µs" : "ms";
    const ratio = results.ratio("kernel", "disk", id).toFixed(2);
    const wanted = aim === undefined ? "" : rate ? `≥ ${aim} of memory's` : `≤ ${aim}`;
    return `| ${title}, ${unit} | ${cells.join(" | ")} | ${ratio} | ${wanted} |`;
  });
  return [head, `| --- |${" ---: |".repeat(places.length + 2)}`, ...rows].join("\n");
}

function note(results: Results, loadBefore: number): string {
  const [long, all] = ["install", "create"].map((id) => results.rounds("kernel", id));
  const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim()}`;
  const load = `load ${loadBefore.toFixed(0)} at the start and ${loadavg()[0]!.toFixed(0)} at the end`;
  return `Medians of ${all} rounds (npm: ${long}), least and most in brackets; under 1 is faster than the disk, of MiB/s over 1.
${new Date().toISOString().slice(0, 10)}, Linux ${release()}, Node ${process.version}, ${machine}, ${load}.`;
}

function missedList(results: Results): string {
  const ids = measured(results);
  const lines = ids.flatMap((id) => {
    const reached = missed(results, id);
    if (reached === undefined) return [];
    const { title, aim, rate } = OPERATIONS[id]!;
    const compared = rate ? "of memory's speed" : "times the disk's time";
    return [
      `- ${title}: ${reached.toFixed(2)} ${compared}, aimed at ${aim}. Requests that remain: ${kinds(results, id)}.`,
    ];
  });
  return lines.length === 0 ? "All aims are reached." : ["Aimed at and missed in this run:", "", ...lines].join("\n");
}

function requests(results: Results): string {
  const ids = measured(results);
  const rows = ids.map((id) => {
    const total = results.requests(id).reduce((sum, [, count]) => sum + count, 0);
    return `| ${OPERATIONS[id]!.title} | ${short(total)} | ${kinds(results, id)} |`;
  });
  return ["| operation | requests of one | by kind |", "| --- | ---: | --- |", ...rows].join("\n");
}

function measured(results: Results): string[] {
  return Object.keys(OPERATIONS).filter((id) => results.rounds("kernel", id) > 0);
}

function kinds(results: Results, id: string): string {
  const found = results.requests(id).map(([kind, count]) => `${kind} ${short(count)}`);
  return found.length === 0 ? "none" : found.join(", ");
}

function short(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return Number.isInteger(value) ? String(value) : value.toPrecision(2);
}
