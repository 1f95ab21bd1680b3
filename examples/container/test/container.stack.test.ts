/** The example as its README has it, in a dev server, its computer one of a host of this machine. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DevServer, type LocalHost, startDevServer, startHost } from "../../../scripts/local-stack.ts";

const FOLDER = join(import.meta.dirname, "..");
const README = readFileSync(join(FOLDER, "README.md"), "utf8");

const state = mkdtempSync(join(tmpdir(), "container-example-"));
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

test("the README's file, script and result", async () => {
  const [, file = "", text = ""] = /-X PUT localhost:8787(\S+) --data-binary '([^']*)'/.exec(README) ?? [];
  expect((await fetch(server.url + file, { method: "PUT", body: text })).status).toBe(204);
  const [, exec = "", script = ""] = /localhost:8787(\S+\/exec) --data-binary '([^']*)'/.exec(README) ?? [];
  const [, result = ""] = /```json\n([\s\S]*?)\n```/.exec(README) ?? [];
  const response = await fetch(server.url + exec, { method: "POST", body: script });
  expect(await response.json()).toEqual(JSON.parse(result));
  expect(await (await fetch(`${server.url}/ada/files/sorted.txt`)).text()).toBe("1\n2\n3\n");
});

test("a computer that cannot be reached is told, and the files are there without it", async () => {
  const made = await fetch(`${server.url}/bob/exec`, {
    method: "POST",
    body: "echo kept > kept",
  });
  expect(await made.json()).toMatchObject({ exitCode: 0 });
  await host.process.stop();
  const lost = await fetch(`${server.url}/bob/exec`, { method: "POST", body: "cat kept" });
  expect([lost.status, await lost.json()]).toEqual([502, { error: expect.stringMatching(/EUNREACHABLE|ESYNC/) }]);
  expect(await (await fetch(`${server.url}/bob/files/kept`)).text()).toBe("kept\n");
  expect((await fetch(`${server.url}/bob/files/none`)).status).toBe(404);
});
