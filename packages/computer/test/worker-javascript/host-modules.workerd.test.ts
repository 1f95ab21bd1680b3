import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { WorkerJavaScriptBackend } from "../../src/backends/worker-javascript/index.ts";
import type { WorkspaceModule } from "../../src/index.ts";
import { scripted } from "./in-object.ts";

describe("host modules", () => {
  test("take and give data, by name and all together", async () => {
    const modules: Record<string, WorkspaceModule> = {
      "ws:sum": {
        add: ([a, b]) => (a as number) + (b as number),
        nothing: () => undefined,
        "odd-name": async () => ["odd"],
      },
      "ws:made": Object.assign(() => ({ default: () => "default" }), { description: "makes things" }),
    };
    await scripted(
      async ({ value, workspace }) => {
        const source = `import sum, { add, nothing } from "ws:sum"; import made from "ws:made"; export default async () => [await add(1, 2), await sum.add(2, 3), typeof (await nothing()), await sum["odd-name"](), await made()];`;
        expect(await value(source)).toEqual([3, 5, "undefined", ["odd"], "default"]);
        expect(workspace.runtime.backends()[0]?.description).toMatch(
          /can be imported: ws:sum; ws:made: makes things\.$/,
        );
      },
      { modules },
    );
  });

  test("know the call: signal, deadline, access, its id, paths below the root", async () => {
    const seen: unknown[] = [];
    const modules: Record<string, WorkspaceModule> = {
      "ws:see": {
        look: async ([path], context) => {
          seen.push([context.signal.aborted, context.deadline - Date.now() <= 60_000, context.access, context.callId]);
          return context.resolvePath(path as string);
        },
        missing: ([path], { resolvePath }) => resolvePath(path as string, { allowMissing: true }),
      },
    };
    await scripted(
      async ({ value, workspace }) => {
        await workspace.fs.mkdir("/workspace/d");
        await workspace.fs.writeFile("/secret", "");
        await workspace.fs.symlink("/secret", "/workspace/out");
        await workspace.fs.symlink("d", "/workspace/in");
        const source = `import { look, missing } from "ws:see"; const code = (error) => error.code;
          export default async () => [await look("in"), await look("/workspace/d/.."), await missing("in/new"), await look("none").catch(code), await look("out").catch(code), await look("/secret").catch(code), await look("/").catch(code), await missing("../new").catch(code)];`;
        expect(await value(source)).toEqual([
          "/workspace/d",
          "/workspace",
          "/workspace/d/new",
          "ENOENT",
          "EACCES",
          "EACCES",
          "EACCES",
          "EACCES",
        ]);
        expect(seen[0]).toEqual([false, true, "read-write", "1"]);
      },
      { modules },
    );
  });

  test("errors cross with their message and code, and nothing of the host's stack", async () => {
    const modules: Record<string, WorkspaceModule> = {
      "ws:bad": {
        fail: () => {
          throw Object.assign(new RangeError("too far"), { code: "EFAR" });
        },
        wrong: () => ({ when: new Date() }),
      },
    };
    await scripted(
      async ({ value }) => {
        const source = `import { fail, wrong } from "ws:bad"; const told = (error) => [error.name, error.code ?? null, error.message, error.stack.includes("host-modules")];
          export default async () => [await fail().catch(told), await wrong().catch(told), await (async () => wrong(new Date()))().catch(told)];`;
        expect(await value(source)).toEqual([
          ["RangeError", "EFAR", "too far", false],
          [
            "TypeError",
            null,
            "Only data that JSON can carry crosses the border of a run: result.when is a Date.",
            false,
          ],
          [
            "TypeError",
            null,
            "Only data that JSON can carry crosses the border of a run: arguments[0] is a Date.",
            false,
          ],
        ]);
      },
      { modules },
    );
  });

  test.each([
    [{ "./x": "" }, /is a path or an address/],
    [{ "node:fs": "" }, /is a module of Node's/],
    [{ path: "" }, /is a module of Node's/],
    [{ "cloudflare:workers": "" }, /is a path or an address/],
    [{ "ws:x": {} }, /has no functions/],
    [{ "ws:x": { a: 1 } }, /has a, which is no function/],
    [{ "ws:x": 5 }, /neither text, nor functions/],
  ])("%j is refused", (modules, words) => {
    const options = { loader: env.LOADER, modules: modules as never };
    expect(() => new WorkerJavaScriptBackend(options)).toThrow(words);
  });
});

describe("options", () => {
  test.each([
    [{ timeoutMs: 5 }, /has no option timeoutMs\. Did you mean/],
    [{ onInterrupt: "restart" }, /only "fail" is there yet/],
    [{ onInterrupt: "replay" }, /only "fail" is there yet/],
    [{ root: "workspace" }, /must be an absolute path/],
    [{ maxStdioBytes: 0 }, /maxStdioBytes/],
    [{ egress: { mode: "none" }, globalOutbound: null }, /not both/],
    [{ defaultTimeoutMs: 200_000 }, /longer than its maxTimeoutMs 180000/],
    [{ compatibilityFlags: ["legacy_module_registry"] }, /legacy_module_registry/],
  ])("%j is refused", (options, words) => {
    expect(() => new WorkerJavaScriptBackend({ loader: env.LOADER, ...(options as object) })).toThrow(words);
  });

  test("another id, another root, a working directory of the run's", async () => {
    await scripted(
      async ({ workspace, run }) => {
        await workspace.fs.mkdir("/data/a", { recursive: true });
        await workspace.fs.writeFile("/data/a/m.js", "export default 1;");
        const { value } = await run(
          `import m from "./m.js"; import fs from "node:fs/promises"; export default async () => [m, process.cwd(), await fs.readFile("/workspace").catch((error) => error.code)];`,
          { cwd: "a" },
        );
        expect(value).toEqual([1, "/data/a", "EACCES"]);
        expect(workspace.runtime.backends()).toMatchObject([{ id: "js", protocol: "module", callable: true }]);
      },
      { id: "js", root: "/data" },
    );
  });
});
