/**
 * The model of sync and runs: 2,000 random histories with faults, then one history with every fault at every step, whose table goes into
 * `docs/reliability.md`.
 *
 * `node test/long/reliability.ts [first seed] [histories]` runs only histories; a failure names its seed and plan.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { history, randomPlan } from "../reliability/history.ts";
import { pointsOf, sweep, table } from "../reliability/sweep.ts";

const PAGE = join(import.meta.dirname, "../../../../docs/reliability.md");
const BEGIN = "<!-- made by packages/computer/test/long/reliability.ts -->";
const END = "<!-- end -->";
const SWEPT = 7;

const [first = 1, count = 2_000] = process.argv.slice(2).map(Number);
const violations: string[] = [];
let happened = 0;

for (let seed = first; seed < first + count; seed++) {
  try {
    happened += (await history(seed, randomPlan(seed))).happened.length;
  } catch (error) {
    violations.push(String(error));
    console.log(String(error));
  }
}
console.log(`${count} histories, ${happened} faults, ${violations.length} violations`);

if (process.argv.length <= 2) {
  const coverage = await sweep(SWEPT, await pointsOf(SWEPT));
  for (const row of coverage) violations.push(...row.violations);
  const made = [
    BEGIN,
    "",
    table(coverage),
    "",
    `Beside these, ${count} random histories with one to three faults each, ${happened} of which happened: ${violations.length} violations in all.`,
    "",
    END,
  ].join("\n");
  console.log(made);
  const page = readFileSync(PAGE, "utf8");
  writeFileSync(PAGE, page.slice(0, page.indexOf(BEGIN)) + made + page.slice(page.indexOf(END) + END.length));
}
process.exitCode = violations.length === 0 ? 0 : 1;
