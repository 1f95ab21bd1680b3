/** Processes that the scripts start end with all that they started. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { BackgroundProcess, liveProcesses } from "../scripts/background-process.ts";

function start(source: string): BackgroundProcess {
  return new BackgroundProcess("sh", ["-c", source], { title: "a test", cwd: "/", env: { PATH: process.env.PATH } });
}

function runs(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

test("stopping ends children of children too", async () => {
  const started = start("sh -c 'sleep 600 & echo child=$!; wait' & wait");
  const [, child] = await started.says(/child=(\d+)\n/, 10_000);
  expect(runs(Number(child))).toBe(true);
  expect(liveProcesses()).toEqual([started]);
  await started.stop();
  expect(runs(Number(child))).toBe(false);
  expect(liveProcesses()).toEqual([]);
  await started.stop();
});

test("one that ends before it is ready says so, with its last words", async () => {
  const started = start("echo the port is taken; exit 3");
  await expect(started.says(/ready/, 10_000)).rejects.toThrow("a test ended early (exit code 3):\nthe port is taken");
  await started.stop();
});

test("a command that is not there is an early end", async () => {
  const missing = new BackgroundProcess("/nowhere/at-all", [], { title: "a test", cwd: "/", env: {} });
  await expect(missing.says(/ready/, 10_000)).rejects.toThrow("ENOENT");
  await missing.stop();
});
