import { env, runInDurableObject } from "cloudflare:test";
import { Workspace } from "../src/index.ts";
import { MemoryComputer } from "../src/testing/index.ts";
import { describeComputer, scriptedCommands, scriptedSources } from "../src/testing/suite/index.ts";

describeComputer("the computer in memory", async (test) => {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, state) => {
    const workspace = new Workspace({
      storage: state.storage,
      backends: [new MemoryComputer({ commands: scriptedCommands })],
    });
    await test({ workspace, script: scriptedSources });
    await workspace.close();
  });
});
