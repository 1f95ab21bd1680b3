import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { describe, expect, test } from "vitest";
import { Workspace } from "../../src/index.ts";
import { createMcpHandler, createMcpServer, type McpHandler, type McpHandlerOptions } from "../../src/mcp/index.ts";
import { MemoryComputer } from "../../src/testing/index.ts";

const URL = "https://computer.example/mcp";
const HEADERS = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

interface Under {
  readonly mcp: McpHandler;
  readonly workspace: Workspace;
  readonly storage: DurableObjectStorage;
  /** How many commands were ended from outside. */
  ended(): number;
}

async function handled(
  test: (under: Under) => Promise<void>,
  options: Partial<McpHandlerOptions> & { kept?: boolean } = {},
  id: DurableObjectId = env.BARE.newUniqueId(),
): Promise<void> {
  await runInDurableObject(env.BARE.get(id), async (_object, { storage }) => {
    let ended = 0;
    const commands = {
      wait: async ({ signal, stdout }: { signal: AbortSignal; stdout(text: string): void }) => {
        stdout("waiting\n");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        ended++;
      },
    };
    const workspace = new Workspace({ storage, backends: [new MemoryComputer({ commands })] });
    await workspace.fs.mkdir("/workspace", { recursive: true });
    const { kept = true, ...rest } = options;
    const mcp = createMcpHandler({ workspace, ...(kept && { storage }), ...rest });
    await test({ mcp, workspace, storage, ended: () => ended });
    await mcp.close();
    await workspace.close();
  });
}

function post(mcp: McpHandler, message: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  return mcp.fetch(new Request(URL, { method: "POST", headers: { ...HEADERS, ...headers }, body }));
}

/** Begins a session, and gives its id. */
async function begin(mcp: McpHandler): Promise<string> {
  const response = await post(mcp, INITIALIZE);
  await response.text();
  return response.headers.get("Mcp-Session-Id") ?? "";
}

/** The message that answers. */
async function answer(
  response: Response,
): Promise<{ result?: { content: { text: string }[] }; error?: { message: string } }> {
  const data = [...(await response.text()).matchAll(/^data: (\{.*)$/gm)].map((match) => JSON.parse(match[1]!));
  return data.find((message) => "result" in message || "error" in message);
}

function call(name: string, args: object, id = 1): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
}

describe("what is no session", () => {
  test.each([
    ["a message before initialize", call("ls", {}), {}, 400, "begin a session"],
    ["no JSON", "{", {}, 400, "no JSON"],
    ["a long first message", `"${"x".repeat(300_000)}"`, {}, 413, "short"],
    ["a session that there is not", call("ls", {}), { "Mcp-Session-Id": "x" }, 404, "begin a new one"],
    ["a page of elsewhere", INITIALIZE, { Origin: "https://evil.example" }, 403, "https://evil.example may not"],
  ])("%s is refused", async (_, message, headers, status, words) => {
    await handled(async ({ mcp }) => {
      const response = await post(mcp, message, headers as Record<string, string>);
      expect(response.status).toBe(status);
      const { error } = (await response.json()) as { error: { message: string } };
      expect(error.message).toContain(words);
    });
  });

  test("what cannot be begun leaves nothing", async () => {
    await handled(async ({ mcp, storage }) => {
      const response = await post(mcp, INITIALIZE, { Accept: "text/html" });
      expect(response.status).toBe(406);
      expect((await storage.list({ prefix: "mcp:" })).size).toBe(0);
    });
  });

  test("a stream to wait for what the server says by itself there is not", async () => {
    await handled(async ({ mcp }) => {
      const id = await begin(mcp);
      const headers = { Accept: "text/event-stream", "Mcp-Session-Id": id };
      expect((await mcp.fetch(new Request(URL, { headers }))).status).toBe(405);
      expect((await mcp.fetch(new Request(URL, { method: "DELETE" }))).status).toBe(405);
    });
  });

  test("pages of one's own, and of origins that are allowed, may call", async () => {
    await handled(
      async ({ mcp }) => {
        for (const Origin of ["https://computer.example", "https://chat.example"]) {
          const response = await post(mcp, INITIALIZE, { Origin });
          expect(response.status).toBe(200);
          await response.text();
        }
      },
      { allowedOrigins: ["https://chat.example"] },
    );
    expect(() => createMcpHandler({ workspace: {} as never, allowedOrigins: ["chat.example"] })).toThrow("is none");
  });
});

