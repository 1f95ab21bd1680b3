import { env, runInDurableObject } from "cloudflare:test";
import { Workspace } from "../src/index.ts";
import { describeComputer, scriptedSources } from "../src/testing/suite/index.ts";
import { MemoryDaemon, type MemoryDaemonOptions } from "./memory-daemon.ts";

function describeLifted(name: string, options: MemoryDaemonOptions): void {
  describeComputer(name, async (test) => {
    await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage }) => {
      const workspace = new Workspace({ storage, backends: [new MemoryDaemon(options).backend] });
      await test({ workspace, script: scriptedSources });
      await workspace.close();
    });
  });
}

describeLifted("a backend of the user's, its own files in step by pages", {});
describeLifted("a backend of the user's that speaks 0.8.0's wire only", { streamsOnly: true });
