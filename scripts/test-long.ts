/** `npm run test:long`: the tests of several minutes and more, which lie in `test/long` of the packages. Not part of `npm test`. */

import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { ROOT, tool } from "./checkout.ts";

const runs: [command: string, args: string[]][] = globSync("packages/*/test/long/*.ts", { cwd: ROOT })
  .filter((path) => !path.endsWith(".test.ts"))
  .sort()
  .map((program) => [process.execPath, [program]]);
runs.push([tool("vitest"), ["run", "test/long"]]);

const failed = runs.filter(([command, args]) => {
  console.log(`[test:long] ${args.join(" ")} ...`);
  const started = performance.now();
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: "inherit", env: { ...process.env, LONG: "1" } });
  console.log(`[test:long] ${args.join(" ")}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return status !== 0;
});
for (const [, args] of failed) console.log(`[test:long] failed: ${args.join(" ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
