/**
 * `npm test`: checks the machine, the types and the style, then runs every test; ends with one line, `N passed, N failed`.
 *
 * Arguments go to vitest: with any, only the tests they select run, and nothing is asked of the machine beforehand.
 */

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ALLOWED_SKIPS } from "../test/allowed-skips.ts";
import { coverage } from "../test/cases.ts";
import { ROOT } from "./checkout.ts";
import { runChecks } from "./checks.ts";
import { missingNeeds } from "./system-needs.ts";
import type { Tally } from "./tally-reporter.ts";

const MAX_MINUTES = 19;

const args = process.argv.slice(2);
const whole = args.length === 0;
const failures: string[] = [];

if (whole) {
  for (const need of missingNeeds()) failures.push(`the machine: ${need}`);
  for (const failure of failures) console.log(`[test] ${failure}`);
  for (const name of await runChecks()) failures.push(name);
}

console.log(`[test] running the tests${whole ? "" : ` selected by ${args.join(" ")}`} ...`);
const { tally, code } = await runVitest();
if (tally === undefined) {
  failures.push(`vitest ended with code ${code} and without a result`);
} else {
  failures.push(...tally.failed, ...tally.broken);
  if (!tally.finished) failures.push(`vitest ended with code ${code} before all tests had run`);
  if (tally.passed.length + tally.failed.length === 0) failures.push("no test ran");
  if (whole && tally.finished) judgeWhole(tally);
  if (code !== 0 && failures.length === 0) failures.push(`vitest ended with code ${code}`);
}

if (failures.length > 0) console.log("\nFailed:");
for (const failure of failures) console.log(`  ${failure.split("\n")[0]}`);
console.log(`\n${tally?.passed.length ?? 0} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

function judgeWhole(tally: Tally): void {
  for (const title of tally.skipped) {
    const allowed = ALLOWED_SKIPS.find((skip) => title.includes(skip.title));
    console.log(`[test] skipped: ${title}${allowed ? ` (${allowed.reason})` : ""}`);
    if (!allowed) failures.push(`skipped without a reason in test/allowed-skips.ts: ${title}`);
  }
  const { covered, total, missing } = coverage(tally.passed);
  console.log(`cases: ${covered} of ${total}`);
  for (const id of missing) failures.push(`case ${id} belongs to something that is built, and no passed test names it`);
}

async function runVitest(): Promise<{ tally: Tally | undefined; code: number | null }> {
  const folder = mkdtempSync(join(tmpdir(), "computer-test-"));
  const tallyFile = join(folder, "tally.json");
  const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=./scripts/tally-reporter.ts"];
  try {
    const child = spawn(process.execPath, [vitest, "run", ...reporters, ...args], {
      cwd: ROOT,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, TALLY_FILE: tallyFile },
    });
    const watchdog = setTimeout(() => {
      failures.push(`the tests were stopped: still running after ${MAX_MINUTES} minutes`);
      child.kill("SIGTERM");
      setTimeout(() => child.kill("SIGKILL"), 10_000).unref();
    }, MAX_MINUTES * 60_000);
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", resolve);
    });
    clearTimeout(watchdog);
    const tally = existsSync(tallyFile) ? (JSON.parse(readFileSync(tallyFile, "utf8")) as Tally) : undefined;
    return { tally, code };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
