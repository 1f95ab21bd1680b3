import { env, runInDurableObject } from "cloudflare:test";
import { SqlStore } from "@cloudflare/dofs";
import { expect, test } from "vitest";
import { type SyncLogger, type SyncProgress, Workspace, type WorkspaceObserver } from "../src/index.ts";
import { scriptedSources as script } from "../src/testing/suite/index.ts";
import { MemoryDaemon, type MemoryDaemonOptions } from "./memory-daemon.ts";

interface Setting {
  readonly workspace: Workspace;
  readonly storage: DurableObjectStorage;
  readonly daemon: MemoryDaemon;
  /** How often the command `count` ran. */
  runs(): number;
}

/** A workspace whose computer has its own files, and commands: `count`, and `slow`, which goes on when it is told to. */
function on(
  title: string,
  body: (setting: Setting & { go(): void }) => Promise<void>,
  more: MemoryDaemonOptions = {},
): void {
  test(title, async () => {
    await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage }) => {
      let runs = 0;
      const { promise: gone, resolve: go } = Promise.withResolvers<void>();
      const daemon = new MemoryDaemon({
        ...more,
        commands: {
          count: ({ stdout }) => {
            runs += 1;
            stdout("counted");
          },
          async slow({ stdout, fs }) {
            runs += 1;
            stdout("before ");
            await gone;
            await fs.writeFile("/workspace/slow", "slow");
            stdout("after");
          },
        },
      });
      const workspace = new Workspace({ storage, backends: [daemon.backend] });
      await workspace.fs.mkdir("/workspace", { recursive: true });
      await body({ workspace, storage, daemon, runs: () => runs, go });
      await workspace.close();
    });
  });
}

async function all(progress: AsyncIterable<SyncProgress>): Promise<SyncProgress[]> {
  const steps: SyncProgress[] = [];
  for await (const step of progress) steps.push(step);
  return steps;
}

on("nothing is dialled before the first run, and only what changed travels", async ({ workspace, daemon }) => {
  await workspace.fs.writeFile("/workspace/a", "a");
  expect(daemon.count.dials).toBe(0);
  using first = await workspace.runtime.exec(script.copy("a", "b"));
  expect(await first.result()).toMatchObject({ pulled: 1, sync: { status: "complete", applied: 1, mount: "files" } });
  using second = await workspace.runtime.exec(script.say("x"));
  expect(await second.result()).toMatchObject({ pushed: 0, pulled: 0 });
  await workspace.fs.writeFile("/workspace/c", "c");
  using third = await workspace.runtime.exec(script.say("x"));
  expect(await third.result()).toMatchObject({ pushed: 1, pulled: 0 });
  expect(daemon.count.dials).toBe(1);
});

on("X-12 where the files cannot be brought over, the command is not started", async ({ workspace, daemon, runs }) => {
  await workspace.fs.writeFile("/workspace/a", "a");
  daemon.failing.push = 2;
  await expect(workspace.runtime.exec("count")).rejects.toMatchObject({
    code: "ESYNC",
    message: expect.stringContaining("not started"),
  });
  expect([runs(), daemon.count.execs]).toEqual([0, 0]);
  daemon.failing.push = 0;
  using handle = await workspace.runtime.exec("count");
  expect(await handle.result()).toMatchObject({ exitCode: 0 });
  expect(runs()).toBe(1);
});

on(
  "changes that cannot be taken over leave the result as it is, pending, and the next pull goes on",
  async ({ workspace, daemon }) => {
    await workspace.fs.writeFile("/workspace/a", "a");
    using handle = await workspace.runtime.exec(script.copy("a", "b"));
    daemon.failing.pull = 1;
    expect(await handle.result()).toMatchObject({
      status: "completed",
      exitCode: 0,
      sync: { status: "pending", backend: "remote", error: expect.stringContaining("by order of the test") },
    });
    expect(await workspace.fs.exists("/workspace/b")).toBe(false);
    const steps = await all(workspace.pull());
    expect(steps.at(-1)).toMatchObject({ direction: "pull", backend: "remote", entries: 1, complete: true });
    expect(await workspace.fs.readFile("/workspace/b", "utf8")).toBe("a");
  },
);

on("a run whose changes were not asked for leaves them to the next pull", async ({ workspace }) => {
  await workspace.fs.writeFile("/workspace/a", "a");
  using handle = await workspace.runtime.exec(script.copy("a", "b"), { sync: "defer" });
  expect(await handle.result()).toMatchObject({ exitCode: 0, pulled: 0, sync: { status: "pending" } });
  expect(await workspace.fs.exists("/workspace/b")).toBe(false);
  await all(workspace.pull("remote"));
  expect(await workspace.fs.exists("/workspace/b")).toBe(true);
});

