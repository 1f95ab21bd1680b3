/**
 * `npm test`: checks the machine, the types and the style, then runs every test; ends with one line, `N passed, N failed`.
 *
 * Arguments go to vitest: with any, only the tests they select run, and nothing is asked of the machine beforehand.
 */

import { ALLOWED_SKIPS } from "../test/allowed-skips.ts";
import { coverage } from "../test/cases.ts";
import { runChecks } from "./checks.ts";
import { missingNeeds } from "./system-needs.ts";
import { MAX_MINUTES, runVitest } from "./vitest-run.ts";

/** Projects that wait for real mounts and servers run beside those that only compute: alone, either leaves half of the machine idle. */
const LANES = [
  ["fuse", "stack"],
  ["node", "workerd", "host"],
];

const args = process.argv.slice(2);
const whole = args.length === 0;
const started = Date.now();
const failures: string[] = [];
const passed: string[] = [];
const skipped: string[] = [];

if (whole) {
  for (const need of missingNeeds({ forTests: true })) failures.push(`the machine: ${need}`);
  for (const failure of failures) console.log(`[test] ${failure}`);
  for (const name of await runChecks()) failures.push(name);
}

console.log(`[test] running the tests${whole ? "" : ` selected by ${args.join(" ")}`} ...`);
const lanes = whole ? LANES.map((projects) => projects.flatMap((name) => ["--project", name])) : [args];
const finished = await Promise.all(lanes.map((lane) => runLane(lane)));
if (whole && finished.every(Boolean)) judgeWhole();

console.log(`\n[test] ${((Date.now() - started) / 1000).toFixed(0)} s`);
if (failures.length > 0) console.log("\nFailed:");
for (const failure of failures) console.log(`  ${failure.split("\n")[0]}`);
console.log(`\n${passed.length} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Runs one lane's tests and takes over what came of them; whether all of them had their turn. */
async function runLane(lane: readonly string[]): Promise<boolean> {
  const { tally, code, outOfTime } = await runVitest(lane);
  const run = `vitest ${lane.join(" ")}`;
  if (outOfTime) failures.push(`${run} was stopped: still running after ${MAX_MINUTES} minutes`);
  if (tally === undefined) {
    failures.push(`${run} ended with code ${code} and without a result`);
    return false;
  }
  const wrong = [...tally.failed, ...tally.broken];
  failures.push(...wrong);
  passed.push(...tally.passed);
  skipped.push(...tally.skipped);
  if (!tally.finished) failures.push(`${run} ended with code ${code} before all tests had run`);
  if (tally.passed.length + tally.failed.length === 0) failures.push(`${run}: no test ran`);
  if (code !== 0 && tally.finished && wrong.length === 0) failures.push(`${run} ended with code ${code}`);
  return tally.finished;
}

function judgeWhole(): void {
  for (const title of skipped) {
    const allowed = ALLOWED_SKIPS.find((skip) => title.includes(skip.title));
    console.log(`[test] skipped: ${title}${allowed ? ` (${allowed.reason})` : ""}`);
    if (!allowed) failures.push(`skipped without a reason in test/allowed-skips.ts: ${title}`);
  }
  const { covered, total, missing } = coverage(passed);
  console.log(`cases: ${covered} of ${total}`);
  for (const id of missing) failures.push(`case ${id} belongs to something that is built, and no passed test names it`);
}
