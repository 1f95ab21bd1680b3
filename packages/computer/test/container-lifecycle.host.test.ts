import { env, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  ContainerBackend,
  type ContainerBackendOptions,
  type ContainerHostHolder,
  WorkspaceContainerAPI,
} from "../src/backends/container/index.ts";
import { Workspace } from "../src/index.ts";
import { FakeContainer } from "./fake-container.ts";

interface Own {
  readonly container: FakeContainer;
  readonly api: WorkspaceContainerAPI;
  /** The same object and container after the object was restarted. */
  restarted(): WorkspaceContainerAPI;
  workspace(options?: Partial<ContainerBackendOptions>): Workspace;
}

/** One with nothing in it that answers, which is there at once. */
const SPEC = { env: { COMPUTER_VAR_A: "1" }, enableInternet: false, entrypoint: ["sleep", "60"] };
const used: FakeContainer[] = [];

/** In an object that has a container of its own. */
async function inObject(body: (own: Own) => Promise<void>): Promise<void> {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage, exports, id }) => {
    const container = new FakeContainer(env.CONTAINER_YARD);
    used.push(container);
    const restarted = (): WorkspaceContainerAPI => new WorkspaceContainerAPI({ storage, exports, container });
    const api = restarted();
    const open: Workspace[] = [];
    const workspace = (options: Partial<ContainerBackendOptions> = {}): Workspace => {
      const backend = new ContainerBackend({
        container: () => ({ getWorkspaceContainer: () => api }),
        workspace: { binding: "BARE", id: id.toString() },
        ...options,
      });
      open.push(new Workspace({ storage, backends: [backend] }));
      return open.at(-1)!;
    };
    try {
      await body({ container, api, restarted, workspace });
    } finally {
      for (const each of open) await each.close();
      if (container.running) await container.destroy();
    }
  });
}

async function run(workspace: Workspace, source: string): Promise<string> {
  using handle = await workspace.runtime.exec(source, { encoding: "utf8" });
  const { stdout, exitCode, stderr } = await handle.result();
  expect([exitCode, stderr]).toEqual([0, ""]);
  return stdout;
}

afterEach(() => {
  expect(used.splice(0).filter(({ running }) => running)).toEqual([]);
});

