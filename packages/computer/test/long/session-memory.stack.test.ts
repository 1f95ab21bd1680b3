/** What a session that lives long leaves in the memory of workerd. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DevServer, startDevServer } from "../../../../scripts/local-stack.ts";
import { residentMib } from "../resident-memory.ts";

const MIB = 1024 * 1024;
/** What may be left: half a kilobyte lost with each call would be more. */
const BOUND_MIB = 24;
const ROUNDS = 10;

const state = mkdtempSync(join(tmpdir(), "session-memory-"));
let server: DevServer;

beforeAll(async () => {
  const config = join(import.meta.dirname, "../session-soak/wrangler.jsonc");
  server = await startDevServer({ host: { url: "", token: "" }, state, config });
});

afterAll(async () => {
  await server?.process.stop();
  rmSync(state, { recursive: true, force: true });
});

/** The used heap of the Worker's isolate in MiB, as its inspector tells it; the least of some looks, since nobody can order a collection. */
async function heapMib(inspector: WebSocket): Promise<number> {
  const looks: number[] = [];
  for (let look = 0; look < 5; look++) {
    const answer = new Promise<string>((resolve) => {
      inspector.addEventListener("message", ({ data }) => resolve(String(data)), { once: true });
    });
    inspector.send(JSON.stringify({ id: 1, method: "Runtime.getHeapUsage" }));
    looks.push(JSON.parse(await answer).result.usedSize / MIB);
    await soak("calls", 100);
  }
  return Math.min(...looks);
}

async function inspect(): Promise<WebSocket> {
  const [target] = (await (await fetch(server.inspector)).json()) as { webSocketDebuggerUrl: string }[];
  // The dev server lets only some origins in.
  const socket = new WebSocket(target!.webSocketDebuggerUrl, { headers: { Origin: "http://localhost" } } as never);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", reject, { once: true });
  });
  return socket;
}

async function soak(what: "calls" | "blobs", count: number): Promise<void> {
  const response = await fetch(`${server.url}/${what}/${count}`, { method: "POST" });
  // The one client, and nothing that was made for its calls.
  expect(await response.json()).toBe(1);
}

test("R-03 100,000 small calls and 500 blobs of 1 MiB over one session: the heap returns to where it was", {
  timeout: 900_000,
}, async () => {
  const inspector = await inspect();
  const heaps: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await soak("calls", 100_000 / ROUNDS);
    await soak("blobs", 500 / ROUNDS);
    heaps.push(await heapMib(inspector));
  }
  inspector.close();
  const said = heaps.map((mib) => mib.toFixed(1)).join(", ");
  console.log(
    `heap in MiB after each tenth: ${said}; workerd's resident memory at the end: ${residentMib(server.process.pid, /^workerd/).toFixed(0)} MiB`,
  );
  expect(Math.min(...heaps.slice(-3)) - Math.min(...heaps.slice(0, 3))).toBeLessThan(BOUND_MIB);
});
