/** How runs are ended from outside. */

import { expect, test } from "vitest";
import type { WorkspaceRuntimeExecHandle } from "../../runtime/exec-handle.ts";
import type { ComputerUnderTest, RunOnComputer } from "./under-test.ts";

export function testStopping(run: RunOnComputer): void {
  const on = (title: string, body: (under: ComputerUnderTest) => Promise<void>): void => test(title, () => run(body));

  on("a run out of time is cancelled with code 124 and says so", async ({ workspace, script }) => {
    using handle = await workspace.runtime.exec(script.hang(), { encoding: "utf8", timeoutMs: 1000 });
    const result = await handle.result();
    expect(result).toMatchObject({ status: "cancelled", exitCode: 124, stdout: "ready\n" });
    expect(result.stderr).toMatch(/timed out after 1000 ms/);
  });

  on("a run that is killed is cancelled", async ({ workspace, script }) => {
    using handle = await workspace.runtime.exec(script.hang(), { encoding: "utf8", id: "killed" });
    const result = handle.result();
    await untilReady(await workspace.runtime.getExec("killed", { encoding: "utf8" }));
    await handle.kill();
    expect(await result).toMatchObject({ status: "cancelled", stdout: "ready\n" });
    expect((await result).exitCode).not.toBe(0);
    await handle.kill("SIGKILL");
    expect(
      await workspace.runtime.exec(script.say("on"), { encoding: "utf8" }).then((next) => next.result()),
    ).toMatchObject({
      stdout: "on",
    });
  });

  on("a handle that is let go of leaves its run alone", async ({ workspace, script }) => {
    {
      using handle = await workspace.runtime.exec(script.say("still here"), { id: "left" });
      expect(handle.id).toBe("left");
    }
    using again = await workspace.runtime.getExec("left", { encoding: "utf8" });
    expect(await again.result()).toMatchObject({ status: "completed", stdout: "still here" });
  });
}

async function untilReady(handle: WorkspaceRuntimeExecHandle<"utf8">): Promise<void> {
  for await (const event of handle) if (event.name === "stdout" && event.value.includes("ready")) return;
}
