/** A vitest reporter that writes what came of each test as JSON, to the file named by `TALLY_FILE`, anew after each file of tests. */

import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** What came of a run. */
export interface Tally {
  /** False while tests are still to come. */
  finished: boolean;
  /** Full titles: the project, the file, and the suites and the test joined by ` > `. */
  readonly passed: string[];
  readonly failed: string[];
  readonly skipped: string[];
  /** Failures that belong to no test: files that did not load, hooks that threw, errors nothing caught. */
  readonly broken: string[];
}

export default class TallyReporter implements Reporter {
  readonly #tally: Tally = { finished: false, passed: [], failed: [], skipped: [], broken: [] };

  onTestModuleEnd(module: TestModule): void {
    const where = `${module.project.name}: ${module.relativeModuleId}`;
    for (const error of module.errors()) this.#tally.broken.push(`${where}: ${error.message}`);
    for (const suite of module.children.allSuites()) {
      for (const error of suite.errors()) this.#tally.broken.push(`${where}: ${suite.fullName}: ${error.message}`);
    }
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      // One that never came to run is not one that was skipped on purpose.
      this.#tally[state === "pending" ? "broken" : state].push(`${where}: ${test.fullName}`);
    }
    this.#write();
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    for (const error of unhandled) this.#tally.broken.push(`unhandled: ${error.message}`);
    this.#tally.finished = true;
    this.#write();
  }

  #write(): void {
    writeFileSync(process.env.TALLY_FILE!, JSON.stringify(this.#tally));
  }
}
