/** `npm run chat [-- NAME]`: the agent of `examples/agent` in this terminal, with a dev server and a host for its computers. */

import { join } from "node:path";
import { converse } from "../examples/agent/src/terminal.ts";
import { stopProcesses } from "./background-process.ts";
import { ROOT } from "./checkout.ts";
import { startDevServer, startHost } from "./local-stack.ts";
import { missingNeeds } from "./system-needs.ts";

const session = process.argv[2] ?? "me";

for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, async () => {
    await stopProcesses();
    process.exit(0);
  });
}

try {
  const needs = missingNeeds();
  if (needs.length > 0) throw new Error(`this machine cannot run a computer yet:\n  ${needs.join("\n  ")}`);
  console.log("[chat] starting the host of the computers and the dev server ...");
  const host = await startHost();
  const server = await startDevServer({
    host,
    state: join(ROOT, ".wrangler", "chat"),
    config: join(ROOT, "examples", "agent", "wrangler.jsonc"),
  });
  console.log(`[chat] this is the session ${session}, kept in .wrangler/chat; Ctrl-D leaves it.\n`);
  await converse({ url: server.url, session, input: process.stdin, write: (text) => process.stdout.write(text) });
} catch (error) {
  console.error(`[chat] ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  await stopProcesses();
}