on("push brings a computer's files up to date before a run", async ({ workspace, daemon }) => {
  await workspace.fs.writeFile("/workspace/a", "early");
  const steps = await all(workspace.push());
  expect(steps.at(-1)).toMatchObject({ direction: "push", complete: true });
  expect(await (await daemon.files).readFile("/workspace/a", "utf8")).toBe("early");
});

on("a line that broke between runs is dialled again", async ({ workspace, daemon, runs }) => {
  using first = await workspace.runtime.exec("count");
  await first.result();
  daemon.cut();
  using second = await workspace.runtime.exec("count", { encoding: "utf8" });
  expect(await second.result()).toMatchObject({ stdout: "counted" });
  expect([runs(), daemon.count.dials]).toEqual([2, 2]);
});

on("a run goes on over a new line, with every event once and its files", async ({ workspace, daemon, runs, go }) => {
  using handle = await workspace.runtime.exec("slow", { encoding: "utf8" });
  const reader = handle.getReader();
  expect((await reader.read()).value).toMatchObject({ seq: 0, value: "before " });
  daemon.cut();
  go();
  expect((await reader.read()).value).toMatchObject({ seq: 1, value: "after" });
  expect((await reader.read()).value).toMatchObject({ seq: 2, name: "exit", code: 0 });
  expect((await reader.read()).done).toBe(true);
  expect(await workspace.fs.readFile("/workspace/slow", "utf8")).toBe("slow");
  expect([runs(), daemon.count.dials]).toEqual([1, 2]);
});

on("a run that was attached to part of the way goes on there over a new line", async ({ workspace, daemon, go }) => {
  using handle = await workspace.runtime.exec("slow", { id: "part" });
  await handle.getReader().read();
  using joined = await workspace.runtime.getExec("part", { encoding: "utf8", resume: 0 });
  daemon.cut();
  go();
  const seqs: number[] = [];
  for await (const { seq } of joined) seqs.push(seq);
  expect(seqs).toEqual([1, 2]);
});

on("a run whose start was not heard of is found by its id, and ran once", async ({ workspace, daemon, runs }) => {
  daemon.cutAfterStart = true;
  using handle = await workspace.runtime.exec("count", { encoding: "utf8" });
  expect(await handle.result()).toMatchObject({ exitCode: 0, stdout: "counted" });
  expect([runs(), daemon.count.execs, daemon.count.dials]).toEqual([1, 1, 2]);
});

on("X-05 a run whose computer was replaced may have started, and is lost", async ({ workspace, daemon, runs, go }) => {
  using handle = await workspace.runtime.exec("slow", { id: "slow" });
  const result = handle.result();
  daemon.replace();
  await expect(result).rejects.toMatchObject({
    code: "EEXEC_UNCERTAIN",
    message: expect.stringContaining("may have started"),
  });
  go();
  await expect(workspace.runtime.getExec("slow")).rejects.toMatchObject({ code: "EEXEC_LOST" });
  await expect(workspace.runtime.killExec("slow")).rejects.toMatchObject({ code: "EEXEC_LOST" });
  expect(runs()).toBe(1);
});

on("a run belongs to one life of its computer, through restarts of the object", async ({ storage, daemon, runs }) => {
  const open = (): Workspace => new Workspace({ storage, backends: [daemon.backend] });
  const first = open();
  using handle = await first.runtime.exec("count", { id: "once", encoding: "utf8" });
  await handle.result();
  await first.close();
  const second = open();
  using again = await second.runtime.getExec("once", { encoding: "utf8", resume: -1 });
  expect(await again.result()).toMatchObject({ stdout: "counted", exitCode: 0 });
  await expect(second.runtime.exec("count", { id: "once" })).rejects.toMatchObject({ code: "EEXEC_EXISTS" });
  daemon.replace();
  await second.close();
  const third = open();
  await expect(third.runtime.exec("count", { id: "once" })).rejects.toMatchObject({ code: "EEXEC_EXISTS" });
  for (const lost of [third.runtime.getExec("once"), third.runtime.killExec("once")]) {
    await expect(lost).rejects.toMatchObject({ code: "EEXEC_LOST" });
  }
  expect(runs()).toBe(1);
  await third.close();
});

on("a computer that was replaced gets all files again", async ({ workspace, daemon }) => {
  await workspace.fs.writeFile("/workspace/a", "a");
  using first = await workspace.runtime.exec(script.copy("a", "b"));
  await first.result();
  const before = await daemon.runtimeId;
  expect(SqlStore.of(workspace.db).peer(before)).toBeDefined();
  daemon.replace();
  using second = await workspace.runtime.exec(script.copy("b", "c"), { encoding: "utf8" });
  expect(await second.result()).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await workspace.fs.readFile("/workspace/c", "utf8")).toBe("a");
  // A life that is over must not hold on to the log.
  expect(SqlStore.of(workspace.db).peer(before)).toBeUndefined();
});

