/** The example as its README has it, in a dev server, its computers those of a host of this machine. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DevServer, type LocalHost, startDevServer, startHost } from "../../../scripts/local-stack.ts";

const FOLDER = join(import.meta.dirname, "..");
const README = readFileSync(join(FOLDER, "README.md"), "utf8");

const state = mkdtempSync(join(tmpdir(), "egress-example-"));
let host: LocalHost;
let server: DevServer;

beforeAll(async () => {
  host = await startHost();
  server = await startDevServer({ host, state, config: join(FOLDER, "wrangler.jsonc") });
});

afterAll(async () => {
  await server?.process.stop();
  await host?.process.stop();
  rmSync(state, { recursive: true, force: true });
});

test("the README's scripts and results", async () => {
  const scripts = [...README.matchAll(/localhost:8787(\S+\/exec) --data-binary '([^']*)'/g)];
  const results = (/```json\n([\s\S]*?)\n```/.exec(README)?.[1] ?? "").split("\n");
  expect(scripts).toHaveLength(3);
  expect(results).toHaveLength(3);
  for (const [at, [, path = "", script = ""]] of scripts.entries()) {
    const response = await fetch(server.url + path, { method: "POST", body: script });
    expect(await response.json()).toEqual(JSON.parse(results[at]!));
  }
});

test("what does not come from a computer is not let through", async () => {
  const response = await fetch(`${server.url}/gateway/else`, { headers: { "Computer-Egress-Token": "guessed" } });
  expect(response.status).toBe(404);
});
