import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHostServer } from "../src/host/host-server.ts";
import { StateDirectory } from "../src/host/state-directory.ts";
import { Supervisor } from "../src/host/supervisor.ts";

const TOKEN = "a-token-of-a-host-0123456789";
const path = mkdtempSync(join(tmpdir(), "host-server-"));
let supervisor: Supervisor;
let server: ReturnType<typeof createHostServer>;
let port: number;

beforeAll(async () => {
  const state = await StateDirectory.open(path);
  supervisor = new Supervisor({ state, tools: [], log: () => {} });
  server = createHostServer({ token: TOKEN, supervisor: Promise.resolve(supervisor) });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});

afterAll(async () => {
  server.close();
  await supervisor.close();
  rmSync(path, { recursive: true });
});

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
}

// Not fetch, which would tidy the path before it is sent.
function call(method: string, target: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: "127.0.0.1", method, path: target, headers });
    outgoing.once("error", reject).once("response", async (response) => {
      let text = "";
      for await (const part of response.setEncoding("utf8")) text += part;
      resolve({ status: response.statusCode, body: text });
    });
    outgoing.end(body);
  });
}

const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };
const ROUTES = [
  ["GET", "/computers/a"],
  ["POST", "/computers/a"],
  ["DELETE", "/computers/a"],
  ["POST", "/computers/a/restart"],
  ["PUT", "/computers/a/inactivity"],
  ["GET", "/computers/a/port/8080/health"],
  ["GET", "/elsewhere"],
] as const;
const UPGRADE = { connection: "Upgrade", upgrade: "websocket" };

test("health is open", async () => {
  expect(await call("GET", "/health")).toEqual({ status: 200, body: '{"status":"ok"}\n' });
});

describe.each(ROUTES)("X-11 %s %s", (method, target) => {
  test.each([
    ["no token", {}],
    ["a wrong one", { authorization: "Bearer wrong" }],
    ["a wrong one in the host's own header", { "computer-host-token": "wrong" }],
    ["the right one under another scheme", { authorization: `Basic ${TOKEN}` }],
    ["part of it", { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ["an upgrade without", UPGRADE],
    ["an upgrade with a wrong one", { ...UPGRADE, "computer-host-token": "wrong" }],
  ])("with %s", async (_, headers) => {
    const { status, body } = await call(method, target, headers);
    expect([status, JSON.parse(body).code]).toEqual([401, "EUNAUTHORIZED"]);
  });

  test("with the right one in the host's own header", async () => {
    const { status } = await call(method, target, { "computer-host-token": TOKEN }, "{ not json");
    expect(status).not.toBe(401);
  });
});

test("on a port's route the Authorization header is not the host's", async () => {
  const answer = await call("GET", "/computers/a/port/8080/health", AUTHORIZED);
  expect(answer.status).toBe(401);
  expect(answer.body).toContain("Computer-Host-Token");
});

test.each([
  ["GET", "/computers/a", undefined, 200, '"running":false'],
  ["DELETE", "/computers/a", undefined, 204, ""],
  ["PUT", "/computers/a/inactivity", '{"ms":1000}', 404, "EUNKNOWN"],
  ["PUT", "/computers/a/inactivity", '{"ms":0}', 400, "EINVAL"],
  ["PUT", "/computers/a/inactivity", undefined, 400, "EINVAL"],
  ["POST", "/computers/a", "{", 400, "not JSON"],
  ["POST", "/computers/a", '{"evn":{}}', 400, "evn"],
  ["POST", "/computers/a", '{"env":{"A":1}}', 400, "EINVAL"],
  ["POST", "/computers/a", '{"env":{"A=B":"c"}}', 400, "EINVAL"],
  ["POST", "/computers/a", JSON.stringify({ env: { A: "x".repeat(2 ** 20) } }), 413, "1048576 bytes"],
  ["POST", "/computers/..", undefined, 400, "EINVAL"],
  ["POST", "/computers/.hidden", undefined, 400, "EINVAL"],
  ["POST", "/computers/a%2fb", undefined, 400, "EINVAL"],
  ["POST", `/computers/${"a".repeat(129)}`, undefined, 400, "EINVAL"],
  ["POST", "/computers/", undefined, 404, "ENOROUTE"],
  ["POST", "/computers/a/b", undefined, 404, "ENOROUTE"],
  ["PATCH", "/computers/a", undefined, 404, "ENOROUTE"],
  ["GET", "/computers/a/port/0/", undefined, 400, "not a port"],
  ["GET", "/computers/a/port/65536", undefined, 400, "not a port"],
  ["GET", "/computers/../port/8080/", undefined, 400, "EINVAL"],
  ["GET", "/computers/a/port/8080/health", undefined, 503, "POST /computers/a starts it"],
  ["GET", "/computers/a/port/08x", undefined, 404, "ENOROUTE"],
])("%s %.60s with %.30s is answered %i", async (method, target, body, status, text) => {
  const answer = await call(method, target, { "computer-host-token": TOKEN }, body);
  expect(answer.status).toBe(status);
  expect(answer.body).toContain(text);
});

test("a directory that others may enter, or that another host uses, is refused", async () => {
  await expect(StateDirectory.open("/tmp")).rejects.toMatchObject({ code: "EOPTION" });
  const { default: child } = await import("node:child_process");
  const source = `import { StateDirectory } from ${JSON.stringify(join(import.meta.dirname, "../src/host/state-directory.ts"))};
    await StateDirectory.open(${JSON.stringify(path)}).catch((error) => console.log(error.message));`;
  const { stdout } = child.spawnSync(process.execPath, ["--input-type=module", "-e", source], { encoding: "utf8" });
  expect(stdout).toContain(`the host with process id ${process.pid} uses ${path}`);
});
