/** `npm run test:long`: the tests of several minutes and more, which lie in `test/long` of the packages. Not part of `npm test`. */

import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { ROOT, tool } from "./checkout.ts";
import { hasDocker } from "./docker.ts";

const runs: [command: string, args: string[], env?: Record<string, string>][] = globSync("packages/*/test/long/*.ts", {
  cwd: ROOT,
})
  .filter((path) => !path.endsWith(".test.ts"))
  .sort()
  .map((program) => [process.execPath, [program]]);
runs.push([tool("vitest"), ["run", "test/long"]]);
if (hasDocker()) {
  runs.push([process.execPath, ["scripts/images.ts"]]);
  const tests = ["container-files", "container-lifecycle"].map((name) => `packages/computer/test/${name}.host.test.ts`);
  runs.push([tool("vitest"), ["run", "--project", "host", ...tests], { CONTAINER_IMAGE: "computer-base" }]);
} else console.log("[test:long] there is no Docker here, so no container is tried");

const failed = runs.filter(([command, args, env]) => {
  console.log(`[test:long] ${args.join(" ")} ...`);
  const started = performance.now();
  const { status } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, LONG: "1", ...env },
  });
  console.log(`[test:long] ${args.join(" ")}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return status !== 0;
});
for (const [, args] of failed) console.log(`[test:long] failed: ${args.join(" ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
