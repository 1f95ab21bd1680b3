/** What a situation is made of: changes to files, and command lines. */

export type Step =
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  | { readonly kind: "bytes"; readonly path: string; readonly bytes: readonly number[] }
  | { readonly kind: "remove"; readonly path: string }
  | { readonly kind: "move"; readonly from: string; readonly to: string }
  | { readonly kind: "chmod"; readonly path: string; readonly mode: number }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  | {
      readonly kind: "git";
      readonly argv: readonly string[];
      readonly cwd?: string | undefined;
      readonly stdin?: string | undefined;
    };

export interface Situation {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** What came of a command line. */
export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Seconds since 1970 at which a step happens, the same for both. */
export function timeOf(step: number): number {
  return 1_700_000_000 + step * 60;
}

/** The environment of a step. */
export function environmentOf(step: number): Record<string, string> {
  const date = `${timeOf(step)} +0200`;
  return {
    GIT_AUTHOR_NAME: "Ann Author",
    GIT_AUTHOR_EMAIL: "ann@example.org",
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: "Cleo Committer",
    GIT_COMMITTER_EMAIL: "cleo@example.org",
    GIT_COMMITTER_DATE: date,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_EDITOR: "true",
  };
}

export function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3]!);
}

export function git(line: string, more: { cwd?: string; stdin?: string } = {}): Step {
  return { kind: "git", argv: words(line), ...more };
}

export function write(path: string, text: string): Step {
  return { kind: "write", path, text };
}
