/** Decides between this machine's own pandoc and typst and the commands of this package. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The first pandoc that writes typst for PDFs well. */
const PANDOC_AT_LEAST = [3, 1, 2] as const;

/** Whether the PATH of `env` lacks a typst or a pandoc of at least 3.1.2, so that this package's commands are needed. */
export async function needsDocumentTools(env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  const [pandoc, typst] = await Promise.all([versionOf("pandoc", env), versionOf("typst", env)]);
  return typst === undefined || pandoc === undefined || isOlder(pandoc, PANDOC_AT_LEAST);
}

async function versionOf(command: string, env: NodeJS.ProcessEnv): Promise<number[] | undefined> {
  try {
    const { stdout } = await promisify(execFile)(command, ["--version"], { env });
    const version = /^\S+ (\d+(?:\.\d+)*)/.exec(stdout)?.[1];
    return version?.split(".").map(Number);
  } catch {
    return undefined;
  }
}

function isOlder(version: readonly number[], least: readonly number[]): boolean {
  for (const [at, wanted] of least.entries()) {
    const have = version[at] ?? 0;
    if (have !== wanted) return have < wanted;
  }
  return false;
}