describe("a session", () => {
  test("goes on after the object was out of memory, and ends when its client says so", async () => {
    const id = env.BARE.newUniqueId();
    let session = "";
    await handled(
      async ({ mcp }) => {
        session = await begin(mcp);
      },
      {},
      id,
    );
    await evictDurableObject(env.BARE.get(id));
    await handled(
      async ({ mcp, storage }) => {
        const headers = { "Mcp-Session-Id": session, "Mcp-Protocol-Version": "2025-11-25" };
        const [one, two] = await Promise.all([
          post(mcp, call("write", { path: "a", content: "x" }, 1), headers).then(answer),
          post(mcp, call("ls", { path: "/workspace" }, 2), headers).then(answer),
        ]);
        expect([one.error, two.error]).toEqual([undefined, undefined]);
        const ended = await mcp.fetch(new Request(URL, { method: "DELETE", headers }));
        expect(ended.status).toBe(200);
        expect((await post(mcp, call("ls", {}), headers)).status).toBe(404);
        expect((await storage.list({ prefix: "mcp:" })).size).toBe(0);
      },
      {},
      id,
    );
  });

  test("ends with the memory where nothing keeps it, and the client is told to begin again", async () => {
    let session = "";
    const id = env.BARE.newUniqueId();
    await handled(
      async ({ mcp }) => {
        session = await begin(mcp);
      },
      { kept: false },
      id,
    );
    await handled(
      async ({ mcp }) => {
        expect((await post(mcp, call("ls", {}), { "Mcp-Session-Id": session })).status).toBe(404);
      },
      { kept: false },
      id,
    );
  });

  test("of a hundred clients the one that was used longest ago begins again", async () => {
    await handled(async ({ mcp, storage }) => {
      const first = await begin(mcp);
      const [key = ""] = (await storage.list({ prefix: "mcp:" })).keys();
      await storage.put(key, { ...(await storage.get<object>(key)), usedAt: Date.now() - 5_000 });
      for (let index = 0; index < 100; index++) await begin(mcp);
      expect((await storage.list({ prefix: "mcp:" })).size).toBe(100);
      expect((await post(mcp, call("ls", {}), { "Mcp-Session-Id": first })).status).toBe(404);
    });
  });

  test("one not used for a week is over", async () => {
    await handled(async ({ mcp, storage }) => {
      const session = await begin(mcp);
      const [key = ""] = (await storage.list({ prefix: "mcp:" })).keys();
      await storage.put(key, { ...(await storage.get<object>(key)), usedAt: Date.now() - 8 * 24 * 3_600_000 });
      await mcp.close();
      expect((await post(mcp, call("ls", {}), { "Mcp-Session-Id": session })).status).toBe(404);
    });
  });

  test("gives a client that lost its connection what it missed of a call", async () => {
    await handled(async ({ mcp }) => {
      const headers = { "Mcp-Session-Id": await begin(mcp), "Mcp-Protocol-Version": "2025-11-25" };
      const response = await post(mcp, call("exec", { command: "wait", timeout: 1 }), headers);
      const reader = response.body?.getReader();
      const primer = new TextDecoder().decode((await reader?.read())?.value);
      await reader?.cancel();
      const last = /^id: (\S+)$/m.exec(primer)?.[1] ?? "";
      const resumed = await mcp.fetch(
        new Request(URL, { headers: { ...headers, Accept: "text/event-stream", "Last-Event-ID": last } }),
      );
      expect(resumed.status).toBe(200);
      expect((await answer(resumed)).result?.content[0]?.text).toContain("waiting");
    });
  });

  test("that ends, ends its running commands", async () => {
    await handled(async ({ mcp, ended }) => {
      const session = await begin(mcp);
      const headers = { "Mcp-Session-Id": session, "Mcp-Protocol-Version": "2025-11-25" };
      const running = await post(mcp, call("exec", { command: "wait" }), headers);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await mcp.fetch(new Request(URL, { method: "DELETE", headers }));
      await running.text();
      expect(ended()).toBe(1);
    });
  });
});

test("the server over any transport: its name, its tools and what they are, images and PDFs", async () => {
  await handled(async ({ workspace }) => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const server = createMcpServer({
      workspace,
      readonly: true,
      name: "files",
      version: "2.0.0",
      instructions: "Look.",
    });
    await server.connect(ours as Transport);
    const client = new Client({ name: "test", version: "1" });
    await client.connect(theirs as Transport);
    expect(client.getServerVersion()).toMatchObject({ name: "files", version: "2.0.0" });
    expect(client.getInstructions()).toBe("Look.");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["read", "ls", "find", "grep"]);
    expect(tools[1]).toMatchObject({
      inputSchema: { type: "object", required: ["path"] },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    await workspace.fs.writeFile("/workspace/a b.pdf", "%PDF-1.7");
    await workspace.fs.writeFile("/workspace/g", "GIF89a");
    expect(await client.callTool({ name: "read", arguments: { path: "a b.pdf" } })).toMatchObject({
      content: [
        { type: "text" },
        {
          type: "resource",
          resource: { uri: "workspace:///workspace/a%20b.pdf", mimeType: "application/pdf", blob: btoa("%PDF-1.7") },
        },
      ],
    });
    expect(await client.callTool({ name: "read", arguments: { path: "g" } })).toMatchObject({
      content: [{ type: "text" }, { type: "image", mimeType: "image/gif", data: btoa("GIF89a") }],
    });
    await client.close();
  });
});
