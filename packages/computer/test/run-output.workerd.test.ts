import { env, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { Workspace, type WorkspaceOptions } from "../src/index.ts";
import { MemoryComputer } from "../src/testing/index.ts";
import { scriptedCommands } from "../src/testing/suite/scripted-sources.ts";

async function on(options: Partial<WorkspaceOptions>, body: (workspace: Workspace) => Promise<void>): Promise<void> {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage }) => {
    const commands = {
      ...scriptedCommands,
      /** 300 KiB in one line, then a short one. */
      wide({ stdout, stderr }: Parameters<NonNullable<(typeof scriptedCommands)["say"]>>[0]) {
        for (let piece = 0; piece < 300; piece++) stdout("é".repeat(512));
        stdout("\nend\n");
        stderr("é".repeat(40_000));
      },
    };
    await body(new Workspace({ storage, backends: [new MemoryComputer({ commands })], ...options }));
  });
}

test("each stream has its own limit, and each its file", async () => {
  await on({}, async (workspace) => {
    using handle = await workspace.runtime.exec("wide", { id: "wide", encoding: "utf8" });
    const { stdout, stderr, truncated } = await handle.result();
    expect(stdout).toBe("end\n");
    expect(stderr).toBe("é".repeat(32_768));
    expect(truncated).toMatchObject({
      stdout: { status: "saved", totalBytes: 300 * 1024 + 5, totalLines: 2, firstLine: 2, partialLine: false },
      stderr: { status: "saved", totalBytes: 80_000, totalLines: 1, firstLine: 1, partialLine: true },
    });
    const saved = await workspace.fs.readFile("/.computer/output/wide.stdout.txt", "utf8");
    expect(saved).toBe(`${"é".repeat(300 * 512)}\nend\n`);
    expect((await workspace.fs.stat("/.computer/output/wide.stderr.txt")).size).toBe(80_000);
  });
});

test("the newest files are kept", async () => {
  let time = 1000;
  const now = (): number => ++time;
  await on({ now, output: { maxLines: 1, keep: 3, dir: "/kept" } }, async (workspace) => {
    for (let run = 0; run < 5; run++) {
      using handle = await workspace.runtime.exec("lines 5", { id: `run ${run}` });
      await handle.result();
    }
    const names = (await workspace.fs.readdir("/kept")).map(({ name }) => name);
    expect(names).toEqual(["run%202.stdout.txt", "run%203.stdout.txt", "run%204.stdout.txt"]);
  });
});

test("what was said until its reader left is saved", async () => {
  await on({ output: { maxLines: 2 } }, async (workspace) => {
    using handle = await workspace.runtime.exec("lines 100", { id: "left" });
    for await (const event of handle) if (event.seq === 9) break;
    await expect.poll(() => workspace.fs.exists("/.computer/output/left.stdout.txt")).toBe(true);
    expect(await workspace.fs.readFile("/.computer/output/left.stdout.txt", "utf8")).toMatch(/^1\n2\n.*9\n10\n/s);
  });
});

test("what cannot be saved does not change the run's result", async () => {
  await on({ output: { maxLines: 2, dir: "/file/below" } }, async (workspace) => {
    await workspace.fs.writeFile("/file", "");
    using handle = await workspace.runtime.exec("lines 5", { encoding: "utf8" });
    expect(await handle.result()).toMatchObject({
      status: "completed",
      stdout: "4\n5\n",
      truncated: { stdout: { status: "not-saved", reason: expect.stringMatching(/ENOTDIR|EEXIST/), totalLines: 5 } },
    });
  });
});

test("a run that was joined part of the way does not replace what was saved of the whole", async () => {
  await on({ output: { maxLines: 2 } }, async (workspace) => {
    using whole = await workspace.runtime.exec("lines 9", { id: "run" });
    await whole.result();
    using part = await workspace.runtime.getExec("run", { resume: 3, encoding: "utf8" });
    expect(await part.result()).toMatchObject({ stdout: "8\n9\n", truncated: { stdout: { status: "not-saved" } } });
    expect(await workspace.fs.readFile("/.computer/output/run.stdout.txt", "utf8")).toBe("1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  });
});

test("with output: false in the workspace, nothing is cut unless a call asks for it, and nothing saved", async () => {
  await on({ output: false }, async (workspace) => {
    using whole = await workspace.runtime.exec("lines 5000", { encoding: "utf8" });
    expect((await whole.result()).stdout.split("\n")).toHaveLength(5001);
    using cut = await workspace.runtime.exec("lines 5", { encoding: "utf8", output: { maxLines: 1 } });
    expect(await cut.result()).toMatchObject({ stdout: "5\n", truncated: { stdout: { status: "not-saved" } } });
    expect(await workspace.fs.exists("/.computer")).toBe(false);
  });
});
