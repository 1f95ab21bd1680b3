/** What a command that says a great deal leaves in the memory of the Durable Object and of its computer. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DevServer, type LocalHost, startDevServer, startHost } from "../../../../scripts/local-stack.ts";
import { residentMib } from "../resident-memory.ts";

const MIB = 1024 * 1024;
/** What either side may take more than before, for 500 MiB of output. */
const BOUND_MIB = 150;

const state = mkdtempSync(join(tmpdir(), "output-memory-"));
let host: LocalHost;
let server: DevServer;

beforeAll(async () => {
  host = await startHost();
  const config = join(import.meta.dirname, "../output-soak/wrangler.jsonc");
  server = await startDevServer({ host, state, config });
  // What both sides take once they have run something.
  await ask("", "yes | head -c 8M; yes | head -c 8M >&2");
});

afterAll(async () => {
  await server?.process.stop();
  await host?.process.stop();
  rmSync(state, { recursive: true, force: true });
});

async function ask(way: "" | "read", source: string): Promise<unknown> {
  const response = await fetch(`${server.url}/${way}`, { method: "POST", body: source });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

/** The most that each side took while something was done, beyond what it took before. */
async function growth<T>(act: () => Promise<T>): Promise<{ outcome: T; object: number; computer: number }> {
  const sizes = (): [number, number] => [
    residentMib(server.process.pid, /^workerd/),
    residentMib(host.process.pid, /^(node|computerd|MainThread)/),
  ];
  const [object, computer] = sizes();
  let most = sizes();
  const look = setInterval(() => {
    const now = sizes();
    most = [Math.max(most[0], now[0]), Math.max(most[1], now[1])];
  }, 100);
  const outcome = await act();
  clearInterval(look);
  return { outcome, object: most[0] - object, computer: most[1] - computer };
}

test.each([
  ["stdout, with a result", "", "yes | head -c 500M", { exitCode: 0, saved: [500 * MIB], sync: "complete" }],
  ["stderr, with a result", "", "yes | head -c 500M >&2", { exitCode: 0, saved: [500 * MIB], sync: "complete" }],
  ["stdout, read event by event", "read", "yes | head -c 500M", { exitCode: 0, bytes: 500 * MIB }],
] as const)(
  "X-04 500 MiB on %s: the memory of both sides is flat",
  { timeout: 900_000 },
  async (_, way, source, expected) => {
    const { outcome, object, computer } = await growth(() => ask(way, source));
    console.log(`the object took ${object.toFixed(0)} MiB more, the computer ${computer.toFixed(0)} MiB`);
    expect(outcome).toMatchObject(expected);
    expect(object).toBeLessThan(BOUND_MIB);
    expect(computer).toBeLessThan(BOUND_MIB);
  },
);
