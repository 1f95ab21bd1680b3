import { once } from "node:events";
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDaemon, type DaemonRPC, PROTOCOL_VERSION } from "@cloudflare/computer-rpc";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type DaemonServer, startServer } from "../src/server.ts";

const SECRET = "s3cret-of-the-test";
const dir = mkdtempSync(join(tmpdir(), "server-test-"));
const servers: DaemonServer[] = [];
let calls = 0;

// Nothing but hello is called in these tests.
const daemon = {
  hello: async () => {
    calls += 1;
    return { protocol: PROTOCOL_VERSION, runtimeId: "r", mount: "fuse" as const };
  },
} as DaemonRPC;

async function serve(secret: string | undefined, listen: Parameters<typeof startServer>[0]["listen"] = local()) {
  const server = await startServer({ listen, secret, daemon, health: () => ({ status: "ok", runtimeId: "r" }) });
  servers.push(server);
  return server;
}
const local = () => ({ port: 0, address: "127.0.0.1" });

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  calls = 0;
});
afterAll(() => rmSync(dir, { recursive: true }));

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** One request, an upgrade where told; `path` is sent as it is. */
function ask(
  address: string,
  path: string,
  { method = "GET", headers = {}, upgrade = false }: { method?: string; headers?: object; upgrade?: boolean } = {},
): Promise<Answer> {
  const upgrading = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const call = httpRequest({ hostname, port, path, method, headers: { ...headers, ...(upgrade && upgrading) } });
    call.on("error", reject);
    call.on("upgrade", ({ statusCode = 0 }, socket) => {
      socket.destroy();
      resolve({ status: statusCode, body: {} });
    });
    call.on("response", async (response) => {
      const pieces: Buffer[] = [];
      for await (const piece of response) pieces.push(piece);
      const text = Buffer.concat(pieces).toString();
      resolve({ status: response.statusCode ?? 0, body: text === "" ? {} : JSON.parse(text) });
    });
    call.end();
  });
}

describe("X-11 with a secret set", () => {
  const wrong: [string, object][] = [
    ["no token", {}],
    ["a wrong token", { authorization: `Bearer ${SECRET.slice(0, -1)}x` }],
    ["a part of the token", { authorization: `Bearer ${SECRET.slice(0, -1)}` }],
    ["a longer token", { authorization: `Bearer ${SECRET}x` }],
    ["an empty token", { authorization: "Bearer " }],
    ["another scheme", { authorization: `Basic ${SECRET}` }],
    ["the token alone", { authorization: SECRET }],
    ["the token in the query only", { "x-token": SECRET }],
  ];
  const routes: [string, string, boolean][] = [
    ["GET", "/api", false],
    ["GET", "/api", true],
    ["POST", "/api", false],
    ["GET", `/api?token=${SECRET}`, true],
    ["GET", "/", false],
    ["GET", "/none", false],
    ["GET", "/none", true],
    ["GET", "/health", true],
    ["GET", "/health/", false],
    ["POST", "/health", false],
    ["GET", "//api", true],
  ];

  test.each(wrong)("%s is refused on every route and upgrade", async (_, headers) => {
    const { address } = await serve(SECRET);
    for (const [method, path, upgrade] of routes) {
      const { status, body } = await ask(address, path, { method, headers, upgrade });
      expect([method, path, upgrade, status, body.code]).toEqual([method, path, upgrade, 401, "EUNAUTHORIZED"]);
      expect(JSON.stringify(body)).not.toContain(SECRET);
    }
    expect(calls).toBe(0);
  });

  test("health is open", async () => {
    const { address } = await serve(SECRET);
    expect(await ask(address, "/health")).toEqual({ status: 200, body: { status: "ok", runtimeId: "r" } });
    expect((await ask(address, "/health", { method: "HEAD" })).status).toBe(200);
  });

  test("the right token opens a session; other routes say what there is", async () => {
    const { address } = await serve(SECRET);
    const headers = { authorization: `Bearer ${SECRET}` };
    using session = await connectDaemon(new WebSocket(`${address}/api`, { headers }));
    expect(session.hello).toEqual({ protocol: PROTOCOL_VERSION, runtimeId: "r", mount: "fuse" });
    expect((await ask(address, "/api", { headers, upgrade: true })).status).toBe(101);
    expect(await ask(address, "/api", { headers })).toMatchObject({ status: 426, body: { code: "EUPGRADE" } });
    expect(await ask(address, "/api", { headers, method: "POST" })).toMatchObject({ status: 405 });
    expect(await ask(address, "/none", { headers, upgrade: true })).toMatchObject({
      status: 404,
      body: { code: "ENOROUTE" },
    });
  });
});

test("without a secret nobody is asked for one", async () => {
  const { address } = await serve(undefined);
  using session = await connectDaemon(new WebSocket(`${address}/api`));
  expect(session.hello.runtimeId).toBe("r");
});

test("a client that offers binary frames gets them, another gets text", async () => {
  const { address } = await serve(undefined);
  for (const [offered, chosen] of [
    [["computer.cbor.1"], "computer.cbor.1"],
    [["unknown", "computer.cbor.1"], "computer.cbor.1"],
    [[], ""],
  ] as const) {
    const socket = new WebSocket(`${address}/api`, [...offered]);
    await once(socket, "open");
    using session = await connectDaemon(socket);
    expect([socket.protocol, session.hello.runtimeId]).toEqual([chosen, "r"]);
  }
});

test("a session ends on the other side when the server closes", async () => {
  const server = await serve(undefined);
  const session = await connectDaemon(new WebSocket(`${server.address}/api`));
  await server.close();
  servers.length = 0;
  await session.closed;
  await expect(session.rpc.hello()).rejects.toMatchObject({ code: "ECONNECTION_LOST" });
});

describe("a Unix socket", () => {
  test("is listened at, taken over from a daemon that died, and removed at the end", async () => {
    const socketPath = join(dir, "a.sock");
    // A process that is killed leaves its socket behind; binding and not unlinking it makes the same.
    const dead = createServer().listen(socketPath);
    await new Promise((resolve) => dead.once("listening", resolve));
    renameSync(socketPath, `${socketPath}.kept`);
    await new Promise((resolve) => dead.close(resolve));
    renameSync(`${socketPath}.kept`, socketPath);

    const server = await serve(SECRET, { socketPath });
    expect(server.address).toBe(socketPath);
    const socket = new WebSocket(`ws+unix://${socketPath}:/api`, { headers: { authorization: `Bearer ${SECRET}` } });
    using session = await connectDaemon(socket);
    expect(session.hello.runtimeId).toBe("r");
    await server.close();
    servers.length = 0;
    expect(existsSync(socketPath)).toBe(false);
  });

  test("in use is not taken over", async () => {
    const socketPath = join(dir, "b.sock");
    await serve(undefined, { socketPath });
    await expect(serve(undefined, { socketPath })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});
