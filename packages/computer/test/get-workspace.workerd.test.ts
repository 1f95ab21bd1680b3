import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { ComputerError, FsError, getWorkspace, type LazyWorkspaceClient } from "../src/index.ts";
import type { WorkspaceObject } from "./workspace-object.ts";

function fresh(): DurableObjectStub<WorkspaceObject> {
  return env.WORKSPACE.get(env.WORKSPACE.newUniqueId());
}

async function error(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => "no error",
    (reason: unknown) => reason,
  );
}

describe("a client in another isolate", () => {
  test("reads and writes files, as text, bytes and streams", async () => {
    using client = getWorkspace(fresh());
    await client.fs.mkdir("/workspace/a", { recursive: true });
    await client.fs.writeFile("/workspace/a/text", "é");
    await client.fs.writeFile("/workspace/a/bytes", Uint8Array.of(1, 2, 3), { mode: 0o600 });
    const source = await client.fs.readFile("/workspace/a/text");
    await client.fs.writeFile("/workspace/a/stream", source);
    expect(await client.fs.readFile("/workspace/a/stream", "utf8")).toBe("é");
    expect(await client.fs.readFile("/workspace/a/text", { encoding: "utf8", byteOffset: 0, byteLength: 2 })).toBe("é");
    expect(await client.fs.stat("/workspace/a/bytes")).toMatchObject({ size: 3, mode: 0o600, isFile: true });
    expect((await client.fs.readdir("/workspace/a")).map(({ name }) => name)).toEqual(["bytes", "stream", "text"]);
    expect(await client.fs.ls("/workspace")).toEqual([
      "/workspace/a/bytes",
      "/workspace/a/stream",
      "/workspace/a/text",
    ]);
    expect(await client.fs.find("/workspace", "**/t*")).toEqual([{ path: "/workspace/a/text", type: "file" }]);
    expect(await client.fs.grep("é", "/workspace")).toHaveLength(2);
  });

  test("contents that no call could carry go as a stream", async () => {
    using client = getWorkspace(fresh());
    const large = new Uint8Array(40 * 1024 * 1024).fill(7);
    await client.fs.writeFile("/large", large);
    expect((await client.fs.stat("/large")).size).toBe(large.length);
    await client.fs.writeFile("/text", "é".repeat(9 * 1024 * 1024));
    expect((await client.fs.stat("/text")).size).toBe(18 * 1024 * 1024);
  });

  test.each([undefined, null, 5, {}, new ArrayBuffer(1), new DataView(new ArrayBuffer(1)), new Blob(["x"])])(
    "%o cannot be written, and the error is the object's own",
    async (content) => {
      using client = getWorkspace(fresh());
      // @ts-expect-error what a caller without types may give
      const refused = await error(client.fs.writeFile("/x", content));
      expect(refused).toBeInstanceOf(FsError);
      expect(refused).toMatchObject({
        message: "EINVAL: the content must be a string, a Uint8Array or a ReadableStream, open '/x'",
      });
      expect(await client.fs.exists("/x")).toBe(false);
    },
  );

  test("an error has its class, code, path and syscall", async () => {
    using client = getWorkspace(fresh());
    const missing = await error(client.fs.readFile("/nowhere/x", "utf8"));
    expect(missing).toBeInstanceOf(FsError);
    expect(missing).toMatchObject({
      code: "ENOENT",
      path: "/nowhere/x",
      syscall: "open",
      message: "ENOENT: no such file or directory, open '/nowhere/x'",
    });
    const moved = await error(client.fs.rename("/nowhere", "/there"));
    expect(moved).toMatchObject({ code: "ENOENT", path: "/nowhere", dest: "/there" });
    const unknown = await error(client.runtime.exec("x", { backend: "elsewhere" }));
    expect(unknown).toBeInstanceOf(ComputerError);
    expect(unknown).toMatchObject({ code: "EOPTION", message: expect.stringContaining("memory") });
  });

  test("runs with their result, their events, and again by id", async () => {
    using client = getWorkspace(fresh());
    using told = await client.runtime.exec`say ${"it's here"}`;
    expect(told.backend).toBe("memory");
    expect(await told.result()).toMatchObject({ status: "completed", stdout: "it's here" });
    using bytes = await client.runtime.exec("say é");
    expect([...(await bytes.result()).stdout]).toEqual([0xc3, 0xa9]);
    using read = await client.runtime.exec("lines 3", { id: "read" });
    const events = [];
    for await (const event of read) events.push(event);
    expect(events).toMatchObject([
      { id: "read", seq: 0, name: "stdout", value: Uint8Array.of(49, 10) },
      { seq: 1, value: Uint8Array.of(50, 10) },
      { seq: 2, value: Uint8Array.of(51, 10) },
      { seq: 3, name: "exit", code: 0 },
    ]);
    using again = await client.runtime.getExec("read", { encoding: "utf8", resume: 1 });
    expect(await again.result()).toMatchObject({ stdout: "3\n" });
    await client.runtime.disposeExec("read");
    expect(await error(client.runtime.getExec("read"))).toMatchObject({ code: "EEXEC_LOST" });
  });

  test("what is no command is refused as an option, and a handle let go of stays so", async () => {
    using client = getWorkspace(fresh());
    for (const source of [5, undefined, null, {}, ""]) {
      // @ts-expect-error what a caller without types may give
      expect(await error(client.runtime.exec(source))).toMatchObject({ code: "EOPTION" });
    }
    const handle = await client.runtime.exec("say x");
    handle[Symbol.dispose]();
    expect(await error(handle.result())).toMatchObject({ code: "EOPTION", message: expect.stringContaining("let go") });
    using read = await client.runtime.exec("say x");
    for await (const _ of read);
    expect(() => read.values()).toThrow(/^EOPTION: .*once/);
  });

  test("a run is killed through its handle and by its id", async () => {
    using client = getWorkspace(fresh());
    using first = await client.runtime.exec("hang");
    const result = first.result();
    await first.kill();
    expect(await result).toMatchObject({ status: "cancelled", exitCode: 143 });
    using second = await client.runtime.exec("hang", { id: "second" });
    await client.runtime.killExec("second", { signal: "SIGKILL" });
    expect(await second.result()).toMatchObject({ status: "cancelled", exitCode: 137 });
  });

  test("a long output is saved, and its result says where", async () => {
    using client = getWorkspace(fresh());
    using handle = await client.runtime.exec("lines 2500", { encoding: "utf8", id: "long" });
    const { stdout, truncated } = await handle.result();
    expect(stdout.startsWith("501\n")).toBe(true);
    expect(truncated?.stdout).toMatchObject({ status: "saved", path: "/.computer/output/long.stdout.txt" });
  });

  test("the list of computers must be awaited, and says so", async () => {
    using client = getWorkspace(fresh());
    const list = client.runtime.backends();
    expect(() => list.length).toThrow(/await client\.runtime\.backends\(\)/);
    expect(await list).toEqual([{ id: "memory", protocol: "command", callable: false }]);
  });

  test("nothing is connected before the first use, and after disposal nothing can be", async () => {
    let asked = 0;
    const client: LazyWorkspaceClient = getWorkspace(() => {
      asked += 1;
      return fresh();
    });
    expect(asked).toBe(0);
    await Promise.all([client.fs.exists("/a"), client.fs.exists("/b")]);
    expect(asked).toBe(1);
    client[Symbol.dispose]();
    expect(await error(client.fs.exists("/a"))).toMatchObject({ code: "EUNAVAILABLE" });
  });

  test("an object that was restarted is found again", async () => {
    const stub = fresh();
    using client = getWorkspace(() => env.WORKSPACE.get(stub.id));
    await client.fs.writeFile("/kept", "kept");
    await expect(runInDurableObject(stub, (_object, state) => state.abort("restarted by the test"))).rejects.toThrow();
    // The first call meets the broken stub, the second finds the object again.
    await client.fs.exists("/kept").catch(() => {});
    expect(await client.fs.readFile("/kept", "utf8")).toBe("kept");
  });

  test("what has no workspace is named", async () => {
    expect(await error(getWorkspace({}).fs.exists("/"))).toMatchObject({
      code: "EOPTION",
      message: expect.stringContaining("withWorkspace"),
    });
  });
});

describe("a client in the object itself", () => {
  test("works on the workspace without a stub", async () => {
    await runInDurableObject(fresh(), async (object) => {
      const before = object.liveTargets();
      using client = getWorkspace(object);
      await client.fs.writeFile("/here", "here");
      using handle = await client.runtime.exec`copy ${["/here", "/there"]}`;
      expect(await handle.result()).toMatchObject({ exitCode: 0 });
      expect(await client.fs.readFile("/there", "utf8")).toBe("here");
      expect(client.runtime.backends().map(({ id }) => id)).toEqual(["memory"]);
      expect(object.liveTargets()).toBe(before);
    });
  });
});
