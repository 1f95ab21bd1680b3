/** The client in the terminal, in Node: `node src/terminal.ts http://localhost:8787 alice`. */

import { createInterface } from "node:readline";
import { readEvents } from "example-agent-loop/read-events";

export interface Converse {
  /** Of the Worker. */
  readonly url: string;
  readonly session: string;
  readonly input: NodeJS.ReadableStream;
  readonly write: (text: string) => void;
}

interface Line {
  readonly role: "user" | "assistant";
  readonly text: string;
}

interface EventData {
  readonly note?: string;
  readonly text?: string;
  readonly tool?: string;
  readonly ok?: boolean;
  readonly input?: { readonly command?: string; readonly path?: string; readonly backend?: string };
}

/** Tells what was said before, then hands each line to the agent and its answer to the person, until the input ends. */
export async function converse({ url, session, input, write }: Converse): Promise<void> {
  const address = new URL(`/chat/${session}`, url);
  const earlier = (await (await fetch(address)).json()) as Line[];
  for (const { role, text } of earlier) write(role === "user" ? `> ${text}\n` : `${text}\n`);
  if (earlier.length > 0) write("(so far, from an earlier time)\n");
  let introduced = false;
  write("> ");
  for await (const line of createInterface({ input })) {
    if (line.trim() !== "") {
      try {
        introduced = await say(address, line, introduced, write);
      } catch (error) {
        write(`(that failed: ${error instanceof Error ? error.message : error})\n`);
      }
    }
    write("> ");
  }
  write("\n");
}

/** Whether the person knows by now who answers. */
async function say(address: URL, text: string, introduced: boolean, write: Converse["write"]): Promise<boolean> {
  const response = await fetch(address, { method: "POST", body: JSON.stringify({ text }) });
  let atStart = true;
  for await (const { event, data } of readEvents(response)) {
    const { note, text = "", tool, ok, input } = data as EventData;
    if (event === "model" && !introduced) write(`(${note})\n`);
    if (event === "text") {
      write(text);
      atStart = text.endsWith("\n");
    }
    if (event === "call") {
      const what = (input?.command ?? input?.path ?? "").split("\n").at(-2) ?? input?.command ?? input?.path ?? "";
      write(
        `${atStart ? "" : "\n"}  [${tool}${input?.backend === undefined ? "" : ` in ${input.backend}`}: ${what}]\n`,
      );
      atStart = true;
    }
    if (event === "result" && ok === false) write("  [it failed]\n");
    if (event === "end" && !atStart) write("\n");
  }
  return true;
}

if (import.meta.main) {
  const [url = "http://localhost:8787", session = "me"] = process.argv.slice(2);
  await converse({ url, session, input: process.stdin, write: (text) => process.stdout.write(text) });
}
