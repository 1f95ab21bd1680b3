import { env } from "cloudflare:test";
import { jsonSchema, type ToolSet, tool } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { WorkerJavaScriptBackend } from "../../src/backends/worker-javascript/index.ts";
import { getWorkspace } from "../../src/index.ts";
import { createToolBindings, type ToolBindings } from "../../src/modules/tools.ts";
import { createAITools, forAISDKTools } from "../../src/tools/ai-sdk/index.ts";
import { defineExec, defineTools, type ExecToolOutput } from "../../src/tools/core/index.ts";
import { createPiTools, forPiTools, type PiAgentTool } from "../../src/tools/pi-ai/index.ts";
import { createTanStackTools } from "../../src/tools/tanstack-ai/index.ts";
import { WORKSPACE } from "../../src/workspace/workspace-host.ts";
import { equipped } from "./equipped.ts";
import { ORDERS, STEPS } from "./task.ts";

const READING = ["read", "ls", "find", "grep"];
const ALL = [...READING, "write", "edit", "delete", "exec", "publish"];

describe("a set of tools", () => {
  test("has what the workspace has, and only reads where that is asked for", async () => {
    await equipped(async ({ workspace, whole }) => {
      const names = (options: Parameters<typeof defineTools>[0]) => defineTools(options).map(({ name }) => name);
      const { fs, runtime } = whole;
      expect(names({ workspace })).toEqual(ALL);
      expect(names({ workspace, readonly: true })).toEqual(READING);
      expect(names({ workspace: whole })).toEqual(ALL.slice(0, -1));
      expect(names({ workspace: { fs } })).toEqual(ALL.slice(0, -2));
      expect(names({ workspace: { fs, runtime: { exec: whole.runtime.exec, backends: () => [] } } })).toEqual(
        ALL.slice(0, -2),
      );
      expect(names({ workspace, assets: false })).not.toContain("publish");
      expect(names({ workspace: { fs, runtime }, shell: { backends: { "worker-shell": {} } } })).toContain("exec");
    });
  });

  test("waits for the changes of every other set over the same files, by whichever client", async () => {
    await equipped(async ({ whole }) => {
      await whole.fs.writeFile("/workspace/n", "0");
      const handle = { [WORKSPACE]: whole };
      const sets = [getWorkspace(handle), getWorkspace(handle), whole].map((workspace) => createPiTools({ workspace }));
      const edit = (set: number, oldText: string, newText: string) =>
        sets[set]?.execute({ id: "1", name: "edit", arguments: { path: "n", edits: [{ oldText, newText }] } });
      const results = await Promise.all([
        edit(0, "0", "01"),
        edit(1, "01", "012"),
        edit(2, "012", "0123"),
        edit(0, "0123", "4"),
      ]);
      expect(results.map((result) => result?.isError)).toEqual([false, false, false, false]);
      expect(await whole.fs.readFile("/workspace/n", "utf8")).toBe("4");
    });
  });

  test("of a client in another isolate works too", async () => {
    using client = getWorkspace(env.WORKSPACE.getByName(crypto.randomUUID()));
    await client.fs.mkdir("/workspace", { recursive: true });
    const { execute } = createPiTools({ workspace: client });
    const call = (name: string, args: object) => execute({ id: "1", name, arguments: args });
    expect(await call("write", { path: "d/a.txt", content: "one\n" })).toMatchObject({ isError: false });
    expect(await call("grep", { query: "one" })).toMatchObject({
      details: { matches: [{ path: "/workspace/d/a.txt" }] },
    });
    expect(await call("delete", { path: "nothing" })).toMatchObject({ isError: true });
  });

  test.each([
    [{ readOnly: true }, /has no option readOnly\. Did you mean readonly\?/],
    [{ root: "src" }, /absolute/],
    [{ exec: {}, shell: { backends: {} } }, /not both/],
    [{ shell: { backends: { a: {} }, defaultBackend: "b" } }, /defaultBackend is b/],
  ])("%j is refused", async (options, words) => {
    await equipped(async ({ workspace }) => {
      expect(() => defineTools({ workspace, ...options } as Parameters<typeof defineTools>[0])).toThrow(words);
    });
  });
});

