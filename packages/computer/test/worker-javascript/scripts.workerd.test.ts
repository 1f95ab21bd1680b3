import { describe, expect, test } from "vitest";
import { eventsOf } from "../../src/testing/suite/events-of.ts";
import { scripted } from "./in-object.ts";

describe("input and result", () => {
  test("are any data that JSON can carry", async () => {
    await scripted(async ({ value, run }) => {
      const data = { a: [1, null, true, "é", { "b c": -0.5 }], "": {}, __proto__: null };
      expect(await value("export default (input) => input;", data)).toEqual(data);
      expect(await value("export default async (input) => [typeof input];")).toEqual(["undefined"]);
      expect((await run("export default () => {};")).value).toBeUndefined();
      expect((await run("export default () => null;")).value).toBeNull();
    });
  });

  test.each([
    ["({ items: [1, { when: new Date() }] })", "result.items[1].when is a Date"],
    ["new Map()", "result is a Map"],
    ["({ f() {} })", "result.f is a function"],
    ["[0, NaN]", "result[1] is NaN"],
    ["({ 'a b': undefined })", 'result["a b"] is undefined'],
    ["10n", "result is a bigint"],
    ["new (class Point { x = 1 })()", "result is a Point"],
    ["(() => { const a = []; a.push(a); return a; })()", "result[0] is part of a circle"],
    ["({ [Symbol('s')]: 1 })", "result is an object with symbols as keys"],
    ["({ toJSON: () => 1 })", "result is a Object"],
  ])("%s is refused, with the path to what is wrong", async (expression, words) => {
    await scripted(async ({ run }) => {
      const result = await run(`console.log("ran"); export default () => ${expression};`);
      expect(result).toMatchObject({ status: "failed", exitCode: 1, stdout: "ran\n" });
      expect(result.stderr).toContain(words);
      expect(result.value).toBeUndefined();
    });
  });

  test("input that is no such data is refused before anything runs", async () => {
    await scripted(async ({ workspace }) => {
      const input = { when: new Date() } as never;
      await expect(workspace.runtime.exec("export default () => 1", { input })).rejects.toMatchObject({
        code: "EOPTION",
      });
    });
  });
});

