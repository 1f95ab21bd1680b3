/** What the suite needs to know of a computer: a workspace that has it, and how to say things in its language. */

import type { Workspace } from "../../workspace/workspace.ts";

/** Sources that do one thing each, in the language of a computer. Paths are as the computer sees them. */
export interface ScriptSources {
  /** Writes text to stdout. */
  say(text: string): string;
  /** Writes text to stderr, then ends with this exit code. */
  fail(text: string, code: number): string;
  /** Copies a file. */
  copy(from: string, to: string): string;
  /** Writes a variable of the environment to stdout, nothing where it is not set. */
  variable(name: string): string;
  /** Writes the working directory to stdout. */
  where(): string;
  /** Writes all of its stdin to stdout. */
  echo(): string;
  /** Says "ready" and then does nothing for a minute. */
  hang(): string;
  /** Writes the numbers from 1 to `count`, one a line. */
  lines(count: number): string;
  /** Writes "é" in two pieces, so that they come apart. */
  halves(): string;
}

export interface ComputerUnderTest {
  /** A fresh workspace whose first computer is the one to test. */
  readonly workspace: Workspace;
  readonly script: ScriptSources;
}

/** Makes what is to be tested, hands it to a test, and takes it down. */
export type RunOnComputer = (test: (under: ComputerUnderTest) => Promise<void>) => Promise<void>;
