/** The example as its README has it, in a dev server. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DevServer, startDevServer } from "../../../scripts/local-stack.ts";

const FOLDER = join(import.meta.dirname, "..");
const README = readFileSync(join(FOLDER, "README.md"), "utf8");

const state = mkdtempSync(join(tmpdir(), "worker-shell-test-"));
let server: DevServer;

beforeAll(async () => {
  server = await startDevServer({ host: { url: "", token: "" }, state, config: join(FOLDER, "wrangler.jsonc") });
});

afterAll(async () => {
  await server?.process.stop();
  rmSync(state, { recursive: true, force: true });
});

function exec(script: string): Promise<Response> {
  return fetch(`${server.url}/exec`, { method: "POST", body: script });
}

test("the README's file, script and result", async () => {
  const [, path = "", text = ""] = /-X PUT localhost:8787(\S+) --data-binary '([^']*)'/.exec(README) ?? [];
  expect((await fetch(server.url + path, { method: "PUT", body: text })).status).toBe(204);
  const [, script = ""] = /localhost:8787\/exec --data-binary '([^']*)'/.exec(README) ?? [];
  const [, events = ""] = /```text\n([\s\S]*?)\n```/.exec(README) ?? [];
  const response = await exec(script);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(await response.text()).toBe(`${events}\n\n`);
  expect(await (await fetch(`${server.url}/files/top.tsv`)).text()).toBe("coffee\t5\ntea\t2\n");
});

test("output comes before the script has ended", async () => {
  const reader = (
    await exec("echo first; until [ -f go ]; do sleep 0.05; done; echo second; exit 3")
  ).body?.getReader();
  const next = async (): Promise<string> => new TextDecoder().decode((await reader?.read())?.value);
  expect(await next()).toContain('{"text":"first\\n"}');
  await fetch(`${server.url}/files/go`, { method: "PUT", body: "" });
  let rest = "";
  for (let piece = await next(); piece !== ""; piece = await next()) rest += piece;
  expect(rest).toContain('{"text":"second\\n"}');
  expect(rest).toContain('event: exit\ndata: {"code":3}');
});

test("what is not there is said", async () => {
  const missing = await fetch(`${server.url}/files/nothing`);
  expect(missing.status).toBe(404);
  expect(await missing.json()).toMatchObject({ error: { code: "ENOENT" } });
  expect(await (await exec("cat nothing")).text()).toContain("No such file or directory");
});
