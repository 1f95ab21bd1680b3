/** The client in the terminal, before a real dev server and a real Linux computer: three computers, and a session that stays. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { converse } from "example-agent/terminal";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DevServer, type LocalHost, startDevServer, startHost } from "../../../scripts/local-stack.ts";

const state = mkdtempSync(join(tmpdir(), "agent-test-"));
let host: LocalHost;
let server: DevServer;

async function start(): Promise<void> {
  server = await startDevServer({ host, state, config: join(import.meta.dirname, "..", "wrangler.jsonc") });
}

beforeAll(async () => {
  host = await startHost();
  await start();
});

afterAll(async () => {
  await server?.process.stop();
  await host?.process.stop();
  rmSync(state, { recursive: true, force: true });
});

/** What the terminal shows of a conversation in which a person types these lines. */
async function talk(session: string, ...lines: string[]): Promise<string> {
  const shown: string[] = [];
  const input = Readable.from(lines.map((line) => `${line}\n`));
  await converse({ url: server.url, session, input, write: (text) => shown.push(text) });
  return shown.join("");
}

test("one file goes through all three computers, and session and files are there after a restart", async () => {
  const shown = await talk("tour", "tour", "sh cat nothing");
  expect(shown).toContain("(A script plays the model's part");
  for (const backend of ["container-shell", "worker-shell", "worker-javascript"])
    expect(shown).toContain(`[exec in ${backend}:`);
  expect(shown).toMatch(/Linux \d[^\n]*\nseen by a shell\n/);
  expect(shown).toContain("[Result] 6");
  expect(shown).toContain("[it failed]");

  await server.process.stop();
  await start();
  const again = await talk("tour", "sh grep -c . /workspace/tour.txt", "linux tail -n 1 /workspace/tour.txt");
  expect(again).toMatch(/^> tour\n/);
  expect(again).toContain("(so far, from an earlier time)");
  expect(again).toMatch(/\[exec in worker-shell: [^\]]*\]\n2\n/);
  expect(again).toMatch(/\[exec in container-shell: [^\]]*\]\nseen by a shell\n/);
});

test("sessions are apart, and each keeps its own words", async () => {
  await talk("one", "write note.txt mine");
  expect(await talk("two", "read note.txt")).toContain("ENOENT");
  expect(await talk("one", "read note.txt")).toContain("mine\n");
  const history = (await (await fetch(`${server.url}/chat/one`)).json()) as { role: string; text: string }[];
  expect(history.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
});

test("what the script does not understand is answered, and what is no message is refused", async () => {
  expect(await talk("help", "hello")).toContain("I am a script, not a model");
  for (const [path, body, status] of [
    ["/chat/help", "{}", 400],
    ["/chat/NOT_A_NAME", '{"text":"x"}', 404],
  ] as const) {
    expect((await fetch(server.url + path, { method: "POST", body })).status, path).toBe(status);
  }
  expect((await fetch(`${server.url}/chat/help`, { method: "DELETE" })).status).toBe(405);
});
