import { env, runInDurableObject } from "cloudflare:test";
import { ContainerBackend, computerdHost } from "../src/backends/container/index.ts";
import { Workspace } from "../src/index.ts";
import { describeComputer, shellSources } from "../src/testing/suite/index.ts";

describeComputer("the container computer, a real one of a host behind a URL", async (test) => {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage, id }) => {
    const container = computerdHost({ ...env.COMPUTER_HOST, id: id.toString() });
    const workspace = new Workspace({
      storage,
      backends: [
        new ContainerBackend({ container: () => container, workspace: { binding: "BARE", id: id.toString() } }),
      ],
    });
    try {
      await test({ workspace, script: shellSources });
    } finally {
      await workspace.close();
      await fetch(`${env.COMPUTER_HOST.url}/computers/${id}`, {
        method: "DELETE",
        headers: { "Computer-Host-Token": env.COMPUTER_HOST.token },
      });
    }
  });
});