on(
  "X-06 a computer that does not answer is given up, and the next run has a fresh line",
  async ({ workspace, daemon, runs }) => {
    using first = await workspace.runtime.exec("count");
    await first.result();
    daemon.mute = true;
    await expect(workspace.runtime.exec("count")).rejects.toMatchObject({ code: "EEXEC_UNCERTAIN" });
    daemon.mute = false;
    using next = await workspace.runtime.exec("count", { encoding: "utf8" });
    expect(await next.result()).toMatchObject({ stdout: "counted" });
    expect(runs()).toBe(2);
  },
  { answerTimeoutMs: 300 },
);

on(
  "both sides change a file: the computer's version stands, the other is kept and named",
  async ({ workspace, go }) => {
    await workspace.fs.writeFile("/workspace/slow", "as it was");
    using handle = await workspace.runtime.exec("slow");
    await workspace.fs.writeFile("/workspace/slow", "written meanwhile");
    go();
    const { sync } = await handle.result();
    expect(await workspace.fs.readFile("/workspace/slow", "utf8")).toBe("slow");
    expect(sync).toMatchObject({ status: "complete", conflicts: [{ path: "/workspace/slow" }] });
    const kept = sync.status === "complete" ? sync.conflicts?.[0]?.kept : undefined;
    expect(await workspace.fs.readFile(kept ?? "", "utf8")).toBe("written meanwhile");
  },
);

test("each step is a span, and each sync a block and an operation of the log", async () => {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage }) => {
    const spans: { name: string; attributes: Record<string, unknown> }[] = [];
    const observer: WorkspaceObserver = {
      span: (name, given, run) => {
        const attributes: Record<string, unknown> = { ...given };
        spans.push({ name, attributes });
        return run({
          setAttribute: (key, value) => {
            attributes[key] = value;
          },
        });
      },
    };
    const told: string[] = [];
    const syncTelemetry: SyncLogger = {
      block: ({ direction, entries }) => told.push(`${direction} ${entries}`),
      operation: ({ direction, blocks, entries }) => told.push(`${direction} of ${blocks}: ${entries}`),
    };
    const workspace = new Workspace({ storage, backends: [new MemoryDaemon().backend], observer, syncTelemetry });
    await workspace.fs.mkdir("/workspace");
    await workspace.fs.writeFile("/workspace/a", "abc");
    using handle = await workspace.runtime.exec(script.copy("a", "b"), { id: "copied" });
    const { pushed } = await handle.result();
    await workspace.close();
    expect(spans).toEqual([
      { name: "workspace.exec", attributes: { "computer.id": "remote", "run.id": "copied" } },
      { name: "workspace.push", attributes: { "computer.id": "remote", "sync.entries": pushed, "sync.bytes": 3 } },
      { name: "workspace.pull", attributes: { "computer.id": "remote", "sync.entries": 1, "sync.bytes": 3 } },
    ]);
    expect(told).toEqual([`push ${pushed}`, `push of 1: ${pushed}`, "pull 1", "pull of 1: 1"]);
  });
});

on(
  "what a user's backend says to ignore is passed over, whether its computer can leave it out or not",
  async ({ storage, daemon }) => {
    for (const supported of [true, false]) {
      const ignore = { patterns: ["*.tmp"], root: undefined, supported };
      const connect = async () => ({ ...(await daemon.dial()), ignore });
      const workspace = new Workspace({ storage, backends: [{ ...daemon.backend, connect }] });
      await workspace.fs.writeFile("/workspace/a", "a");
      for (const to of [`${supported}.tmp`, `${supported}`]) {
        using handle = await workspace.runtime.exec(script.copy("a", to));
        expect(await handle.result()).toMatchObject({ exitCode: 0, sync: { status: "complete" } });
        expect(await workspace.fs.exists(`/workspace/${to}`)).toBe(!to.endsWith(".tmp"));
        expect(await (await daemon.files).exists(`/workspace/${to}`)).toBe(true);
      }
      await workspace.close();
    }
  },
);

on("what is closed says so", async ({ workspace, daemon }) => {
  await workspace.ready();
  expect(daemon.count.dials).toBe(1);
  await workspace.close();
  await expect(workspace.runtime.exec("count")).rejects.toMatchObject({ code: "EUNAVAILABLE" });
  expect(await workspace.fs.exists("/workspace")).toBe(true);
});
