/** Starting, following and finding runs. */

import { expect, test } from "vitest";
import { eventsOf } from "./events-of.ts";
import type { ComputerUnderTest, RunOnComputer } from "./under-test.ts";

export function testRuns(run: RunOnComputer): void {
  const on = (title: string, body: (under: ComputerUnderTest) => Promise<void>): void => test(title, () => run(body));

  on("a run has an id, its computer's id and a result", async ({ workspace, script }) => {
    using handle = await workspace.runtime.exec(script.say("hello"), { encoding: "utf8" });
    expect(handle.id).toMatch(/./);
    expect(handle.backend).toBe(workspace.runtime.backends()[0]?.id);
    const result = await handle.result();
    expect(result).toMatchObject({ status: "completed", exitCode: 0, stdout: "hello", stderr: "" });
    expect(await handle.result()).toBe(result);
  });

  on("a command that fails is a result", async ({ workspace, script }) => {
    using handle = await workspace.runtime.exec(script.fail("no such luck", 3), { encoding: "utf8" });
    expect(await handle.result()).toMatchObject({ status: "failed", exitCode: 3, stdout: "", stderr: "no such luck" });
  });

  on("events are numbered without a gap, and the exit is the last", async ({ workspace, script }) => {
    using handle = await workspace.runtime.exec(script.lines(200), { encoding: "utf8" });
    const events = await eventsOf(handle);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    expect(new Set(events.map(({ id }) => id))).toEqual(new Set([handle.id]));
    expect(events.filter(({ name }) => name === "exit")).toEqual([events.at(-1)]);
    const text = events.map((event) => (event.name === "stdout" ? event.value : "")).join("");
    expect(text).toBe(Array.from({ length: 200 }, (_, index) => `${index + 1}\n`).join(""));
  });

  on("events and result of one handle are refused together", async ({ workspace, script }) => {
    using read = await workspace.runtime.exec(script.say("x"));
    await eventsOf(read);
    await expect(read.result()).rejects.toMatchObject({ code: "EOPTION", message: expect.stringContaining("getExec") });
    using asked = await workspace.runtime.exec(script.say("x"));
    await asked.result();
    expect(() => asked.getReader()).toThrow(/not both/);
  });

  on("events are read once, and not again in silence", async ({ workspace, script }) => {
    using read = await workspace.runtime.exec(script.say("x"));
    await eventsOf(read);
    await expect(eventsOf(read)).rejects.toMatchObject({ code: "EOPTION", message: expect.stringContaining("once") });
    using left = await workspace.runtime.exec(script.lines(3));
    for await (const _ of left) break;
    await expect(eventsOf(left)).rejects.toMatchObject({ code: "EOPTION" });
  });

  on("a handle that was let go of refuses to be read; a result it gave stays", async ({ workspace, script }) => {
    const dropped = await workspace.runtime.exec(script.say("x"));
    dropped[Symbol.dispose]();
    await expect(dropped.result()).rejects.toMatchObject({
      code: "EOPTION",
      message: expect.stringContaining("let go"),
    });
    expect(() => dropped.getReader()).toThrow(/^EOPTION: .*let go/);
    const asked = await workspace.runtime.exec(script.say("x"));
    const result = await asked.result();
    asked[Symbol.dispose]();
    expect(await asked.result()).toBe(result);
  });

  on("env is for one run, stdin and cwd are the caller's", async ({ workspace, script }) => {
    const stdout = async (source: string, options: object): Promise<string> => {
      using handle = await workspace.runtime.exec(source, { ...options, encoding: "utf8" });
      return (await handle.result()).stdout;
    };
    expect(await stdout(script.variable("COLOUR"), { env: { COLOUR: "dark 'blue'" } })).toBe("dark 'blue'");
    expect(await stdout(script.variable("COLOUR"), {})).toBe("");
    expect(await stdout(script.echo(), { stdin: "text é" })).toBe("text é");
    expect(await stdout(script.echo(), { stdin: Uint8Array.of(104, 105) })).toBe("hi");
    expect(await stdout(script.echo(), {})).toBe("");
    await workspace.fs.mkdir("/workspace/a/b", { recursive: true });
    expect(await stdout(script.where(), {})).toBe("/workspace\n");
    expect(await stdout(script.where(), { cwd: "/workspace/a/b" })).toBe("/workspace/a/b\n");
    expect(await stdout(script.where(), { cwd: "a" })).toBe("/workspace/a\n");
  });

  on("a run is found again by its id", async ({ workspace, script }) => {
    using first = await workspace.runtime.exec(script.lines(3), { id: "again", encoding: "utf8" });
    expect(first.id).toBe("again");
    const { stdout } = await first.result();
    expect(stdout).toBe("1\n2\n3\n");
    using second = await workspace.runtime.getExec("again", { encoding: "utf8" });
    expect(await second.result()).toMatchObject({ status: "completed", exitCode: 0, stdout });
    using whole = await workspace.runtime.getExec("again");
    const events = await eventsOf(whole);
    using rest = await workspace.runtime.getExec("again", { resume: 0 });
    expect(await eventsOf(rest)).toEqual(events.slice(1));
    using tail = await workspace.runtime.getExec("again", { resume: "tail" });
    expect(await eventsOf(tail)).toEqual(events.slice(-1));
  });

  on("an id is good for one run", async ({ workspace, script }) => {
    using first = await workspace.runtime.exec(script.say("x"), { id: "once" });
    await first.result();
    await expect(workspace.runtime.exec(script.say("x"), { id: "once" })).rejects.toMatchObject({
      code: "EEXEC_EXISTS",
    });
  });

  on("runs that are not known, or no longer, are lost", async ({ workspace, script }) => {
    await expect(workspace.runtime.getExec("nobody")).rejects.toMatchObject({ code: "EEXEC_LOST" });
    await expect(workspace.runtime.killExec("nobody")).rejects.toMatchObject({ code: "EEXEC_LOST" });
    using handle = await workspace.runtime.exec(script.say("x"), { id: "gone" });
    await handle.result();
    await workspace.runtime.disposeExec("gone");
    await expect(workspace.runtime.getExec("gone")).rejects.toMatchObject({ code: "EEXEC_LOST" });
  });

  on("X-07 five runs finish beside one that hangs", async ({ workspace, script }) => {
    using hung = await workspace.runtime.exec(script.hang(), { id: "hung" });
    const results = await Promise.all(
      Array.from({ length: 5 }, async (_, index) => {
        using handle = await workspace.runtime.exec(script.say(`${index}`), { encoding: "utf8" });
        return (await handle.result()).stdout;
      }),
    );
    expect(results).toEqual(["0", "1", "2", "3", "4"]);
    await workspace.runtime.killExec("hung");
    expect(await hung.result()).toMatchObject({ status: "cancelled" });
  });

  on("what is wrong is refused and named", async ({ workspace, script }) => {
    const { exec } = workspace.runtime;
    const refused = (options: object): Promise<unknown> =>
      exec.call(workspace.runtime, script.say("x"), options).then(
        () => "not refused",
        (error: Error) => error.message,
      );
    expect(await refused({ timeout: 5 })).toMatch(/EOPTION: .*Did you mean timeoutMs\?/);
    expect(await refused({ timeoutMs: -1 })).toMatch(/EOPTION: .*timeoutMs/);
    expect(await refused({ backend: "elsewhere" })).toMatch(
      new RegExp(`EOPTION: .*"elsewhere".*${workspace.runtime.backends()[0]?.id}`),
    );
    if (!workspace.runtime.isCallable(workspace.runtime.backends()[0]?.id ?? "")) {
      expect(await refused({ input: { a: 1 } })).toMatch(/EOPTION: .*takes no input/);
    }
  });
}