describe("exec", () => {
  test("names the backends, refuses others, and tells of what was cut", async () => {
    await equipped(async ({ whole }) => {
      const tool = defineExec({ workspace: whole, maxLines: 3 });
      expect(tool.description).toMatch(/Backends:\n- worker-shell \(default\): A just-bash shell/);
      const run = async (input: Parameters<typeof tool.execute>[0]) => {
        let last: ExecToolOutput | undefined;
        for await (const output of tool.execute(input)) last = output;
        return last!;
      };
      expect(await run({ command: "ls", backend: "moon" })).toMatchObject({
        error: "There is no backend moon, and nothing was run. There are: worker-shell.",
      });
      const cut = await run({ command: "seq 1 9; echo bad >&2; exit 3", env: { A: "1" } });
      expect(cut).toMatchObject({
        exitCode: 3,
        stdout: "7\n8\n9\n",
        stderr: "bad\n",
        truncated: { stdout: { status: "saved", firstLine: 7, totalLines: 9 } },
      });
      const [said] = tool.describe(cut);
      expect(said).toMatchObject({
        text: expect.stringMatching(
          /^\[Exit code 3\]\n\[stdout from line 7 of 9, 18 bytes in all; all of it is in \/\.computer\/output\/\S+\.\]\n7\n8\n9\n\n\[stderr\]\nbad\n$/,
        ),
      });
      expect(await run({ command: "sleep 5", timeout: 0.2 })).toMatchObject({ exitCode: 124 });
    });
  });

  test("ends its command when the call is aborted, or left", async () => {
    await equipped(async ({ whole }) => {
      const { execute } = defineExec({ workspace: whole });
      const stopped = new AbortController();
      const aborted = (async () => {
        for await (const output of execute(
          { command: "echo on; sleep 0.4; echo go; sleep 60; touch late" },
          { abortSignal: stopped.signal },
        )) {
          if ("stdout" in output && output.stdout !== "") stopped.abort(new Error("enough"));
        }
      })();
      await expect(aborted).rejects.toThrow("enough");
      for await (const output of execute({ command: "echo on; sleep 0.4; echo go; sleep 60; touch late" })) {
        if ("stdout" in output && output.stdout !== "") break;
      }
      expect(await whole.fs.exists("/workspace/late")).toBe(false);
    });
  });
});

test("pi: declarations, and every tool of a task by calls", async () => {
  await equipped(async ({ workspace, whole, published }) => {
    await whole.fs.writeFile("/workspace/orders.csv", ORDERS);
    const { tools, execute } = createPiTools({ workspace, constrainedSampling: "prefer" });
    expect(tools.map(({ name }) => name)).toEqual(ALL);
    expect(tools.at(-1)).toEqual({
      name: "publish",
      description: expect.any(String),
      parameters: {
        type: "object",
        properties: { path: expect.any(Object), expiresInSeconds: expect.any(Object) },
        required: ["path"],
      },
      constrainedSampling: { type: "json_schema", strict: "prefer" },
    });
    for (const { tool: name, input, expects } of STEPS) {
      const { content, isError } = await execute({ id: name, name, arguments: JSON.stringify(input) });
      expect(isError).toBe(false);
      expect(content).toEqual([{ type: "text", text: expect.stringMatching(expects) }]);
    }
    expect([...published.values()]).toEqual(["total: 7\n"]);
    expect(await execute({ id: "1", name: "dance" })).toEqual({
      content: [{ type: "text", text: `There is no tool dance. There are: ${ALL.join(", ")}.` }],
      isError: true,
    });
    await whole.fs.writeFile("/workspace/p", "%PDF-1.7");
    await whole.fs.writeFile("/workspace/g", "GIF89a");
    expect((await execute({ id: "1", name: "read", arguments: "p" })).content[1]).toMatchObject({ type: "text" });
    expect((await execute({ id: "1", name: "read", arguments: "g" })).content[1]).toEqual({
      type: "image",
      data: btoa("GIF89a"),
      mimeType: "image/gif",
    });
    const stopped = AbortSignal.abort(new Error("enough"));
    await expect(execute({ id: "1", name: "ls", arguments: {} }, { abortSignal: stopped })).rejects.toThrow("enough");
  });
});

test("TanStack: as a list or by name, with approval, laziness, and events of a command", async () => {
  await equipped(async ({ workspace, whole, published }) => {
    await whole.fs.writeFile("/workspace/orders.csv", ORDERS);
    const list = createTanStackTools({ workspace, approve: ["delete"], lazy: "all" });
    expect(list.map(({ name, needsApproval = false, lazy }) => [name, needsApproval, lazy])).toEqual(
      ALL.map((name) => [name, name === "delete", true]),
    );
    const set = createTanStackTools({ workspace, format: "object", approve: "mutating" });
    expect(Object.keys(set).filter((name) => set[name]?.needsApproval !== true)).toEqual(READING);
    for (const { tool: name, input } of STEPS) await set[name]?.execute(input);
    expect([...published.values()]).toEqual(["total: 7\n"]);
    const events: [string, object][] = [];
    const output = await set.exec?.execute(
      { command: "echo a; sleep 0.4; echo b; sleep 0.4; echo c" },
      { toolCallId: "7", emitCustomEvent: (name, value) => events.push([name, value]) },
    );
    expect(output).toMatchObject({ exitCode: 0, stdout: "a\nb\nc\n" });
    expect(events[0]).toEqual(["workspace:exec", expect.objectContaining({ toolCallId: "7", exitCode: null })]);
    await expect(set.read?.execute({ path: "nothing" })).rejects.toThrow("ENOENT");
    expect(() => createTanStackTools({ workspace, approve: ["dance"] })).toThrow(
      /names of the tools, and dance is none/,
    );
  });
});

