import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { WorkerJavaScriptBackend } from "../../src/backends/worker-javascript/index.ts";
import { Workspace, type WorkspaceRuntimeLoader } from "../../src/index.ts";
import { eventsOf } from "../../src/testing/suite/events-of.ts";
import { scripted } from "./in-object.ts";

/** A loader whose isolates run this instead of the entrypoint: a script that has taken its isolate over altogether. */
function takenOver(body: string): WorkspaceRuntimeLoader {
  const main = `import { RpcTarget, WorkerEntrypoint } from "cloudflare:workers";
    const text = (value) => new TextEncoder().encode(String(value));
    const say = (host, value) => host.say([[0, text(JSON.stringify(value) + "\\n")]]);
    const caught = async (work) => { try { return await work(); } catch (error) { return "refused: " + error.message; } };
    export default class extends WorkerEntrypoint { async run(host, init) { ${body} } }`;
  return {
    load: (code) =>
      env.LOADER.load({ ...code, modules: { ...code.modules, [code.mainModule]: { js: main } } } as never),
  };
}

async function takeover(body: string, options: object = {}): Promise<{ said: unknown[]; result: object }> {
  let outcome: { said: unknown[]; result: object } | undefined;
  await scripted(
    async ({ run }) => {
      const result = await run("export default () => 1", { timeoutMs: 3000 });
      const said = result.stdout
        .split("\n")
        .flatMap((line) => (line.startsWith("[") ? [JSON.parse(line) as unknown] : []));
      outcome = { said, result };
    },
    { loader: takenOver(body), ...options },
  );
  if (outcome === undefined) throw new Error("nothing came of it");
  return outcome;
}

describe("a script finds nothing of the host's in its isolate", () => {
  test("in its environment, its globals, the loader's and the runtime's modules", async () => {
    await scripted(async ({ run }) => {
      const source = `const workers = process.getBuiltinModule("cloudflare:workers");
        const own = Object.getOwnPropertyNames(globalThis).filter((name) => /loader|host|bare|secret|computer|storage|workspace$/i.test(name));
        export default () => [Object.keys(process.env), own, workers === undefined ? null : [Object.keys(workers.env), Object.keys(workers.exports)], typeof require, typeof this, Object.keys(import.meta)];`;
      const { value } = await run(source, { env: { ONLY: "this" } });
      const [variables, globals, workers, ...rest] = value as unknown[];
      expect([variables, globals]).toEqual([["ONLY"], []]);
      expect(workers === null || JSON.stringify(workers) === '[[],["default"]]').toBe(true);
      expect(rest).toEqual(["undefined", "undefined", ["url", "filename", "dirname", "resolve"]]);
    });
  });

  test("no code from text, no other modules by computed names", async () => {
    await scripted(async ({ value }) => {
      const source = `const tried = async (work) => { try { await work(); return "done"; } catch (error) { return error.name; } };
        export default async () => [await tried(() => eval("1")), await tried(() => new Function("return 1")()), await tried(() => (async () => {}).constructor("return import('cloudflare:workers')")()), await tried(() => { const name = "cloudflare:workers"; return import(name); }), await tried(() => WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])))];`;
      expect(await value(source)).toEqual(["EvalError", "EvalError", "EvalError", "TypeError", "CompileError"]);
    });
  });

  test("what it does to prototypes and globals is its own affair", async () => {
    await scripted(async ({ run }) => {
      const source = `import fs from "node:fs/promises";
        Object.prototype.polluted = "yes"; Array.prototype.map = () => ["mine"]; JSON.stringify = () => '{"forged":true}'; Promise.race = () => new Promise(() => {});
        Object.defineProperty(Object.prototype, "code", { get: () => 0, configurable: true });
        await fs.writeFile("f", "written"); export default () => ({ honest: true });`;
      const result = await run(source, { timeoutMs: 2000 });
      expect(({} as { polluted?: string }).polluted).toBeUndefined();
      expect([1].map((n) => n + 1)).toEqual([2]);
      expect(result.status).toMatch(/completed|failed|cancelled/);
      const next = await run("export default () => [({}).polluted ?? null, [1].map((n) => n + 1)];");
      expect(next.value).toEqual([null, [2]]);
    });
  });

  test("a key of __proto__ in what it returns changes nothing", async () => {
    await scripted(async ({ value }) => {
      const result = (await value(
        `export default () => JSON.parse('{"__proto__": {"admin": true}, "constructor": {"prototype": 1}}');`,
      )) as object;
      expect((result as { admin?: boolean }).admin).toBeUndefined();
      expect(({} as { admin?: boolean }).admin).toBeUndefined();
    });
  });
});

