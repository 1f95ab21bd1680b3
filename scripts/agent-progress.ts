/** What an agent of the examples does, a line at a time on the terminal. */

import { readEvents } from "../examples/agent-loop/src/read-events.ts";

const INDENT = " ".repeat(9);
const WIDTH = 100;

/** Asks an agent at `url`, prints what it does, and gives the data of its event `last`. Throws where it fails or ends without one. */
export async function watchAgent<T>(url: string, prompt: string, last: string): Promise<T> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ prompt }),
  });
  print(`“${prompt}”`);
  let said = "";
  let result: T | undefined;
  for await (const { event, data } of readEvents(response)) {
    if (event === "text") {
      said += (data as { text: string }).text;
      continue;
    }
    if (said.trim() !== "") print(`says: ${said.trim()}`);
    said = "";
    if (event === last) result = data as T;
    else for (const line of lines(event, data as EventData)) print(line);
  }
  if (result === undefined) throw new Error(`the agent at ${new URL(url).pathname} ended without ${last}`);
  return result;
}

interface EventData {
  readonly note?: string;
  readonly tool?: string;
  readonly input?: { readonly command?: string; readonly path?: string; readonly name?: string };
  readonly ok?: boolean;
  readonly output?: { readonly exitCode?: number; readonly error?: string };
}

function* lines(event: string, { note, tool, input, ok, output }: EventData): Generator<string> {
  if (event === "model") yield note ?? "";
  if (event === "call") yield shortened(`${tool}: ${input?.command ?? input?.path ?? input?.name ?? ""}`);
  if (event === "result" && ok === false) yield `${tool} failed: ${output?.error ?? `exit code ${output?.exitCode}`}`;
}

function shortened(text: string): string {
  return text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text;
}

function print(text: string): void {
  for (const line of text.split("\n")) console.log(INDENT + line);
}
