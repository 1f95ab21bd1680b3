import { env, runInDurableObject } from "cloudflare:test";
import { exports } from "cloudflare:workers";
import { expect, test } from "vitest";
import {
  WorkerShellBackend,
  type WorkerShellLoader,
  type WorkspaceEgressPolicy,
} from "../src/backends/worker-shell/index.ts";
import type { WorkerShellBackendOptions } from "../src/backends/worker-shell/worker-shell-options.ts";
import { Workspace } from "../src/index.ts";
import curl from "../src/shell/curl.ts";
import jq from "../src/shell/jq.ts";
import { withShell } from "./shell-workspace.ts";

/** The names that a backend asks a loader for, one a run. */
async function namesOf(
  ...backends: (Partial<WorkerShellBackendOptions> | (() => Partial<WorkerShellBackendOptions>))[]
): Promise<string[]> {
  const names: string[] = [];
  const loader: WorkerShellLoader = {
    get(name, code) {
      names.push(name);
      return env.LOADER.get(name, code as never);
    },
  };
  for (const options of backends) {
    await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage }) => {
      const given = typeof options === "function" ? options() : options;
      const workspace = new Workspace({ storage, backends: [new WorkerShellBackend({ loader, ...given })] });
      using handle = await workspace.runtime.exec("true");
      expect(await handle.result()).toMatchObject({ exitCode: 0 });
      await workspace.close();
    });
  }
  return names;
}

test("J-06 an isolate is used again for the same workspace, policy and code, and for nothing else", async () => {
  const one = { workspace: { binding: "BARE", id: "1" } };
  const [first, again, other, direct, more, unnamed, unnamedToo] = await namesOf(
    one,
    one,
    { workspace: { binding: "BARE", id: "2" } },
    { ...one, egress: { mode: "direct" } },
    { ...one, commands: [jq] },
    {},
    {},
  );
  expect(again).toBe(first);
  expect(new Set([first, other, direct, more, unnamed, unnamedToo]).size).toBe(6);
});

test("without a policy the network is closed", () =>
  withShell(
    async ({ sh }) => {
      const { code, stdout, stderr } = await sh("curl -s -S http://example.com/");
      expect(code).not.toBe(0);
      expect(stdout).toBe("");
      expect(stderr).toMatch(/./);
      expect(await sh("echo on")).toMatchObject({ stdout: "on\n" });
    },
    { commands: [curl] },
  ));

const gatewayTo = (id: string): Fetcher => exports.WorkspaceProxy({ props: { binding: "WORKSPACE", id } });

test("a gateway gets each request of a script, and answers it", () => {
  const object = env.WORKSPACE.newUniqueId().toString();
  return withShell(
    async ({ sh, workspace }) => {
      const { code, stdout, stderr } = await sh(
        "curl -s -S -X POST -H 'X-Own: kept' -d 'a body' http://egress.test/x?y=1",
      );
      expect([code, stderr]).toEqual([0, ""]);
      const request = { url: "http://egress.test/x?y=1", method: "POST", body: "a body", own: "kept" };
      expect(JSON.parse(stdout)).toMatchObject(request);
      await sh("curl -s -o saved https://egress.test/secure");
      const saved = await workspace.fs.readFile("/workspace/saved", "utf8");
      expect(JSON.parse(saved)).toMatchObject({ url: "https://egress.test/secure" });
    },
    () => ({ commands: [curl], egress: { mode: "http-gateway", gateway: gatewayTo(object) } }),
  );
});

test("a gateway has isolates of its own: by its object, or by the revision that it says it has", async () => {
  const policies: (() => WorkspaceEgressPolicy)[] = [
    () => ({ mode: "http-gateway", gateway: gatewayTo("x") }),
    () => ({ mode: "http-gateway", gateway: gatewayTo("x") }),
    () => ({ mode: "http-gateway", gateway: gatewayTo("x"), revision: "1" }),
    () => ({ mode: "http-gateway", gateway: gatewayTo("x"), revision: "1" }),
    () => ({ mode: "http-gateway", gateway: gatewayTo("x"), revision: "2" }),
  ];
  const [first, other, revision, sameRevision, next] = await namesOf(
    ...policies.map((policy) => () => ({ workspace: { binding: "BARE", id: "gateways" }, egress: policy() })),
  );
  expect(sameRevision).toBe(revision);
  expect(new Set([first, other, revision, next]).size).toBe(4);
});

test("a group that was not given is not there", () =>
  withShell(async ({ sh }) => {
    const { code, stderr } = await sh("echo '{}' | jq .");
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/jq/);
  }));

test("what is wrong with the options is said before anything runs", () => {
  const made = (options: object): string => {
    try {
      new WorkerShellBackend(options as WorkerShellBackendOptions);
      return "made";
    } catch (error) {
      return String(error);
    }
  };
  expect(made({})).toContain("worker_loaders");
  expect(made({ loader: env.LOADER, egres: { mode: "none" } })).toContain("Did you mean egress?");
  expect(made({ loader: env.LOADER, egress: { mode: "some" } })).toContain("egress");
});

test("a shell of the user's own gets its command, and its events are taken over", async () => {
  const asked: unknown[] = [];
  const events = (id: string): ReadableStream<Uint8Array> =>
    new Blob([
      `${JSON.stringify({ id, seq: 0, name: "stdout", value: "own\n", bytes: btoa("own\n") })}\n`,
      `${JSON.stringify({ id, seq: 1, name: "exit", value: 4 })}\n`,
    ]).stream();
  await withShell(
    async ({ sh }) => {
      expect(await sh("anything")).toMatchObject({ stdout: "own\n", code: 4, status: "failed" });
      expect(asked).toEqual([
        { egress: { mode: "none" } },
        expect.objectContaining({ command: "anything", cwd: "/workspace" }),
      ]);
    },
    {
      loader: undefined,
      workspace: undefined,
      source: {
        type: "external-runtime",
        connect: (options) => {
          asked.push(options);
          return {
            exec: async (input) => {
              asked.push(input);
              return { id: input.id ?? "x", events: events(input.id ?? "x") };
            },
            getExec: async ({ id }) => ({ id, events: events(id) }),
            killExec: async () => {},
          };
        },
      },
    },
  );
});