describe("an isolate that is taken over", () => {
  test("can call four things of the host, and reach nothing through them", async () => {
    const names = ["close", "idle", "calls", "options", "constructor", "storage", "kill", "db", "changed", "dup2"];
    const { said } = await takeover(`
      const names = ${JSON.stringify(names)}; const found = [];
      for (const name of names) found.push([name, await caught(async () => typeof (await host[name]()))]);
      await say(host, found); return { started: true, code: 0 };`);
    for (const [, answer] of said[0] as [string, string][]) expect(answer).toMatch(/^refused: /);
  });

  test("gets no file outside of the root, whatever it asks in whatever words", async () => {
    const ops = [
      ["read", "/secret"],
      ["read", "/workspace/../secret"],
      ["read", "//secret"],
      ["stat", "/secret"],
      ["open", "/secret", "r"],
      ["copy", "/secret", "/workspace/s", 0],
      ["cp", "/secret", "/workspace/s", true, true, false],
      ["link", "/secret", "/workspace/s"],
      ["rename", "/secret", "/workspace/s"],
      ["write", "/secret", "BYTES", "w"],
      ["rm", "/workspace", true, true],
      ["rename", "/workspace", "/workspace2"],
      ["readdir", "/"],
      ["realpath", "/secret"],
      ["chmod", "/secret", 511],
      ["utimes", "/secret", 0, 0, true],
      ["fstat", 3],
      ["pread", 4, 10, 0],
      ["constructor"],
      ["__proto__", "x"],
      ["read"],
      ["read", 5],
      ["read", "relative"],
      ["read", "/workspace/a\0b"],
      ["write", "/workspace/f", "text, no bytes", "w"],
      "read",
      null,
    ];
    const { said } = await takeover(`
      const ops = ${JSON.stringify(ops)}.map((op) => Array.isArray(op) ? op.map((part) => part === "BYTES" ? text("x") : part) : op);
      const { results } = await host.files(ops); await say(host, results.map((result) => result.error?.code ?? result)); return { started: true, code: 0 };`);
    const codes = said[0] as unknown[];
    expect(codes).toHaveLength(ops.length);
    for (const [at, code] of codes.entries()) {
      expect([at, code]).toEqual([at, expect.stringMatching(/^(EACCES|EINVAL|EBADF)$/)]);
    }
  });

  test("cannot race a link or a rename past the check", async () => {
    await scripted(async ({ workspace, value }) => {
      await workspace.fs.writeFile("/secret", "the secret");
      const source = `import fs from "node:fs/promises";
        await fs.mkdir("d"); await fs.writeFile("d/f", "inside"); await fs.symlink("/", "evil");
        const seen = new Set();
        for (let round = 0; round < 50; round++) {
          const work = [fs.rename("d", "e"), fs.symlink("/", "d"), fs.readFile("d/secret", "utf8"), fs.writeFile("d/made", "x"), fs.unlink("d"), fs.rename("e", "d"), fs.readFile("d/f", "utf8"), fs.readFile("evil/secret", "utf8")];
          for (const { status, value, reason } of await Promise.allSettled(work)) if (status === "fulfilled") seen.add(String(value)); else seen.add(reason.code);
        }
        export default () => [...seen].sort();`;
      expect(await value(source)).toEqual(["EACCES", "inside", "undefined"]);
      expect(await workspace.fs.exists("/made")).toBe(false);
    });
  });

  test("says nothing but output: forged events, exits and other runs' ids are none", async () => {
    await scripted(
      async ({ workspace }) => {
        using handle = await workspace.runtime.exec("1", { id: "mine" });
        const events = await eventsOf(handle);
        expect(events.map(({ id, seq, name }) => [id, seq, name])).toEqual([
          ["mine", 0, "stdout"],
          ["mine", 1, "stderr"],
          ["mine", 2, "exit"],
        ]);
        expect(events.at(-1)).toMatchObject({ code: 7, script: { hostCalls: 0, roundTrips: 0 } });
        expect(events.at(-1)).not.toHaveProperty("result");
        expect(events.at(-1)).not.toHaveProperty("ended");
      },
      {
        loader: takenOver(`
          await host.say([[0, text("honest")], [2, text("no stream")], ["exit", 0], { name: "exit", code: 0 }, [0, "no bytes"], null, [1, text("err")]]);
          await host.say("no list"); await host.say(null);
          return { started: true, code: 7, result: '"ignored"', id: "other", seq: -1, ended: "timeout", script: { hostCalls: -5 } };`),
      },
    );
  });

  test.each([
    ["return 'no object';", 1],
    ["return { code: 1.5, started: true };", 1],
    ["return { code: 0, started: true, result: '{not json' };", 1],
    ["return { code: 0, started: true, result: { not: 'text' } };", 0],
    ["return { code: 0, started: true, result: '[' + '['.repeat(5000) };", 1],
    ["return { code: 0, started: true, result: '['.repeat(5000) + ']'.repeat(5000) };", 1],
    ["return { code: 0, started: true, result: JSON.stringify('x'.repeat(2_000_000)) };", 1],
    ["throw new Error('gone');", 1],
  ])("ends as well as it can be told: %s", async (body, exitCode) => {
    const { result } = await takeover(body);
    expect(result).toMatchObject({ exitCode });
    expect(result).not.toHaveProperty("value");
  });

  test("is held to the limits, oversized and too many frames among them", async () => {
    const calls = await takeover(
      `
      const results = [];
      results.push(await caught(async () => (await host.files(Array.from({ length: 257 }, () => ["stat", "/workspace"]))).error.message));
      results.push(await caught(async () => (await host.files([])).error.message));
      results.push(await caught(async () => (await host.files([["write", "/workspace/f", new Uint8Array(5000), "w"]])).error.message));
      results.push(await caught(async () => (await host.call("ws:none", "x", "[]")).error.message));
      results.push(await caught(async () => (await host.call("ws:none", {}, "[]")).error.message));
      const many = await Promise.all(Array.from({ length: 40 }, () => host.files([["stat", "/workspace"]])));
      results.push(many.every(({ error }) => error === undefined || error.code === "ELIMIT"));
      await say(host, results); return { started: true, code: 0 };`,
      { maxCapabilityRequestBytes: 4000, maxConcurrentCapabilityCalls: 2 },
    );
    expect(calls.said[0]).toEqual([
      expect.stringMatching(/maxCapabilityRequestBytes|from 1 to 256/),
      expect.stringMatching(/from 1 to 256/),
      expect.stringMatching(/maxCapabilityRequestBytes/),
      expect.stringMatching(/no function x in the module ws:none/),
      expect.stringMatching(/names of a module/),
      true,
    ]);
    const frames = await takeover(
      "for (let i = 0; i < 50; i++) await host.say([[0, new Uint8Array(1000).fill(32)]]); return { started: true, code: 0 };",
      { maxStdioBytes: 5000 },
    );
    expect(frames.result).toMatchObject({ status: "failed", exitCode: 1, stdout: " ".repeat(5000) });
  });

  test("has no say after its end", async () => {
    const loader = takenOver(`
      let end; const ended = new Promise((resolve) => { end = resolve; });
      class Ear extends RpcTarget { end() { end(); } changed() {} }
      await host.begin(new Ear()); await host.say([[0, text("on")]]); await ended;
      await host.say([[0, text("late")]]); const { error } = await host.files([["write", "/workspace/late", text("x"), "w"]]);
      return { started: true, code: 0, result: JSON.stringify(error.code) };`);
    await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage }) => {
      const workspace = new Workspace({ storage, backends: [new WorkerJavaScriptBackend({ loader })] });
      using handle = await workspace.runtime.exec("1", { encoding: "utf8", timeoutMs: 200 });
      expect(await handle.result()).toMatchObject({ exitCode: 124, status: "cancelled", stdout: "on" });
      expect(await workspace.fs.exists("/workspace/late")).toBe(false);
      await workspace.close();
    });
  });
});
