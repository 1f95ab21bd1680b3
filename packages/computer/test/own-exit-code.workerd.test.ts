import { env, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { Workspace } from "../src/index.ts";
import { MemoryDaemon } from "./memory-daemon.ts";

test.each([
  ["a computer that says how runs end", false, "failed"],
  ["one of 0.8.0's wire, which cannot say", true, "cancelled"],
])("a command's own exit code 124 under a timeout, on %s", async (_, streamsOnly, status) => {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage }) => {
    const daemon = new MemoryDaemon({ streamsOnly, commands: { own: () => 124 } });
    const workspace = new Workspace({ storage, backends: [daemon.backend] });
    using run = await workspace.runtime.exec("own", { timeoutMs: 60_000 });
    expect(await run.result()).toMatchObject({ status, exitCode: 124 });
    await workspace.close();
  });
});
