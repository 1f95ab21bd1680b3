import { abortAllDurableObjects, env, runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { WorkerJavaScriptBackend } from "../../src/backends/worker-javascript/index.ts";
import { Workspace, type WorkspaceRuntimeLoader } from "../../src/index.ts";
import { eventsOf } from "../../src/testing/suite/events-of.ts";
import { scripted } from "./in-object.ts";

function open(storage: DurableObjectStorage, options: object = {}, now?: () => number): Workspace {
  const backend = new WorkerJavaScriptBackend({ loader: env.LOADER, ...options });
  return new Workspace({ storage, backends: [backend], ...(now === undefined ? {} : { now }) });
}

const rowsOf = (storage: DurableObjectStorage, table: string): number =>
  Number(storage.sql.exec(`SELECT count(*) AS n FROM ${table}`).one().n);

describe("the journal", () => {
  test("costs two rows a run and one a message of output, and makes its tables when it is first used", async () => {
    await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage }) => {
      const tables = (): unknown[] =>
        storage.sql
          .exec("SELECT name FROM sqlite_master WHERE name LIKE 'computer_%'")
          .toArray()
          .map(({ name }) => name);
      const workspace = open(storage);
      await workspace.fs.mkdir("/workspace");
      expect(tables()).toEqual([]);
      await (await workspace.runtime.exec(`for (let i = 0; i < 100; i++) console.log(i);`)).result();
      expect(tables()).toEqual(["computer_js_runs", "computer_js_events"]);
      expect([rowsOf(storage, "computer_js_runs"), rowsOf(storage, "computer_js_events")]).toEqual([1, 1]);
      await workspace.close();
    });
  });

  test("survives a restart: runs that ended can be read from any place, one that was cut off has failed", async () => {
    const id = env.BARE.newUniqueId();
    const object = env.BARE.get(id);
    let before: unknown[] = [];
    await runInDurableObject(object, async (_object, { storage }) => {
      const workspace = open(storage);
      using done = await workspace.runtime.exec(
        `console.log("a"); console.error("b"); export default () => ({ n: 1 });`,
        { id: "done" },
      );
      before = await eventsOf(done);
      using cut = await workspace.runtime.exec(`console.log("at work"); await new Promise(() => {});`, { id: "cut" });
      for await (const event of cut) if (event.name === "stdout") break;
    });
    await abortAllDurableObjects();
    await runInDurableObject(env.BARE.get(id), async (_object, { storage }) => {
      const workspace = open(storage);
      using again = await workspace.runtime.getExec("done");
      expect(await eventsOf(again)).toEqual(before);
      using rest = await workspace.runtime.getExec("done", { resume: 0 });
      expect(await eventsOf(rest)).toEqual(before.slice(1));
      using cut = await workspace.runtime.getExec("cut", { encoding: "utf8" });
      expect(await cut.result()).toMatchObject({
        status: "failed",
        exitCode: 1,
        stdout: "at work\n",
        stderr: expect.stringContaining("cut off: its Durable Object was restarted"),
      });
      await expect(workspace.runtime.exec("1", { id: "done" })).rejects.toMatchObject({ code: "EEXEC_EXISTS" });
      expect((await (await workspace.runtime.exec("export default () => 2")).result()).value).toBe(2);
      await workspace.close();
    });
  });

  test("has no value of more than two megabytes, however long a result is", async () => {
    const id = env.BARE.newUniqueId();
    const longest = (storage: DurableObjectStorage, table: string, column: string): number =>
      Number(storage.sql.exec(`SELECT max(length(cast(${column} AS BLOB))) AS n FROM ${table}`).one().n);
    let before: unknown[] = [];
    await runInDurableObject(env.BARE.get(id), async (_object, { storage }) => {
      const workspace = open(storage, { maxResultBytes: 4 * 1024 * 1024 });
      const source = `console.log("first"); export default () => "é".repeat(1_500_000);`;
      using handle = await workspace.runtime.exec(source, { id: "long" });
      before = await eventsOf(handle);
      expect(before.at(-1)).toMatchObject({ seq: 1, code: 0, result: "é".repeat(1_500_000) });
      expect(longest(storage, "computer_js_events", "value")).toBe(1024 * 1024);
      expect(longest(storage, "computer_js_runs", "ending")).toBe(0);
    });
    await abortAllDurableObjects();
    await runInDurableObject(env.BARE.get(id), async (_object, { storage }) => {
      const workspace = open(storage);
      using handle = await workspace.runtime.getExec("long");
      expect(await eventsOf(handle)).toEqual(before);
      await workspace.runtime.disposeExec("long");
      expect([rowsOf(storage, "computer_js_runs"), rowsOf(storage, "computer_js_events")]).toEqual([0, 0]);
      await workspace.close();
    });
  });

  test("keeps so many runs, and so long", async () => {
    await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage }) => {
      let now = 1_000_000;
      const workspace = open(storage, { maxRetainedExecutions: 2, retentionMs: 1000 }, () => now++);
      for (const id of ["a", "b", "c", "d"]) await (await workspace.runtime.exec(`console.log(1)`, { id })).result();
      await expect(workspace.runtime.getExec("a")).rejects.toMatchObject({ code: "EEXEC_LOST" });
      await expect(workspace.runtime.getExec("b")).rejects.toMatchObject({ code: "EEXEC_LOST" });
      using kept = await workspace.runtime.getExec("c");
      expect(await eventsOf(kept)).toHaveLength(2);
      now += 2000;
      await expect(workspace.runtime.getExec("d")).rejects.toMatchObject({ code: "EEXEC_LOST" });
      expect([rowsOf(storage, "computer_js_runs"), rowsOf(storage, "computer_js_events")]).toEqual([0, 0]);
      await workspace.close();
    });
  });

  test("is one for all workspaces over a storage, and another for each computer", async () => {
    await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage }) => {
      const first = open(storage);
      using run = await first.runtime.exec(
        `import { setTimeout } from "node:timers/promises"; await setTimeout(50); console.log("done");`,
        { id: "x" },
      );
      const second = open(storage);
      using joined = await second.runtime.getExec("x", { encoding: "utf8" });
      expect(await joined.result()).toMatchObject({ status: "completed", stdout: "done\n" });
      await run.result();
      const other = open(storage, { id: "other" });
      await expect(other.runtime.getExec("x")).rejects.toMatchObject({ code: "EEXEC_LOST" });
      using same = await other.runtime.exec(`console.log("other");`, { id: "x", encoding: "utf8" });
      expect(await same.result()).toMatchObject({ stdout: "other\n" });
    });
  });

  test("forgets what is disposed of, and tells those who read it", async () => {
    await scripted(async ({ workspace, storage }) => {
      using handle = await workspace.runtime.exec(`console.log("x"); await new Promise(() => {});`, { id: "gone" });
      const reader = handle.getReader();
      await reader.read();
      await workspace.runtime.disposeExec("gone");
      const rest = await reader.read().then(
        ({ value }) => value?.name,
        (error: Error) => error.message,
      );
      expect(rest).toMatch(/exit|EEXEC_LOST/);
      expect([rowsOf(storage, "computer_js_runs"), rowsOf(storage, "computer_js_events")]).toEqual([0, 0]);
    });
  });
});