describe("a container of the object's own", () => {
  test("is started once with a secret and an identity of its own, and adopted with the same settings in any order", async () => {
    await inObject(async ({ api, container }) => {
      expect(await api.status()).toEqual({ running: false, exit: null });
      const [first, second] = await Promise.all([
        api.start({ ...SPEC, env: { COMPUTER_VAR_A: "1", COMPUTER_VAR_B: "2" } }),
        api.start({
          entrypoint: ["sleep", "60"],
          enableInternet: false,
          env: { COMPUTER_VAR_B: "2", COMPUTER_VAR_A: "1" },
        }),
      ]);
      expect(first.outcome).toBe("launched");
      expect(second).toEqual({ ...first, outcome: "adopted" });
      expect(first.clientSecret).toMatch(/^[0-9a-f]{64}$/);
      expect(container.starts).toEqual([
        {
          env: {
            COMPUTER_VAR_A: "1",
            COMPUTER_VAR_B: "2",
            RPC_CLIENT_SECRET: first.clientSecret,
            RUNTIME_ID: first.runtimeId,
          },
          enableInternet: false,
          entrypoint: ["sleep", "60"],
        },
      ]);
      expect(await api.status()).toEqual({ running: true, exit: null });
    });
  });

  test("is found again by the object after a restart of its own, with what was running in it", async () => {
    await inObject(async ({ api, container, restarted, workspace }) => {
      const before = await api.start(SPEC);
      expect(await restarted().start(SPEC)).toEqual({ ...before, outcome: "adopted" });
      const options = { container: () => ({ getWorkspaceContainer: restarted }) };
      await run(workspace(options), "echo kept > a; sleep 30 > /dev/null 2>&1 & echo $! > pid");
      expect(await run(workspace(options), "cat a; kill $(cat pid) && echo ran")).toBe("kept\nran\n");
      // The backend asks for other settings than SPEC: one more start, and then none.
      expect(container.starts).toHaveLength(2);
    });
  });

  test("is replaced where other settings are asked for, and gets a fresh secret", async () => {
    await inObject(async ({ api, container }) => {
      const before = await api.start(SPEC);
      const after = await api.start({ ...SPEC, enableInternet: true });
      expect(after.outcome).toBe("relaunched");
      expect(after.clientSecret).not.toBe(before.clientSecret);
      expect(after.runtimeId).not.toBe(before.runtimeId);
      expect(await api.exitInfo()).toMatchObject({ reason: "replaced" });
      expect((await api.restart({ ...SPEC, enableInternet: true })).outcome).toBe("relaunched");
      expect(await api.exitInfo()).toMatchObject({ reason: "restarted" });
      expect(container.starts).toHaveLength(3);
      await container.destroy();
      expect(await api.status()).toMatchObject({
        running: false,
        exit: { reason: expect.stringMatching(/^crashed: /) },
      });
    });
  });

  test("that crashes fails the run promptly; the next run finds all files in another one", async () => {
    await inObject(async ({ api, container, workspace }) => {
      const computer = workspace();
      await run(computer, "echo of the first life > file");
      using handle = await computer.runtime.exec("echo begun; sleep 60", { encoding: "utf8" });
      const reader = handle.getReader();
      expect((await reader.read()).value).toMatchObject({ value: "begun\n" });
      container.signal(9);
      await expect(reader.read()).rejects.toMatchObject({ code: "EEXEC_UNCERTAIN" });
      expect(await run(computer, "cat file")).toBe("of the first life\n");
      expect(await api.exitInfo()).toMatchObject({
        reason: expect.stringMatching(/^crashed: Container exited with unexpected exit code: (SIGKILL|137)$/),
        exitedAt: expect.any(Number),
      });
      expect(container.starts).toHaveLength(2);
    });
  });

  test("whose daemon does not come up is started anew as often as allowed, and then told with its end", async () => {
    await inObject(async ({ container, workspace }) => {
      const never = workspace({ launch: { entrypoint: ["sleep", "60"] }, connectTimeoutMs: 900, restartAttempts: 2 });
      await expect(never.runtime.exec("true")).rejects.toMatchObject({ code: "EUNREACHABLE" });
      expect(container.starts).toHaveLength(3);
      const ends = workspace({
        launch: { entrypoint: ["false"] },
        connectTimeoutMs: 30_000,
        restartAttempts: 0,
        id: "b",
      });
      await expect(ends.runtime.exec("true")).rejects.toThrow(/The container ended: crashed: .*exit code: 1/);
    });
  });

  test("that was started behind the object's back is replaced, since nobody has its secret", async () => {
    await inObject(async ({ container, api, workspace }) => {
      container.start({ env: { RPC_CLIENT_SECRET: "of somebody else" } });
      expect(await run(workspace(), "echo in")).toBe("in\n");
      expect(container.starts).toHaveLength(2);
      expect((await api.status()).running).toBe(true);
    });
  });

  test("sleeps when nobody uses it but not during a command, and wakes with all files", async () => {
    await inObject(async ({ api, container, workspace }) => {
      await expect(api.setInactivityTimeout(0)).rejects.toMatchObject({ code: "EOPTION" });
      await api.setInactivityTimeout(2500);
      const computer = workspace({ heartbeatIntervalMs: 200 });
      expect(await run(computer, "echo before > file; sleep 5; echo there")).toBe("there\n");
      expect(container.inactivityMs).toBe(2500);
      await vi.waitFor(() => expect(container.running).toBe(false), { timeout: 30_000, interval: 50 });
      expect(await api.exitInfo()).toMatchObject({ reason: "idle" });
      expect(await run(computer, "cat file")).toBe("before\n");
      expect(container.starts).toHaveLength(2);
    });
  });

  test("of a deployment with another image is replaced by one of that", async () => {
    await inObject(async ({ container, api, workspace }) => {
      container.images = { base: "registry/base@sha256:1" };
      await run(workspace(), "echo of the old one > file");
      expect(container.starts.at(-1)).toMatchObject({ image: "registry/base@sha256:1" });
      container.images = { base: "registry/base@sha256:2" };
      expect(await run(workspace(), "cat file")).toBe("of the old one\n");
      expect(container.starts.at(-1)).toMatchObject({ image: "registry/base@sha256:2" });
      expect(await api.exitInfo()).toMatchObject({ reason: "replaced" });
    });
  });

  test("has the image, size and labels that are asked for", async () => {
    await inObject(async ({ container, api }) => {
      container.images = { base: "registry/base@sha256:1", pandoc: "registry/pandoc@sha256:2" };
      const started = async (spec: object): Promise<unknown> => {
        await api.start({ ...SPEC, ...spec });
        return container.starts.at(-1);
      };
      await expect(api.start(SPEC)).rejects.toThrow(/launch: { image: "base" }.*There are base, pandoc/);
      await expect(api.start({ ...SPEC, image: "pandok" })).rejects.toThrow(/no image pandok/);
      expect(container.starts).toEqual([]);
      expect(await started({ image: "pandoc", instance: "standard-1", labels: { a: "b" } })).toMatchObject({
        image: "registry/pandoc@sha256:2",
        instance: "standard-1",
        labels: { a: "b" },
      });
      expect(await started({ name: "base" })).toMatchObject({
        image: "registry/base@sha256:1",
        labels: { name: "base" },
      });
      expect(await started({ image: "elsewhere/it:1" })).toMatchObject({ image: "elsewhere/it:1" });
    });
  });

  test("lets requests out through the object under http-gateway, in each container anew", async () => {
    await inObject(async ({ container, api, workspace }) => {
      const gateway = { fetch } as Fetcher;
      const egress = { mode: "http-gateway", gateway, revision: "1" } as const;
      await run(workspace({ egress, egressHost: "object.internal" }), "true");
      expect(container.intercepted).toEqual(["http://object.internal", "http://*", "https://*"]);
      expect(container.starts.at(-1)).toMatchObject({ enableInternet: false });
      // What was let through before must not be let through under another policy.
      await run(workspace({ egress: { mode: "none" }, id: "closed" }), "true");
      expect(container.intercepted).toEqual([]);
      await run(workspace({ egress: { ...egress, revision: "2" }, id: "other" }), "true");
      expect(container.intercepted).toEqual(["http://*", "https://*"]);
      expect(container.starts).toHaveLength(3);
      expect((await api.exitInfo())?.reason).toBe("replaced");
    });
  });

  test("is named as missing where the class has none", () => {
    const state = { storage: {} as DurableObjectStorage, exports: {} as Cloudflare.Exports };
    expect(() => new WorkspaceContainerAPI(state)).toThrow(/EUNAVAILABLE.*containers in wrangler.jsonc/);
  });
});

