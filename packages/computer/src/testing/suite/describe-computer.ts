/** The shared suite of computers: whatever runs things over a workspace's files passes these tests. */

import { describe } from "vitest";
import { testFiles } from "./files.ts";
import { testOutput } from "./output.ts";
import { testRuns } from "./runs.ts";
import { testStopping } from "./stopping.ts";
import type { RunOnComputer } from "./under-test.ts";

/**
 * Registers the suite's tests. `run` makes a workspace with the computer, hands it to a test and takes it down.
 *
 * @example
 * describeComputer("my computer", async (test) => {
 *   const workspace = new Workspace({ storage, backends: [new MyComputer()] });
 *   await test({ workspace, script: shellSources });
 *   await workspace.close();
 * });
 */
export function describeComputer(name: string, run: RunOnComputer): void {
  describe(name, () => {
    describe("runs", () => testRuns(run));
    describe("output", () => testOutput(run));
    describe("files", () => testFiles(run));
    describe("stopping", () => testStopping(run));
  });
}