describe("the end of a run", () => {
  test("comes after what was asked and not awaited", async () => {
    const done: string[] = [];
    const modules = {
      "ws:slow": {
        note: async ([text]: readonly unknown[]) => {
          await new Promise((resolve) => setTimeout(resolve, 30));
          done.push(text as string);
        },
      },
    };
    await scripted(
      async ({ workspace, run }) => {
        await run(
          `import fs from "node:fs/promises"; import { note } from "ws:slow"; note("one"); fs.writeFile("f", "f").then(() => note("two")); export default () => "early";`,
        );
        expect(done).toEqual(["one", "two"]);
        expect(await workspace.fs.readFile("/workspace/f", "utf8")).toBe("f");
      },
      { modules },
    );
  });

  test("of one that is killed comes after what was accepted, which is told to stop; what is asked later is refused", async () => {
    const order: string[] = [];
    const modules = {
      "ws:slow": {
        work: async (_: readonly unknown[], { signal }: { signal: AbortSignal }) => {
          order.push("accepted");
          signal.addEventListener("abort", () => {
            order.push("told to stop");
          });
          await new Promise((resolve) => setTimeout(resolve, 100));
          order.push("finished");
        },
      },
    };
    await scripted(
      async ({ workspace }) => {
        using handle = await workspace.runtime.exec(
          `import fs from "node:fs/promises"; import { work } from "ws:slow"; console.log("go"); await work(); await fs.writeFile("late", "");`,
          { encoding: "utf8" },
        );
        for await (const event of handle) {
          if (event.name === "stdout") void workspace.runtime.killExec(handle.id);
          if (event.name === "exit") {
            order.push("exit");
            expect(event).toMatchObject({ code: 143, ended: "killed" });
          }
        }
        expect(order).toEqual(["accepted", "told to stop", "finished", "exit"]);
        expect(await workspace.fs.exists("/workspace/late")).toBe(false);
      },
      { modules },
    );
  });
});

test("J-01 an await that never ends is cut off in time, and the object answers", async () => {
  await scripted(async ({ run, value }) => {
    const result = await run(`console.log("waits"); await new Promise(() => {});`, { timeoutMs: 300 });
    expect(result).toMatchObject({ status: "cancelled", exitCode: 124, stdout: "waits\n", script: { started: true } });
    expect(result.stderr).toMatch(/timed out after 300 ms/);
    const busy = await run(`setInterval(() => {}, 1); await new Promise(() => {});`, { timeoutMs: 300 });
    expect(busy.exitCode).toBe(124);
    expect(await value("export default () => 1")).toBe(1);
  });
});

test("J-02 an isolate that is lost is said to be, at once, and leaves nothing behind", async () => {
  const lost = `import { abortIsolate, WorkerEntrypoint } from "cloudflare:workers";
    export default class extends WorkerEntrypoint {
      async run(host) { await host.say([[0, new TextEncoder().encode("before")]]); abortIsolate("out of memory"); }
    }`;
  const loader: WorkspaceRuntimeLoader = {
    load: (code) =>
      env.LOADER.load({ ...code, modules: { ...code.modules, [code.mainModule]: { js: lost } } } as never),
  };
  await scripted(
    async ({ run }) => {
      const result = await run("await new Promise(() => {})");
      expect(result).toMatchObject({ status: "failed", exitCode: 1, stdout: "before" });
      expect(result.stderr).toMatch(/^The isolate was lost: /);
    },
    { loader },
  );
  await scripted(async ({ value }) => expect(await value("export default () => 'fast'")).toBe("fast"));
});

test("J-06 two objects, and one that was restarted, never share an isolate", async () => {
  const source = `import { whose } from "ws:whose"; globalThis.runs = (globalThis.runs ?? 0) + 1; Object.prototype.left = (Object.prototype.left ?? 0) + 1; export default async () => [runs, ({}).left, await whose()];`;
  const seen: unknown[] = [];
  for (const name of ["one", "two"]) {
    const modules = { "ws:whose": { whose: () => name } };
    await scripted(async ({ value }) => void seen.push(await value(source), await value(source)), { modules });
  }
  expect(seen).toEqual([
    [1, 1, "one"],
    [1, 1, "one"],
    [1, 1, "two"],
    [1, 1, "two"],
  ]);
});
