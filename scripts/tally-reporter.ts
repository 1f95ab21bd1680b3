/** A vitest reporter that writes what came of each test as JSON, to the file named by `TALLY_FILE`. */

import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** What came of a run. */
export interface Tally {
  /** Full titles: the file's suites and the test, joined by ` > `. */
  readonly passed: string[];
  readonly failed: string[];
  readonly skipped: string[];
  /** Failures that belong to no test: files that did not load, hooks that threw, errors nothing caught. */
  readonly broken: string[];
}

export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tally: Tally = { passed: [], failed: [], skipped: [], broken: [] };
    for (const module of modules) {
      const where = `${module.project.name}: ${module.relativeModuleId}`;
      for (const error of module.errors()) tally.broken.push(`${where}: ${error.message}`);
      for (const suite of module.children.allSuites()) {
        for (const error of suite.errors()) tally.broken.push(`${where}: ${suite.fullName}: ${error.message}`);
      }
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        tally[state === "pending" ? "skipped" : state].push(`${where}: ${test.fullName}`);
      }
    }
    for (const error of unhandled) tally.broken.push(`unhandled: ${error.message}`);
    writeFileSync(process.env.TALLY_FILE!, JSON.stringify(tally));
  }
}
