/** The scripts of a topic: one a line, or several lines between `<<<` and `>>>`. */

export const topics = ["language", "search", "text", "editing"] as const;

export type Topic = (typeof topics)[number];

export function scriptsOf(text: string): string[] {
  const scripts: string[] = [];
  let block: string[] | undefined;
  for (const line of text.split("\n")) {
    if (block !== undefined) {
      if (line === ">>>") {
        scripts.push(`${block.join("\n")}\n`);
        block = undefined;
      } else {
        block.push(line);
      }
    } else if (line === "<<<") {
      block = [];
    } else if (line !== "") {
      scripts.push(line);
    }
  }
  return scripts;
}

/** What a script gave. Bytes that are not UTF-8 are kept as base64. */
export interface Recorded {
  readonly topic: Topic;
  readonly script: string;
  readonly code: number;
  readonly stdout: string | { readonly base64: string };
  readonly stderr: string;
}

export interface Recording {
  /** The first line that each tool says of its version. */
  readonly tools: Readonly<Record<string, string>>;
  readonly scripts: readonly Recorded[];
}