describe("a container of another object", () => {
  test("is started, dialled and used through a stub, whatever else that object answers", async () => {
    await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage, id }) => {
      const other = env.CONTAINED.getByName("one of another object");
      const backend = new ContainerBackend({
        container: (): ContainerHostHolder => other,
        workspace: { binding: "BARE", id: id.toString() },
      });
      const workspace = new Workspace({ storage, backends: [backend] });
      expect(await run(workspace, "echo far > file; cat file")).toBe("far\n");
      expect(await workspace.fs.readFile("/workspace/file", "utf8")).toBe("far\n");
      await workspace.close();
      using api = await other.getWorkspaceContainer();
      expect(await api.status()).toEqual({ running: true, exit: null });
      const health = await api.fetchPort(8080, "http://container/health");
      expect(await health.json()).toMatchObject({ status: "ok" });
    });
    const other = env.CONTAINED.getByName("one of another object");
    expect(await (await other.fetch("http://object/else")).text()).toBe("its own answer to /else");
    const forged = { "Computer-Container-Port": "8080", "Computer-Container-Secret": "guessed" };
    expect((await other.fetch("http://object/health", { headers: forged })).status).toBe(503);
    expect(await other.starts()).toBe(1);
    await runInDurableObject(other, (object) => object.container.destroy());
  });

  test("may be of a class on Container of @cloudflare/containers, which hears of its use", async () => {
    await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage, id }) => {
      const sleepy = env.SLEEPY.getByName("on the class");
      const container = (): ContainerHostHolder => sleepy;
      const workspace = { binding: "BARE", id: id.toString() };
      const computer = new Workspace({ storage, backends: [new ContainerBackend({ container, workspace })] });
      const before = await sleepy.uses();
      expect(await run(computer, "echo in > file; cat file")).toBe("in\n");
      expect(await sleepy.uses()).toBeGreaterThan(before);
      await computer.close();
    });
    await runInDurableObject(env.SLEEPY.getByName("on the class"), (object) => object.destroy());
  });
});
