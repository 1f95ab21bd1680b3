import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { TestBackend, type TestBackendOptions, Workspace } from "../src/index.ts";

const { url, control, scratch } = env.LONE_DAEMON;

async function withDaemon(
  body: (workspace: Workspace) => Promise<void>,
  options: Partial<TestBackendOptions> = {},
): Promise<void> {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage }) => {
    const workspace = new Workspace({ storage, backends: [new TestBackend({ url, ...options })] });
    try {
      await body(workspace);
    } finally {
      await workspace.close();
    }
  });
}

function refusal(options: TestBackendOptions): Promise<unknown> {
  return new TestBackend(options).connect().catch((error: unknown) => error);
}

describe("TestBackend on a daemon that runs already", () => {
  test("runs commands over the files, and brings back what they wrote", async () => {
    await withDaemon(
      async (workspace) => {
        await workspace.fs.mkdir("/workspace", { recursive: true });
        await workspace.fs.writeFile("/workspace/in", "one\ntwo\n");
        using run = await workspace.runtime.exec("wc -l <in >out", { encoding: "utf8" });
        expect(run.backend).toBe("mine");
        expect(await run.result()).toMatchObject({
          exitCode: 0,
          stderr: "",
          sync: { status: "complete", mount: "fuse" },
        });
        expect((await workspace.fs.readFile("/workspace/out", "utf8")).trim()).toBe("2");
      },
      { id: "mine" },
    );
  });

  test("a ws address is the same as an http one, with or without the path of the socket", async () => {
    for (const address of [url.replace("http:", "ws:"), `${url}/api`]) {
      const handle = await new TestBackend({ url: address }).connect();
      expect(handle).toMatchObject({ mount: "fuse", runtimeId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
      await handle.close();
    }
  });

  test("a wrong secret, no daemon, and an address that is none are told apart", async () => {
    const wrong = url.replace(/:[^:@]+@/, ":wrong@");
    expect(await refusal({ url: wrong })).toMatchObject({ code: "EUNAUTHORIZED" });
    expect(await refusal({ url: control })).toMatchObject({ code: "EUNREACHABLE" });
    expect(() => new TestBackend({ url: "localhost:80" })).toThrow(/http or ws address/);
    expect(() => new TestBackend({ url, idd: "x" } as never)).toThrow(/idd.*id/);
  });

  test("X-05 killed while a command streams, the daemon's run fails promptly, is lost on the replacement, and ran exactly once", async () => {
    await withDaemon(async (workspace) => {
      const counter = `${scratch}/runs`;
      const source = `echo run >>${counter}; echo begun; sleep 15`;
      using run = await workspace.runtime.exec(source, { id: "cut", encoding: "utf8" });
      const reader = run.getReader();
      expect((await reader.read()).value).toMatchObject({ value: "begun\n" });
      await fetch(`${control}/replace`, { method: "POST" });
      await expect(reader.read()).rejects.toMatchObject({
        code: "EEXEC_UNCERTAIN",
        message: expect.stringContaining("may have started"),
      });
      await expect(workspace.runtime.getExec("cut")).rejects.toMatchObject({ code: "EEXEC_LOST" });
      await expect(workspace.runtime.killExec("cut")).rejects.toMatchObject({ code: "EEXEC_LOST" });
      using next = await workspace.runtime.exec(`cat ${counter}`, { encoding: "utf8" });
      expect((await next.result()).stdout).toBe("run\n");
      expect(await (await fetch(`${control}/runs`)).text()).toBe("run\n");
    });
  });
});
