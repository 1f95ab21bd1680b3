/** The checks that need no run of the code: types of every package, and lint with format. */

import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { dirname } from "node:path";
import { ROOT, tool } from "./checkout.ts";

/** Runs all checks, prints what they find, and returns the names of those that failed. */
export async function runChecks(): Promise<string[]> {
  const failed: string[] = [];
  const projects = globSync("{.,packages/*,examples/*,bench,bench/*}/tsconfig.json", { cwd: ROOT }).sort();
  console.log(`[check] types of ${projects.length} projects ...`);
  const started = Date.now();
  for (const project of projects) {
    const name = `types of ${dirname(project) === "." ? "scripts and tests" : dirname(project)}`;
    if (!(await succeeds(tool("tsc"), ["-p", project]))) failed.push(name);
  }
  console.log(`[check] types: ${seconds(started)}, ${failed.length} failed`);

  const linting = Date.now();
  console.log("[check] lint and format ...");
  const clean = await succeeds(tool("biome"), ["check", "--error-on-warnings", "."]);
  if (!clean) failed.push("lint and format");
  console.log(`[check] lint and format: ${seconds(linting)}, ${clean ? "clean" : "failed"}`);
  return failed;
}

function succeeds(command: string, args: string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code === 0));
  });
}

function seconds(since: number): string {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
