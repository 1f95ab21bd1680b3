/** The example in a dev server, and a real client of the protocol's own SDK in front of it. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type CallToolResult, CallToolResultSchema, type Progress } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DevServer, startDevServer } from "../../../scripts/local-stack.ts";

const state = mkdtempSync(join(tmpdir(), "mcp-test-"));
let server: DevServer;

async function start(port?: number): Promise<void> {
  const config = join(import.meta.dirname, "..", "wrangler.jsonc");
  server = await startDevServer({ host: { url: "", token: "" }, state, config, port });
}

beforeAll(() => start());

afterAll(async () => {
  await server?.process.stop();
  rmSync(state, { recursive: true, force: true });
});

async function connect(name: string): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/${name}`));
  const client = new Client({ name: "test", version: "1" });
  // The SDK's own types differ in how they leave out what is optional.
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  return { client, transport };
}

function text(result: unknown): string {
  const { content } = result as CallToolResult;
  return content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}

test("a client finishes a task with every tool", async () => {
  const { client } = await connect("task");
  const { tools } = await client.listTools();
  const used = new Set<string>();
  const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
    used.add(name);
    const result = await client.callTool({ name, arguments: args });
    expect(result.isError, text(result)).not.toBe(true);
    return text(result);
  };
  expect(client.getInstructions()).toContain("/workspace");
  await call("write", { path: "orders.json", content: '[{"item":"tea","qty":2},{"item":"coffee","qty":5}]' });
  expect(await call("ls", { path: "/workspace" })).toContain("orders.json");
  await call("write", { path: "count.sh", content: "jq '[.[].qt] | add' orders.json > total.txt\ncat total.txt\n" });
  expect(await call("exec", { command: "sh count.sh", cwd: "/workspace" })).toContain("null");
  expect(await call("grep", { query: ".qt]", include: "*.sh" })).toContain("/workspace/count.sh:1:");
  expect(await call("edit", { path: "count.sh", edits: [{ oldText: ".qt]", newText: ".qty]" }] })).toContain(
    "first on line 1",
  );
  expect(await call("exec", { command: "sh count.sh", cwd: "/workspace" })).toBe("7\n");
  expect(await call("find", { pattern: "*.txt" })).toBe("/workspace/total.txt");
  expect(await call("read", { path: "total.txt" })).toBe("7\n");
  const link = /^http\S+/.exec(await call("publish", { path: "total.txt" }))?.[0] ?? "";
  expect(await (await fetch(link)).text()).toBe("7\n");
  expect((await fetch(`${link.slice(0, -1)}${link.endsWith("A") ? "B" : "A"}`)).status).toBe(403);
  await call("delete", { path: "count.sh" });
  expect(await call("find", { pattern: "*.sh" })).toContain("Nothing under /workspace");
  expect([...used].sort()).toEqual(tools.map(({ name }) => name).sort());
  expect(await client.callTool({ name: "read", arguments: { path: "nothing" } })).toMatchObject({ isError: true });
  expect(text(await client.callTool({ name: "read", arguments: {} }))).toContain('Send for example {"path"');
  await expect(client.callTool({ name: "dance", arguments: {} })).rejects.toThrow("There is no tool dance");
  await client.close();
});

test("a long command tells how far it is, and ends when its call is cancelled", async () => {
  const { client } = await connect("long");
  const heard: Progress[] = [];
  const request = {
    method: "tools/call" as const,
    params: { name: "exec", arguments: { command: "for i in 1 2 3; do echo step $i; sleep 0.6; done" } },
  };
  const result = await client.request(request, CallToolResultSchema, {
    onprogress: (progress) => heard.push(progress),
  });
  expect(text(result)).toBe("step 1\nstep 2\nstep 3\n");
  expect(heard.map(({ message }) => message)).toContain("step 2");
  expect(heard.map(({ progress }) => progress)).toEqual(heard.map((_, index) => index + 1));
  const silent = { ...request, params: { name: "exec", arguments: { command: "sleep 6; echo late" } } };
  const beats: Progress[] = [];
  await client.request(silent, CallToolResultSchema, { onprogress: (progress) => beats.push(progress) });
  expect(beats[0]?.message).toMatch(/^running for \d+ s$/);
  const stop = new AbortController();
  const command = "echo on; sleep 1; echo go; sleep 30; touch late";
  const endless = { ...request, params: { name: "exec", arguments: { command } } };
  const call = client.request(endless, CallToolResultSchema, {
    signal: stop.signal,
    onprogress: () => stop.abort("enough"),
  });
  await expect(call).rejects.toThrow("enough");
  expect(text(await client.callTool({ name: "exec", arguments: { command: "ls" } }))).toBe("[Exit code 0, no output.]");
  await client.close();
});

test("clients and computers are apart, and a session ends when its client says so", async () => {
  const [one, other] = [await connect("apart"), await connect("apart")];
  expect(one.transport.sessionId).not.toBe(other.transport.sessionId);
  await one.client.callTool({ name: "write", arguments: { path: "a", content: "one's" } });
  expect(text(await other.client.callTool({ name: "read", arguments: { path: "a" } }))).toBe("one's");
  const elsewhere = await connect("elsewhere");
  expect(text(await elsewhere.client.callTool({ name: "read", arguments: { path: "a" } }))).toContain("ENOENT");
  await one.transport.terminateSession();
  await expect(one.client.listTools()).rejects.toThrow();
  expect((await other.client.listTools()).tools).toHaveLength(9);
  for (const { client } of [one, other, elsewhere]) await client.close();
});

test("a session goes on after the server was started again", async () => {
  const { client, transport } = await connect("kept");
  await client.callTool({ name: "write", arguments: { path: "a", content: "kept" } });
  const { sessionId } = transport;
  const port = Number(new URL(server.url).port);
  await server.process.stop();
  await start(port);
  expect(text(await client.callTool({ name: "read", arguments: { path: "a" } }))).toBe("kept");
  expect(transport.sessionId).toBe(sessionId);
  await client.close();
});
