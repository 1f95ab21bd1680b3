/** `npm run test:long`: the tests of several minutes and more, which lie in `test/long` of the packages. Not part of `npm test`. */

import { globSync } from "node:fs";
import { ROOT, tool } from "./checkout.ts";
import { type Run, runAll } from "./run-all.ts";

const runs: Run[] = globSync("packages/*/test/long/*.ts", {
  cwd: ROOT,
})
  .filter((path) => !path.endsWith(".test.ts"))
  .sort()
  .map((program) => [process.execPath, [program]]);
runs.push([tool("vitest"), ["run", "test/long"]]);

process.exitCode = runAll("test:long", runs);
