import { env, runInDurableObject } from "cloudflare:test";
import { createHash } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { ContainerBackend, type ContainerBackendOptions, computerdHost } from "../src/backends/container/index.ts";
import { type SyncProgress, Workspace } from "../src/index.ts";
import { describeComputer, shellSources } from "../src/testing/suite/index.ts";

const { url, token } = env.COMPUTER_HOST;
const started = new Set<string>();

function containerOf(id: string, more: Partial<ContainerBackendOptions> = {}): ContainerBackend {
  started.add(id);
  return new ContainerBackend({
    container: () => computerdHost({ url, token, id }),
    workspace: { binding: "BARE", id },
    ...more,
  });
}

const hex = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

async function stop(id: string): Promise<void> {
  await fetch(`${url}/computers/${id}`, { method: "DELETE", headers: { "Computer-Host-Token": token } });
}

async function inObject(
  stub: DurableObjectStub,
  body: (workspace: Workspace, storage: DurableObjectStorage) => Promise<void>,
): Promise<void> {
  await runInDurableObject(stub, async (_object, { storage, id }) => {
    const workspace = new Workspace({ storage, backends: [containerOf(id.toString())] });
    try {
      await body(workspace, storage);
    } finally {
      await workspace.close();
    }
  });
}

afterAll(async () => {
  for (const id of started) await stop(id);
});

// One computer for the whole suite: a start takes seconds. Its files are cleared between tests.
const shared = env.BARE.get(env.BARE.newUniqueId());

describeComputer("the container computer, a real one of a host behind a URL", async (body) => {
  await inObject(shared, async (workspace) => {
    await workspace.fs.rm("/workspace", { recursive: true, force: true });
    await body({ workspace, script: shellSources });
  });
});

