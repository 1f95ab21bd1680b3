/** What a computer and its workspace see of each other's files. */

import { expect, test } from "vitest";
import type { ComputerUnderTest, RunOnComputer } from "./under-test.ts";

export function testFiles(run: RunOnComputer): void {
  const on = (title: string, body: (under: ComputerUnderTest) => Promise<void>): void => test(title, () => run(body));

  on("a run sees what was written before it, and leaves what it wrote", async ({ workspace, script }) => {
    await workspace.fs.mkdir("/workspace", { recursive: true });
    await workspace.fs.writeFile("/workspace/in put.txt", "é\n".repeat(1000));
    using handle = await workspace.runtime.exec(script.copy("in put.txt", "out'put.txt"), { encoding: "utf8" });
    const result = await handle.result();
    expect(result).toMatchObject({ exitCode: 0, skipped: [], sync: { status: "complete" } });
    expect(await workspace.fs.readFile("/workspace/out'put.txt", "utf8")).toBe("é\n".repeat(1000));
  });

  on("when the exit is told, the files are there", async ({ workspace, script }) => {
    await workspace.fs.mkdir("/workspace", { recursive: true });
    await workspace.fs.writeFile("/workspace/a", "first");
    using handle = await workspace.runtime.exec(script.copy("a", "b"));
    for await (const event of handle) {
      if (event.name === "exit") expect(await workspace.fs.readFile("/workspace/b", "utf8")).toBe("first");
    }
    expect(await workspace.fs.exists("/workspace/b")).toBe(true);
  });

  on("Y-01 five runs and the workspace write in turn, and each sees all", async ({ workspace, script }) => {
    await workspace.fs.mkdir("/workspace", { recursive: true });
    await workspace.fs.writeFile("/workspace/0", "0");
    for (let step = 1; step <= 5; step++) {
      using handle = await workspace.runtime.exec(script.copy(`${step - 1}`, `${step}-run`), { encoding: "utf8" });
      expect(await handle.result()).toMatchObject({ exitCode: 0, stderr: "" });
      await workspace.fs.writeFile(`/workspace/${step}`, `${step}`);
      expect(await workspace.fs.readFile(`/workspace/${step}-run`, "utf8")).toBe(`${step - 1}`);
    }
    using handle = await workspace.runtime.exec(script.copy("1-run", "last"), { encoding: "utf8" });
    await handle.result();
    const names = (await workspace.fs.readdir("/workspace")).map(({ name }) => name);
    expect(names).toEqual(["0", "1", "1-run", "2", "2-run", "3", "3-run", "4", "4-run", "5", "5-run", "last"]);
  });
}
