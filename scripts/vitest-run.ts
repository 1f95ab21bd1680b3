/** One run of vitest with what came of each of its tests. */

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./checkout.ts";
import type { Tally } from "./tally-reporter.ts";

/** Longer than this no run may take, in minutes. */
export const MAX_MINUTES = 19;

export interface VitestRun {
  /** Undefined when vitest ended before it wrote any result. */
  readonly tally: Tally | undefined;
  /** Vitest's exit code; null when a signal ended it. */
  readonly code: number | null;
  /** It was stopped for being over `MAX_MINUTES`. */
  readonly outOfTime: boolean;
}

/** Runs vitest with `args`; its own output is shown as it comes. */
export async function runVitest(args: readonly string[]): Promise<VitestRun> {
  const folder = mkdtempSync(join(tmpdir(), "computer-test-"));
  const tallyFile = join(folder, "tally.json");
  const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=./scripts/tally-reporter.ts"];
  let outOfTime = false;
  try {
    const child = spawn(process.execPath, [vitest, "run", ...reporters, ...args], {
      cwd: ROOT,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, TALLY_FILE: tallyFile },
    });
    const watchdog = setTimeout(() => {
      outOfTime = true;
      child.kill("SIGTERM");
      setTimeout(() => child.kill("SIGKILL"), 10_000).unref();
    }, MAX_MINUTES * 60_000);
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", resolve);
    });
    clearTimeout(watchdog);
    const tally = existsSync(tallyFile) ? (JSON.parse(readFileSync(tallyFile, "utf8")) as Tally) : undefined;
    return { tally, code, outOfTime };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
