import { env, runInDurableObject } from "cloudflare:test";
import { exports } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { type FileStore, getWorkspace, WorkspaceFileStore } from "../src/index.ts";

async function text(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let all = "";
  for await (const chunk of chunks) all += decoder.decode(chunk, { stream: true });
  return all;
}

describe("a file store", () => {
  async function check(store: WorkspaceFileStore): Promise<void> {
    const bytes = new TextEncoder().encode("a text");
    expect(await store.stat("/workspace/a/b.txt")).toBeNull();
    expect(await store.readAll("/workspace/a/b.txt")).toBeNull();
    await store.write("/workspace/a/b.txt", bytes, { mode: 0o600 });
    expect(await store.stat("/workspace/a/b.txt")).toMatchObject({ size: 6, mode: 0o600 });
    expect(await store.stat("/workspace/a/b.txt/c")).toBeNull();
    expect(await store.readAll("/workspace/a/b.txt")).toEqual(bytes);
    expect(await text(store.readChunks("/workspace/a/b.txt", 2, 3))).toBe("tex");
    await expect(text(store.readChunks("/nowhere"))).rejects.toMatchObject({ code: "ENOENT" });
    await store.remove("/workspace/a", { recursive: true });
    expect(await store.readAll("/workspace/a/b.txt")).toBeNull();
    await store.remove("/workspace/a", { force: true });
  }

  test("works on a workspace, and two over the same files lock on the same", async () => {
    await runInDurableObject(env.WORKSPACE.get(env.WORKSPACE.newUniqueId()), async (object) => {
      const client = getWorkspace(object);
      await check(new WorkspaceFileStore(client));
      const stores: FileStore[] = [new WorkspaceFileStore(client), new WorkspaceFileStore(client)];
      expect(stores[0]?.lockIdentity).toBe(stores[1]?.lockIdentity);
    });
  });

  test("works on a client in another isolate", async () => {
    using client = getWorkspace(env.WORKSPACE.get(env.WORKSPACE.newUniqueId()));
    await check(new WorkspaceFileStore(client));
  });
});

describe("WorkspaceServiceProxy", () => {
  test("hands out the workspace of the object it names, by id or by name too", async () => {
    const id = env.WORKSPACE.newUniqueId().toString();
    const service = exports.WorkspaceServiceProxy({ props: { binding: "WORKSPACE", id } });
    using stub = await service.getWorkspace();
    await stub.fs.writeFile("/here", "by proxy");
    using client = getWorkspace(env.WORKSPACE.get(env.WORKSPACE.idFromString(id)));
    expect(await client.fs.readFile("/here", "utf8")).toBe("by proxy");
    const named = env.WORKSPACE.idFromName("alice").toString();
    using alice = await exports
      .WorkspaceServiceProxy({ props: { binding: "WORKSPACE", id: named, name: "alice" } })
      .getWorkspace();
    expect(await alice.fs.exists("/here")).toBe(false);
  });

  test("names what is wrong with its reference", async () => {
    const id = env.WORKSPACE.newUniqueId().toString();
    const refused = (props: { binding: string; id: string; name?: string }): Promise<string> =>
      exports
        .WorkspaceServiceProxy({ props })
        .getWorkspace()
        .then(
          () => "not refused",
          (error: Error) => error.message,
        );
    expect(await refused({ binding: "WORKSPACES", id })).toMatch(/EOPTION: .*WORKSPACES.*wrangler/);
    expect(await refused({ binding: "WORKSPACE", id: "alice" })).toMatch(/EOPTION: .*ctx\.id\.toString/);
    expect(await refused({ binding: "WORKSPACE", id, name: "bob" })).toMatch(/EOPTION: .*bob/);
  });
});

describe("WorkspaceProxy", () => {
  test("sends a request on to the object, marked with the token of its props only", async () => {
    const id = env.WORKSPACE.newUniqueId().toString();
    const ask = async (props: object): Promise<unknown> => {
      const proxy = exports.WorkspaceProxy({ props: { binding: "WORKSPACE", id, ...props } });
      const headers = { "Computer-Egress-Token": "forged", "X-Own": "kept" };
      const response = await proxy.fetch("http://example.test/a?b=c", { method: "POST", body: "body", headers });
      return response.json();
    };
    const request = { url: "http://example.test/a?b=c", method: "POST", body: "body", own: "kept" };
    expect(await ask({})).toEqual({ ...request, token: null });
    expect(await ask({ egressToken: "real" })).toEqual({ ...request, token: "real" });
  });
});
