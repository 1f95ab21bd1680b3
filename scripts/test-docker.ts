/** `npm run test:docker`: the images, and the tests that want containers of them. Without Docker it fails and says so. */

import { tool } from "./checkout.ts";
import { needDocker } from "./docker.ts";
import { runAll } from "./run-all.ts";

try {
  needDocker();
  const tests = ["container-files", "container-lifecycle"].map((name) => `packages/computer/test/${name}.host.test.ts`);
  process.exitCode = runAll("test:docker", [
    [process.execPath, ["scripts/images.ts"]],
    [tool("vitest"), ["run", "--project", "host", ...tests], { CONTAINER_IMAGE: "computer-base" }],
    [tool("vitest"), ["run", "--project", "stack", "test/docker"], { DOCKER: "1" }],
  ]);
} catch (error) {
  console.error(`[test:docker] failed: ${(error as Error).message}`);
  process.exitCode = 1;
}
