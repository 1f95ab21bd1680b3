import { env, runInDurableObject } from "cloudflare:test";
import { exports } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import {
  WorkerJavaScriptBackend,
  type WorkerJavaScriptBackendOptions,
} from "../../src/backends/worker-javascript/index.ts";
import { Workspace } from "../../src/index.ts";
import { scripted } from "./in-object.ts";

type Options = Partial<WorkerJavaScriptBackendOptions>;

describe("what is too much is refused before anything is begun", () => {
  test.each<[keyof WorkerJavaScriptBackendOptions, object, string]>([
    ["maxSourceBytes", {}, `export default "${"é".repeat(60)}";`],
    ["maxInputBytes", { input: "x".repeat(99) }, ""],
    ["maxStdinBytes", { stdin: "x".repeat(101) }, ""],
    ["maxStdinBytes", { stdin: new Uint8Array(101) }, ""],
    ["maxEnvBytes", { env: { A: "x".repeat(99) } }, ""],
    ["maxTimeoutMs", { timeoutMs: 101 }, ""],
  ])("%s %j", async (option, given, source) => {
    await scripted(
      async ({ workspace }) => {
        const refused = { code: "EOPTION", message: expect.stringContaining(option) };
        await expect(workspace.runtime.exec(source || "1", { id: "x", ...given })).rejects.toMatchObject(refused);
        await expect(workspace.runtime.getExec("x")).rejects.toMatchObject({ code: "EEXEC_LOST" });
      },
      { [option]: 100 },
    );
  });
});

describe("what a script asks of the host is held to the limits", () => {
  const FS = `import fs from "node:fs/promises"; import { echo, slow, long } from "ws:t"; const code = (error) => error.code + ": " + error.message;`;
  const modules = {
    "ws:t": {
      echo: ([value]: readonly unknown[]) => value,
      slow: (_: readonly unknown[], { signal }: { signal: AbortSignal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      long: () => "x".repeat(2000),
    },
  };

  test.each<[string, Options, string, unknown]>([
    [
      "calls in number",
      { maxCapabilityCalls: 3 },
      `[await fs.readdir("."), await echo(1), await echo(2), await echo(3).catch(code), await fs.stat(".").catch(code)]`,
      [
        [],
        1,
        2,
        expect.stringMatching(/^ELIMIT.*maxCapabilityCalls/),
        expect.stringMatching(/^ELIMIT.*maxCapabilityCalls/),
      ],
    ],
    [
      "bytes of one request",
      { maxCapabilityRequestBytes: 1000 },
      `[await fs.writeFile("f", "x".repeat(1001)).catch(code), await echo("x".repeat(1001)).catch(code), await echo("ok")]`,
      [
        expect.stringMatching(/^ELIMIT.*maxCapabilityRequestBytes/),
        expect.stringMatching(/maxCapabilityRequestBytes/),
        "ok",
      ],
    ],
    [
      "bytes of one answer",
      { maxCapabilityResponseBytes: 1000 },
      `[await long().catch(code), (await fs.writeFile("f", "x".repeat(5000)), (await fs.readFile("f")).length)]`,
      [expect.stringMatching(/^ELIMIT.*maxCapabilityResponseBytes/), 5000],
    ],
    [
      "bytes in all",
      { maxCapabilityBytes: 3000 },
      `[await echo("x".repeat(1000)).then((text) => text.length), await echo("x".repeat(1000)).catch(code), await echo("").catch(code)]`,
      [
        1000,
        expect.stringMatching(/^ELIMIT.*maxCapabilityBytes/),
        expect.stringMatching(/^ELIMIT.*maxCapabilityBytes/),
      ],
    ],
    [
      "how long a call takes",
      { maxHostCallMs: 50 },
      "[await slow().catch(code), await echo(1)]",
      [expect.stringMatching(/^ELIMIT.*maxHostCallMs/), 1],
    ],
    [
      "calls at once, which wait in the isolate",
      { maxConcurrentCapabilityCalls: 2 },
      "await Promise.all(Array.from({ length: 20 }, (_, i) => echo(i)))",
      Array.from({ length: 20 }, (_, i) => i),
    ],
  ])("%s", async (_title, options, expression, expected) => {
    await scripted(
      async ({ value }) => expect(await value(`${FS} export default async () => ${expression};`)).toEqual(expected),
      { modules, ...options },
    );
  });

  test("the result, in bytes and in depth", async () => {
    await scripted(
      async ({ run }) => {
        const long = await run(`export default () => "é".repeat(60);`);
        expect(long).toMatchObject({ status: "failed", exitCode: 1 });
        expect(long.stderr).toMatch(/maxResultBytes/);
      },
      { maxResultBytes: 100 },
    );
    await scripted(async ({ run }) => {
      const deep = await run(
        "let value = 1; for (let i = 0; i < 600; i++) value = [value]; export default () => value;",
      );
      expect(deep.stderr).toMatch(/nested deeper than 500/);
    });
  });

  test("readers of one run, and runs at once", async () => {
    await scripted(
      async ({ workspace }) => {
        using _first = await workspace.runtime.exec("await new Promise(() => {})", { id: "a" });
        const second = await workspace.runtime.getExec("a");
        await expect(workspace.runtime.getExec("a")).rejects.toMatchObject({
          code: "EUNAVAILABLE",
          message: expect.stringContaining("maxExecutionSubscribers"),
        });
        second[Symbol.dispose]();
        using _third = await workspace.runtime.getExec("a");
        await workspace.runtime.killExec("a");
      },
      { maxExecutionSubscribers: 2 },
    );
    await scripted(async ({ workspace, value }) => {
      const hang = "await new Promise(() => {})";
      const runs = await Promise.all(
        Array.from({ length: 24 }, (_, i) => workspace.runtime.exec(hang, { id: `r${i}` })),
      );
      await expect(workspace.runtime.exec(hang)).rejects.toMatchObject({ code: "EUNAVAILABLE" });
      await Promise.all(runs.map((run) => run.kill()));
      expect(await value("export default () => 1")).toBe(1);
    });
  });
});

describe("egress", () => {
  const source = `import { connect } from "cloudflare:sockets";`;
  const tried = `export default async () => { try { return await (await fetch("http://egress.test/x", { method: "POST", body: "b" })).text(); } catch (error) { return "refused: " + error.message; } };`;

  test("there is none, unless it is given", async () => {
    await scripted(async ({ value, run }) => {
      expect(await value(tried)).toMatch(/^refused: .*not permitted to access the internet/);
      expect((await run(`${source} ${tried}`)).stderr).toMatch(/Cannot import "cloudflare:sockets"/);
    });
  });

  test("a gateway gets each request, and answers it", async () => {
    const object = env.WORKSPACE.newUniqueId().toString();
    await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage }) => {
      const gateway = exports.WorkspaceProxy({ props: { binding: "WORKSPACE", id: object } });
      const backend = new WorkerJavaScriptBackend({ loader: env.LOADER, egress: { mode: "http-gateway", gateway } });
      const workspace = new Workspace({ storage, backends: [backend] });
      using handle = await workspace.runtime.exec(tried);
      const { value } = await handle.result();
      expect(JSON.parse(value as string)).toMatchObject({ url: "http://egress.test/x", method: "POST", body: "b" });
      await workspace.close();
    });
  });
});
