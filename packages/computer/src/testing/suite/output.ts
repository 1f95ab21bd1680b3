/** What comes of a run's output: text, bytes, limits. */

import { expect, test } from "vitest";
import { eventsOf } from "./events-of.ts";
import type { ComputerUnderTest, RunOnComputer } from "./under-test.ts";

export function testOutput(run: RunOnComputer): void {
  const on = (title: string, body: (under: ComputerUnderTest) => Promise<void>): void => test(title, () => run(body));

  on("bytes come as they are", async ({ workspace, script }) => {
    using handle = await workspace.runtime.exec(script.say("é"));
    const { stdout, stderr } = await handle.result();
    expect([...stdout]).toEqual([0xc3, 0xa9]);
    expect(stderr).toBeInstanceOf(Uint8Array);
  });

  on("a character in two pieces arrives whole", async ({ workspace, script }) => {
    using handle = await workspace.runtime.exec(script.halves(), { encoding: "utf8" });
    const events = await eventsOf(handle);
    expect(events.map((event) => (event.name === "stdout" ? event.value : "")).join("")).toBe("é");
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  });

  on("a long output keeps its end in the result and is saved whole", async ({ workspace, script }) => {
    using handle = await workspace.runtime.exec(script.lines(3000), { encoding: "utf8", id: "long" });
    const { stdout, truncated } = await handle.result();
    const lines = stdout.split("\n");
    expect([lines[0], lines.at(-2), lines.length]).toEqual(["1001", "3000", 2001]);
    expect(truncated?.stderr).toBeUndefined();
    expect(truncated?.stdout).toMatchObject({
      status: "saved",
      totalLines: 3000,
      firstLine: 1001,
      partialLine: false,
      path: "/.computer/output/long.stdout.txt",
    });
    const saved = await workspace.fs.readFile("/.computer/output/long.stdout.txt", "utf8");
    expect(saved).toBe(Array.from({ length: 3000 }, (_, index) => `${index + 1}\n`).join(""));
  });

  on("limits are the caller's, and can be turned off", async ({ workspace, script }) => {
    using few = await workspace.runtime.exec(script.lines(10), { encoding: "utf8", output: { maxLines: 2 } });
    expect(await few.result()).toMatchObject({ stdout: "9\n10\n", truncated: { stdout: { firstLine: 9 } } });
    using all = await workspace.runtime.exec(script.lines(3000), { encoding: "utf8", output: false });
    const result = await all.result();
    expect(result.stdout.split("\n")).toHaveLength(3001);
    expect(result.truncated).toBeUndefined();
  });

  on("the exit event says what was saved", async ({ workspace, script }) => {
    using handle = await workspace.runtime.exec(script.lines(10), { id: "told", output: { maxLines: 4 } });
    const exit = (await eventsOf(handle)).at(-1);
    expect(exit).toMatchObject({ name: "exit", truncated: { stdout: { status: "saved", totalLines: 10 } } });
  });
}