describe("a computer of a host", () => {
  test("gets only what changed when the object has been restarted, and everything when it was replaced itself", async () => {
    const stub = env.BARE.get(env.BARE.newUniqueId());
    await inObject(stub, async (workspace) => {
      await workspace.fs.mkdir("/workspace");
      for (let file = 0; file < 20; file++) await workspace.fs.writeFile(`/workspace/${file}`, `${file}`);
      using handle = await workspace.runtime.exec("cat 7 > seven; chmod 755 seven; ln -s seven link");
      expect(await handle.result()).toMatchObject({ exitCode: 0, pulled: 2, sync: { mount: "fuse" } });
    });
    await inObject(stub, async (workspace) => {
      await workspace.fs.writeFile("/workspace/more", "more");
      using handle = await workspace.runtime.exec("cat link more", { encoding: "utf8" });
      expect(await handle.result()).toMatchObject({ stdout: "7more", pushed: 1, pulled: 0 });
      await stop(stub.id.toString());
      using next = await workspace.runtime.exec("cat link more; ls | wc -l", { encoding: "utf8" });
      const result = await next.result();
      expect(result.stdout).toMatch(/^7more\s*23\n$/);
      expect(result.pushed).toBeGreaterThanOrEqual(23);
      expect(await workspace.fs.stat("/workspace/seven")).toMatchObject({ mode: 0o755 });
    });
  });

  test("fetches a large file from the object when a command reads it, and not before", async () => {
    await inObject(env.BARE.get(env.BARE.newUniqueId()), async (workspace) => {
      await workspace.fs.mkdir("/workspace");
      const large = new Uint8Array(3_000_000).map((_, at) => (at * 7) % 253);
      for (const name of ["read", "unread"]) await workspace.fs.writeFile(`/workspace/${name}`, large);
      const steps: SyncProgress[] = [];
      for await (const step of workspace.push()) steps.push(step);
      expect(steps.at(-1)).toMatchObject({ bytes: 0, complete: true });
      const digest = hex(large);
      using handle = await workspace.runtime.exec("sha256sum read; cat read > copy; mv unread moved", {
        encoding: "utf8",
      });
      expect(await handle.result()).toMatchObject({
        stdout: `${digest}  read\n`,
        stderr: "",
        sync: { status: "complete" },
      });
      for (const name of ["copy", "moved"]) {
        const bytes = await new Response(await workspace.fs.readFile(`/workspace/${name}`)).bytes();
        expect(hex(bytes)).toBe(digest);
      }
    });
  });

  test("Y-04 a computer started anew has the files of both sides for its first command", async () => {
    const stub = env.BARE.get(env.BARE.newUniqueId());
    await inObject(stub, async (workspace) => {
      await workspace.fs.mkdir("/workspace");
      await workspace.fs.writeFile("/workspace/A", "of the workspace\n");
      using made = await workspace.runtime.exec("echo of the computer > B");
      expect(await made.result()).toMatchObject({ exitCode: 0, sync: { status: "complete" } });
      await stop(stub.id.toString());
      using both = await workspace.runtime.exec("cat A B", { encoding: "utf8" });
      expect(await both.result()).toMatchObject({ stdout: "of the workspace\nof the computer\n", exitCode: 0 });
    });
  });

  test("X-05 stopped while a command streams, it fails the run promptly and knows it no more", async () => {
    await inObject(env.BARE.get(env.BARE.newUniqueId()), async (workspace) => {
      using handle = await workspace.runtime.exec("echo begun; sleep 60", { id: "cut", encoding: "utf8" });
      const reader = handle.getReader();
      expect((await reader.read()).value).toMatchObject({ value: "begun\n" });
      for (const id of started) if (id !== shared.id.toString()) await stop(id);
      await expect(reader.read()).rejects.toMatchObject({
        code: "EEXEC_UNCERTAIN",
        message: expect.stringContaining("may have started"),
      });
      await expect(workspace.runtime.getExec("cut")).rejects.toMatchObject({ code: "EEXEC_LOST" });
      await expect(workspace.runtime.killExec("cut")).rejects.toMatchObject({ code: "EEXEC_LOST" });
    });
  });

  test("is told the variables of the container, and keeps its daemon's secret", async () => {
    const { id } = env.BARE.get(env.BARE.newUniqueId());
    await runInDurableObject(env.BARE.get(id), async (_object, { storage }) => {
      const backend = containerOf(id.toString(), { containerEnv: { COMPUTER_VAR_COLOUR: "dark blue" } });
      const workspace = new Workspace({ storage, backends: [backend] });
      using handle = await workspace.runtime.exec('echo "$COLOUR"; env', { encoding: "utf8" });
      const { stdout } = await handle.result();
      expect(stdout).toMatch(/^dark blue\n/);
      expect(stdout).not.toMatch(/SECRET|TOKEN/);
      await workspace.close();
    });
  });

  test("a wrong token, a host that is not there and one that is no host are told apart", async () => {
    const refusal = async (options: { url: string; token: string }): Promise<unknown> => {
      const container = (): ReturnType<typeof computerdHost> => computerdHost({ ...options, id: "x" });
      const backend = new ContainerBackend({ container, workspace: { binding: "BARE", id: "x" } });
      return backend.connect().catch((error: unknown) => error);
    };
    expect(await refusal({ url, token: "wrong" })).toMatchObject({
      code: "EUNAUTHORIZED",
      message: expect.stringContaining("the one that `computerd host` was started with"),
    });
    expect(await refusal({ url: "http://127.0.0.1:9", token })).toMatchObject({
      code: "EUNREACHABLE",
      message: expect.stringContaining("start one with `computerd host`"),
    });
    expect(await refusal({ url: `${url}/elsewhere`, token })).toMatchObject({ code: "EUNAVAILABLE" });
  });

  test("what is wrong with its options is named before anything is asked", () => {
    const workspace = { binding: "BARE", id: "x" };
    const container = (): ReturnType<typeof computerdHost> => computerdHost({ url, token, id: "x" });
    expect(() => new ContainerBackend({ container, workspace, contanerPort: 1 } as never)).toThrow(/containerPort\?/);
    expect(() => computerdHost({ url: "localhost:80", token, id: "x" })).toThrow(/url/);
    expect(() => computerdHost({ url, token, id: "../x" })).toThrow(/begin with a letter or digit/);
  });
});
