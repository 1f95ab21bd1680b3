/** What a program of the comparison is: code against the public API, whose every step is written down. */

import type * as computer from "@cloudflare/computer";

/** Everything that a program may import from the package. */
export type Api = typeof computer;

/** What a program is run with. */
export interface Given {
  readonly api: Api;
  /** A workspace with the computer `mine` of {@link ScriptedComputer} and small output limits, in the program's own object. */
  readonly workspace: computer.Workspace;
  /** The same workspace, seen from another isolate. */
  readonly client: computer.LazyWorkspaceClient;
  readonly step: Step;
}

/** Does something and writes down what came of it, an error too. */
export type Step = (name: string, act: () => unknown) => Promise<void>;

export interface Program {
  readonly id: string;
  /** Said in the table. */
  readonly title: string;
  run(given: Given): Promise<void>;
}

/** What each step came to, by its name. */
export type Transcript = Readonly<Record<string, unknown>>;

/** A recorder, and what it has recorded. */
export function recorder(): { readonly step: Step; readonly transcript: Transcript } {
  const transcript: Record<string, unknown> = {};
  const step: Step = async (name, act) => {
    try {
      transcript[name] = plain(await act());
    } catch (error) {
      // What a message says is for people; programs go by the code, or by the class where there is none.
      const { name: kind, code } = error as Error & { code?: string };
      transcript[name] = { threw: code ?? kind };
    }
  };
  return { step, transcript };
}

/** A value as JSON has it: bytes as text, what is absent left out. */
function plain(value: unknown): unknown {
  if (value === undefined) return "undefined";
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) => {
      if (part instanceof Uint8Array) return `bytes: ${new TextDecoder().decode(part)}`;
      return typeof part === "bigint" ? String(part) : part;
    }),
  );
}
