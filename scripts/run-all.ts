/** Programs one after the other, with what each took. */

import { spawnSync } from "node:child_process";
import { ROOT } from "./checkout.ts";

export type Run = [command: string, args: string[], env?: Record<string, string>];

/** Runs all of them, whatever becomes of each, in an environment with `LONG` set; 0 where all succeeded, else 1. */
export function runAll(title: string, runs: readonly Run[]): 0 | 1 {
  const failed = runs.filter(([command, args, env]) => {
    console.log(`[${title}] ${args.join(" ")} ...`);
    const started = performance.now();
    const { status } = spawnSync(command, args, {
      cwd: ROOT,
      stdio: "inherit",
      env: { ...process.env, LONG: "1", ...env },
    });
    console.log(`[${title}] ${args.join(" ")}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
    return status !== 0;
  });
  for (const [, args] of failed) console.log(`[${title}] failed: ${args.join(" ")}`);
  return failed.length === 0 ? 0 : 1;
}
