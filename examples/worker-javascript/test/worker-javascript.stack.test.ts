/** The example as its README has it, in a dev server; and a script that never yields, in one of its own. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type DevServer, startDevServer } from "../../../scripts/local-stack.ts";
import type { RunAnswer, RunRequest } from "../src/agent.ts";

const FOLDER = join(import.meta.dirname, "..");
const README = readFileSync(join(FOLDER, "README.md"), "utf8");

let server: DevServer | undefined;
const state = mkdtempSync(join(tmpdir(), "worker-javascript-test-"));

afterEach(async () => {
  await server?.process.stop();
  server = undefined;
  rmSync(state, { recursive: true, force: true });
});

async function start(): Promise<string> {
  server = await startDevServer({ host: { url: "", token: "" }, state, config: join(FOLDER, "wrangler.jsonc") });
  return server.url;
}

async function run(url: string, request: RunRequest, signal?: AbortSignal): Promise<RunAnswer> {
  const response = await fetch(`${url}/run`, {
    method: "POST",
    body: JSON.stringify(request),
    ...(signal === undefined ? {} : { signal }),
  });
  return response.json() as Promise<RunAnswer>;
}

test("the README's files, module and report", async () => {
  const url = await start();
  const puts = [...README.matchAll(/curl -X PUT localhost:8787(\S+) --data-binary \$?'([^']*)'/g)];
  expect(puts).toHaveLength(2);
  for (const [command, path = "", text = ""] of puts) {
    const body = command.includes("$'") ? text.replaceAll("\\n", "\n") : text;
    expect((await fetch(url + path, { method: "PUT", body })).status).toBe(200);
  }
  const request = JSON.parse(/--json @- <<'END'\n([\s\S]*?)\nEND/.exec(README)?.[1] ?? "") as RunRequest;
  const answer = await run(url, { ...request, id: "report" });
  expect(answer).toEqual({
    id: "report",
    status: "completed",
    exitCode: 0,
    stdout: "wrote report.md\n",
    stderr: "",
    value: { total: 28 },
  });
  expect(await (await fetch(`${url}/files/report.md`)).text()).toBe("# Sales\n\n28 EUR\n");
  expect(await (await fetch(`${url}/runs/report`)).json()).toEqual(answer);
  const refused = await fetch(`${url}/runs/none`);
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("EEXEC_LOST")]);

  await server?.process.stop();
  const again = await start();
  expect(await (await fetch(`${again}/runs/report`)).json()).toEqual(answer);
});

test("J-01 a loop that never yields stops a local dev server; started anew, the run has failed and the object answers", async () => {
  const url = await start();
  const source = `console.log("spins"); await new Promise((resolve) => setTimeout(resolve, 200)); while (true) {}`;
  const hung = run(url, { source, id: "spins", timeoutMs: 1000 }, AbortSignal.timeout(5000)).then(
    ({ status }) => status,
    () => "no answer",
  );
  // Where the platform enforces its CPU limit the run is cancelled; a local workerd has none, and hangs.
  expect(["no answer", "cancelled"]).toContain(await hung);
  await server?.process.stop();

  const again = await start();
  const look = (await (await fetch(`${again}/runs/spins`)).json()) as RunAnswer;
  expect(look).toMatchObject({ id: "spins", stdout: "spins\n" });
  expect(look.exitCode).not.toBe(0);
  expect(await run(again, { source: "export default () => 'answers'" })).toMatchObject({ value: "answers" });
});