describe("ws:tools", () => {
  type Tools = Parameters<typeof createAITools>[0]["workspace"];

  async function withTools(
    make: (workspace: () => Tools) => ToolBindings,
    script: string,
    access: "read" | "read-write" = "read-write",
  ): Promise<unknown> {
    let value: unknown;
    await equipped(
      async ({ whole }) => {
        await whole.fs.writeFile("/workspace/orders.csv", ORDERS);
        using run = await whole.runtime.exec(script, { backend: "worker-javascript", encoding: "utf8" });
        const result = await run.result();
        expect(result.stderr).toBe("");
        value = result.value;
      },
      (workspace) => {
        const modules = { "ws:tools": createToolBindings(make(workspace), { exclude: ["exec"] }) };
        return [new WorkerJavaScriptBackend({ loader: env.LOADER, access, modules })];
      },
    );
    return value;
  }
  const told = "const told = (error) => error.code ?? error.message;";

  test.each([
    ["the AI SDK's", (workspace: () => Tools) => forAISDKTools(() => createAITools({ workspace: workspace() }))],
    ["pi's", (workspace: () => Tools) => () => forPiTools(createPiTools({ workspace: workspace() }))()],
  ])("%s tools are functions of a script, which give data and throw what failed", async (_, make) => {
    const script = `import * as tools from "ws:tools"; import { grep, write, edit, delete as remove } from "ws:tools"; ${told}
      export default async () => [
        Object.keys(tools).filter((name) => name !== "default").sort(),
        (await grep({ query: "tea" })).matches[0].line,
        await write({ path: "a.txt", content: "one" }),
        (await edit({ path: "a.txt", edits: [{ oldText: "one", newText: "two" }] })).firstChangedLine,
        await edit({ path: "a.txt", edits: [{ oldText: "one", newText: "two" }] }).catch(told),
        await remove({ path: "a.txt" }),
        await remove("a.txt").catch(told),
        await grep({}).catch(told),
      ]`;
    expect(await withTools(make, script)).toEqual([
      ALL.filter((name) => name !== "exec").sort(),
      1,
      { path: "/workspace/a.txt", bytes: 3, created: true },
      1,
      expect.stringContaining("edits[0]: oldText was found 0 times"),
      { path: "/workspace/a.txt", deleted: true },
      "The tool delete takes one object, its input: delete({ … }).",
      expect.stringContaining("query"),
    ]);
  });

  test("a run that may only read gets only what reads", async () => {
    const script = `import { grep, write } from "ws:tools"; ${told} export default async () => [(await grep({ query: "tea" })).matches.length, await write({ path: "a", content: "" }).catch(told)]`;
    expect(
      await withTools((workspace) => forAISDKTools(() => createAITools({ workspace: workspace() })), script, "read"),
    ).toEqual([1, "EACCES"]);
  });

  test("tools of one's own, in every form the libraries have", async () => {
    const double = { description: "", inputSchema: z.object({ n: z.number() }) };
    const ai: ToolSet = {
      double: tool({ ...double, execute: async ({ n }) => n * 2 }),
      steps: tool({
        ...double,
        async *execute({ n }) {
          for (let i = 0; i <= n; i++) yield i;
        },
      }),
      schema: tool({ inputSchema: jsonSchema<{ n: number }>({ type: "object" }), execute: ({ n }) => ({ n }) }),
      fails: tool({
        ...double,
        execute: async (): Promise<number> => {
          throw new Error("no luck");
        },
      }),
      worded: tool({
        ...double,
        execute: async () => null,
        toModelOutput: () => ({ type: "error-text", value: "worded" }),
      }),
      clients: double as ToolSet[string],
    };
    const pi: PiAgentTool = {
      name: "greet",
      description: "",
      parameters: {},
      execute: async (id, params) => ({ content: [{ type: "text", text: `${id} ${JSON.stringify(params)}` }] }),
    };
    const bindings = [
      ...forAISDKTools(ai)(),
      ...forPiTools([pi], { validate: (_, { arguments: args }) => ({ ...args, checked: true }) })(),
    ];
    const script = `import * as t from "ws:tools"; ${told} export default async () => [await t.double({ n: 4 }), await t.double({ n: "x" }).catch(told), await t.steps({ n: 3 }), await t.schema({ n: 5 }), await t.fails({ n: 1 }).catch(told), await t.worded({ n: 1 }).catch(told), t.clients === undefined, await t.greet({ a: 1 })]`;
    expect(await withTools(() => bindings, script)).toEqual([
      8,
      expect.stringMatching(/^double: /),
      3,
      { n: 5 },
      "no luck",
      "worded",
      true,
      expect.stringMatching(/^\S+ \{"a":1,"checked":true\}$/),
    ]);
    expect(() => createToolBindings([...bindings, ...bindings])({} as never)).toThrow(/two tools of the name double/);
  });

  test("its description is told to the model", () => {
    const modules = { "ws:tools": createToolBindings([], { description: "files of the project" }) };
    const backend = new WorkerJavaScriptBackend({ loader: env.LOADER, modules });
    expect(backend.description).toContain("ws:tools: files of the project");
  });
});
