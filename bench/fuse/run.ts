/**
 * `node bench/fuse/run.ts [rounds] [rounds with npm]`: everyday file operations on a mount of either driver, a disk and memory, as root.
 * Nine rounds of all by default. Writes the tables into docs/performance.md, and docs/mount.svg.
 */

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { OPERATIONS } from "./operations.ts";
import { type Place, preparePlaces } from "./places.ts";
import { plot } from "./plot.ts";
import { report } from "./report.ts";
import { Results } from "./results.ts";

const DOCS = join(import.meta.dirname, "../../docs");
const PAGE = join(DOCS, "performance.md");
const PICTURE = join(DOCS, "mount.svg");
/** What stands between these in the page is written by this command. */
const BEGIN = "<!-- bench/fuse: begin -->";
const END = "<!-- bench/fuse: end -->";
/** Does its work in directories that are made through the mount by another process: this one serves a mount, and would wait for itself. */
const RUN = `mkdir "$1" && "$2" --no-warnings "$3" "$1" "$4"; rm -rf "$1"`;

const [rounds = 9, longRounds = rounds] = process.argv.slice(2).map(Number);
if (![rounds, longRounds].every((count) => Number.isInteger(count) && count >= 1) || longRounds > rounds)
  throw new TypeError("usage: node bench/fuse/run.ts [rounds] [rounds with npm]");

const loadBefore = loadavg()[0]!;
const results = new Results();

async function measure(
  { name, directory, requests }: Place,
  npmProject: string,
  ids: readonly string[],
): Promise<void> {
  const program = join(import.meta.dirname, "operations.ts");
  const args = ["-c", RUN, "sh", join(directory, randomUUID()), process.execPath, program, npmProject];
  const child = spawn("sh", args, { cwd: "/", stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done) throw new Error(`The operations in ${name} ended early.`);
    return line.value;
  };
  for (const id of ids) {
    child.stdin.write(`${id}\n`);
    await next();
    const before = requests();
    // Told that its requests are counted from here.
    child.stdin.write("go\n");
    const ms = Number(await next());
    const asked = Object.entries(requests()).map(([kind, count]) => [kind, count - (before[kind] ?? 0)]);
    results.add(name, id, ms, Object.fromEntries(asked));
  }
  child.stdin.end();
  await new Promise((resolve) => child.once("close", resolve));
}

await using prepared = await preparePlaces();
const { places, npmProject } = prepared;
for (let round = 0; round < rounds; round++) {
  const ids = Object.keys(OPERATIONS).filter((id) => !OPERATIONS[id]!.long || round >= rounds - longRounds);
  // Each goes first in turn.
  for (let index = 0; index < places.length; index++)
    await measure(places[(index + round) % places.length]!, npmProject, ids);
  console.log(`round ${round + 1} of ${rounds}`);
  // What there is so far is kept, should a later round be cut short.
  write();
}

function write(): void {
  const names = places.map(({ name }) => name);
  const text = readFileSync(PAGE, "utf8");
  const [head, rest] = text.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (head === undefined || tail === undefined) throw new Error(`${PAGE} has no place for the tables.`);
  writeFileSync(PAGE, `${head}${BEGIN}\n${report(results, names, loadBefore)}\n${END}${tail}`);
  writeFileSync(PICTURE, plot(results));
}