describe("process and console", () => {
  test("process.env is what the caller passed, and nothing else; stdin is read once", async () => {
    await scripted(async ({ run }) => {
      const source = `import process, { env, argv, cwd } from "node:process";
        const read = async () => { let text = ""; for await (const chunk of process.stdin) text += chunk; return text; };
        export default async () => [{ ...env }, env === process.env, process === globalThis.process, argv.length, cwd(), await read(), await read()];`;
      const { value } = await run(source, { env: { A: "1" }, stdin: "in" });
      expect(value).toEqual([{ A: "1" }, true, true, 2, "/workspace", "in", ""]);
    });
  });

  test("console writes as in Node, errors and warnings to stderr", async () => {
    await scripted(async ({ run }) => {
      const source = `console.log("%s is %d", "x", 5, { a: [1] }); console.info(); console.group("g"); console.debug("in"); console.groupEnd();
        console.error("bad"); console.warn("w"); console.assert(false, "no"); console.count(); console.count(); console.dir({ b: 1 }); console.table([{ a: 1, b: 2 }]);
        process.stdout.write("no end"); process.stdout.write(Buffer.from(" é")); process.stderr.write("6869", "hex");`;
      const { stdout, stderr } = await run(source);
      expect(stdout).toBe(
        "x is 5 { a: [ 1 ] }\n\ng\n  in\ndefault: 1\ndefault: 2\n{ b: 1 }\n(index)  a  b\n0        1  2\nno end é",
      );
      expect(stderr).toBe("bad\nw\nAssertion failed: no\nhi");
    });
  });

  test("output comes while the script runs", async () => {
    await scripted(
      async ({ workspace }) => {
        const source = `import { wait } from "ws:gate"; console.log("first"); await wait(); console.log("second");`;
        using handle = await workspace.runtime.exec(source, { encoding: "utf8" });
        const seen: string[] = [];
        for await (const event of handle) {
          if (event.name === "exit") continue;
          seen.push(event.value);
          open();
        }
        expect(seen).toEqual(["first\n", "second\n"]);
      },
      { modules: { "ws:gate": { wait: () => gate } } },
    );
  });

  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });

  test.each([
    ["process.exit(3)", 3, ""],
    ["process.exitCode = 4", 4, ""],
    ["setTimeout(() => process.exit(5), 1); await new Promise(() => {})", 5, ""],
    ["throw new TypeError('oh')", 1, /^TypeError: oh\n {4}at file:\/\/\/workspace\/<script>:1:7\n/],
    ["console; throw { odd: 1 }", 1, /^Uncaught { odd: 1 }\n$/],
    ["throw { odd: 1 }", 1, /^Uncaught {"odd":1}\n$/],
    ["throw new Error('a', { cause: new Error('b') })", 1, /^Error: a\n.*\n {2}\[cause\]: Error: b\n/s],
    ["console; throw new Error('a', { cause: new Error('b') })", 1, /^Error: a\n.*\n {2}\[cause\]: Error: b\n/s],
    ["export default () => { throw new Error('in main') }", 1, /Error: in main/],
    ["Promise.reject(new Error('nobody'))", 1, /Error: nobody/],
    ["await Promise.reject(new Error('awaited'))", 1, /Error: awaited/],
    ["setTimeout(() => { throw new Error('later') }, 1); await new Promise(() => {})", 1, /Error: later/],
    ["process.exit(0); console.log('not reached')", 0, ""],
  ])("%s ends as a process does", async (source, exitCode, stderr) => {
    await scripted(async ({ run }) => {
      const result = await run(source);
      expect(result).toMatchObject({ exitCode, status: exitCode === 0 ? "completed" : "failed", stdout: "" });
      if (typeof stderr === "string") expect(result.stderr).toBe(stderr);
      else expect(result.stderr).toMatch(stderr);
    });
  });
});

test("J-05 what was said before a failure is told in all, and how far the script came", async () => {
  await scripted(async ({ run, workspace }) => {
    const thrown = await run(
      `import fs from "node:fs/promises"; await fs.writeFile("f", "x"); console.log("one"); console.log("two"); throw new Error("end");`,
    );
    expect(thrown).toMatchObject({ status: "failed", exitCode: 1, stdout: "one\ntwo\n" });
    expect(thrown.script).toEqual({ started: true, hostCalls: 1, roundTrips: 1 });
    const unloaded = await run(`console.log("never"); let x = ;`);
    expect(unloaded).toMatchObject({
      exitCode: 1,
      stdout: "",
      script: { started: false, hostCalls: 0, roundTrips: 0 },
    });

    const line = "x".repeat(1023);
    using handle = await workspace.runtime.exec(
      `for (let i = 0; i < 10 * 1024; i++) console.log(${JSON.stringify(line)});`,
      { output: false },
    );
    const events = await eventsOf(handle);
    const bytes = events.reduce((sum, event) => sum + (event.name === "stdout" ? event.value.length : 0), 0);
    expect(bytes).toBe(10 * 1024 * 1024);
    expect(events.at(-1)).toMatchObject({ name: "exit", code: 0 });
  });
});

test("J-05 output over the limit is told up to it, and ends the run", async () => {
  await scripted(
    async ({ run }) => {
      const result = await run(
        `for (;;) { console.log("0123456789"); await new Promise((resolve) => setTimeout(resolve, 0)); }`,
      );
      expect(result).toMatchObject({
        status: "failed",
        exitCode: 1,
        stdout: "0123456789\n".repeat(100).slice(0, 1000),
      });
      expect(result.stderr).toMatch(/longer than 1000 bytes \(maxStdioBytes\)/);
    },
    { maxStdioBytes: 1000 },
  );
});
