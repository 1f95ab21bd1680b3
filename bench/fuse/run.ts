/**
 * `node bench/fuse/run.ts [rounds]`: everyday file operations on a mount of either driver, a disk and memory, as root. Writes the table
 * into docs/performance.md.
 */

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { OPERATIONS } from "./operations.ts";
import { type Place, preparePlaces } from "./places.ts";

const PAGE = join(import.meta.dirname, "../../docs/performance.md");
/** What stands between these in the page is written by this command. */
const BEGIN = "<!-- bench/fuse: begin -->";
const END = "<!-- bench/fuse: end -->";
/** Does its work in directories that are made through the mount by another process: this one serves a mount, and would wait for itself. */
const RUN = `mkdir "$1" && "$2" --no-warnings "$3" "$1"; rm -rf "$1"`;

const rounds = Number(process.argv[2] ?? 9);
if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError("usage: node bench/fuse/run.ts [rounds]");

/** Milliseconds by place and operation, a number for each round; and the requests of a round. */
const times = new Map<string, number[]>();
const asked = new Map<string, number>();

async function measure({ name, directory, requests }: Place): Promise<void> {
  const program = join(import.meta.dirname, "operations.ts");
  const child = spawn("sh", ["-c", RUN, "sh", join(directory, randomUUID()), process.execPath, program], {
    cwd: "/",
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done) throw new Error(`The operations in ${name} ended early.`);
    return line.value;
  };
  for (const id of Object.keys(OPERATIONS)) {
    child.stdin.write(`${id}\n`);
    await next();
    const before = requests();
    const ms = Number(await next());
    asked.set(`${name} ${id}`, requests() - before);
    times.set(`${name} ${id}`, [...(times.get(`${name} ${id}`) ?? []), ms]);
  }
  child.stdin.end();
  await new Promise((resolve) => child.once("close", resolve));
}

function cell(name: string, id: string): { text: string; median: number } {
  const { times: count, rate } = OPERATIONS[id]!;
  const figures = (times.get(`${name} ${id}`) ?? [])
    .map((ms) => (rate ? count / (ms / 1000) : (ms / count) * (count > 1 ? 1000 : 1)))
    .sort((a, b) => a - b);
  const median = figures[figures.length >> 1] ?? Number.NaN;
  return { median, text: `${short(median)} (${short(figures[0] ?? 0)}–${short(figures.at(-1) ?? 0)})` };
}

function short(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(2);
}

function table(names: readonly string[]): string {
  const head = `| operation | ${names.join(" | ")} | kernel : disk | requests each |`;
  const rows = Object.entries(OPERATIONS).map(([id, { title, times: count, rate }]) => {
    const cells = names.map((name) => cell(name, id));
    const [kernel, , disk] = cells;
    const ratio = rate ? disk!.median / kernel!.median : kernel!.median / disk!.median;
    const requests = (asked.get(`kernel ${id}`) ?? 0) / count;
    const unit = rate ? "MiB/s" : count > 1 ? "µs" : "ms";
    return `| ${title}, ${unit} | ${cells.map(({ text }) => text).join(" | ")} | ${ratio.toFixed(2)} | ${short(requests)} |`;
  });
  const machine = `${availableParallelism()} × ${cpus()[0]?.model}`;
  const note = `Medians of ${rounds} rounds, least and most in brackets. A ratio under 1 is faster than the disk. ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${machine}.`;
  return [head, `| --- |${" ---: |".repeat(names.length + 2)}`, ...rows, "", note].join("\n");
}

await using prepared = await preparePlaces();
const { places } = prepared;
for (let round = 0; round < rounds; round++) {
  // Each goes first in turn.
  for (let index = 0; index < places.length; index++) await measure(places[(index + round) % places.length]!);
  console.log(`round ${round + 1} of ${rounds}`);
}
const text = readFileSync(PAGE, "utf8");
const [head, rest] = text.split(BEGIN);
const tail = rest?.split(END)[1];
const written = table(places.map(({ name }) => name));
console.log(written);
if (head !== undefined && tail !== undefined) writeFileSync(PAGE, `${head}${BEGIN}\n${written}\n${END}${tail}`);
