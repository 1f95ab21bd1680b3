import { env, runInDurableObject } from "cloudflare:test";
import { WorkerJavaScriptBackend } from "../../src/backends/worker-javascript/index.ts";
import { Workspace } from "../../src/index.ts";
import { describeComputer } from "../../src/testing/suite/index.ts";
import { javascriptSources } from "./javascript-sources.ts";

describeComputer("the JavaScript computer", async (test) => {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage }) => {
    const workspace = new Workspace({ storage, backends: [new WorkerJavaScriptBackend({ loader: env.LOADER })] });
    await test({ workspace, script: javascriptSources });
    await workspace.close();
  });
});
