import { env, runInDurableObject } from "cloudflare:test";
import { WorkerShellBackend } from "../src/backends/worker-shell/index.ts";
import { Workspace } from "../src/index.ts";
import { describeComputer, shellSources } from "../src/testing/suite/index.ts";

describeComputer("the shell computer", async (test) => {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage, id }) => {
    const backend = new WorkerShellBackend({ loader: env.LOADER, workspace: { binding: "BARE", id: id.toString() } });
    const workspace = new Workspace({ storage, backends: [backend] });
    await test({ workspace, script: shellSources });
    await workspace.close();
  });
});
