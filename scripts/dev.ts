/** `npm run dev`: keeps the demo's dev server and a host for its computers up until Ctrl-C. With `--docker` the computers are containers. */

import { join } from "node:path";
import { stopProcesses } from "./background-process.ts";
import { ROOT } from "./checkout.ts";
import { imageContents, needDocker } from "./docker.ts";
import { documentTools } from "./document-tools.ts";
import { startDevServer, startHost } from "./local-stack.ts";
import { projectTools } from "./project-tools.ts";
import { missingNeeds } from "./system-needs.ts";

const args = process.argv.slice(2);
const docker = args.length === 1 && args[0] === "--docker";
if (args.length > 0 && !docker) {
  console.error(`[dev] there is no option ${args.join(" ")}; there is --docker`);
  process.exit(2);
}
const needs = docker ? [] : missingNeeds();
if (needs.length > 0) {
  console.error(`[dev] this machine cannot run a computer yet:\n  ${needs.join("\n  ")}`);
  process.exit(1);
}

let stopping = false;
const stopped = new Promise<void>((resolve) => {
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, async () => {
      stopping = true;
      console.log("\n[dev] stopping ...");
      await stopProcesses();
      resolve();
    });
  }
});

try {
  console.log(`[dev] starting ${docker ? "" : "the host of the computers and "}the dev server ...`);
  if (docker) {
    needDocker();
    await imageContents((line) => console.log(`[dev] ${line}`));
  }
  const server = await startDevServer({
    ...(docker ? { docker } : { host: await startHost({ tools: [...(await documentTools()), projectTools()] }) }),
    state: join(ROOT, ".wrangler", "state"),
    port: process.env.PORT === undefined ? 8787 : Number(process.env.PORT),
    onOutput: (text) => process.stdout.write(text),
  });
  console.log(`
[dev] ready. Files are kept in .wrangler/state. Ask an agent for something, and see what it does:

  curl -N ${server.url}/card -d '{"prompt": "a card about coffee"}'        # ${server.url}/files/demo/card.pdf
${docker ? "" : `  curl -N ${server.url}/project -d '{"prompt": "a Worker for Roman numerals"}'\n`}
Or ask for a PDF of your text or for an image, then open the link in the answer:

  curl ${server.url}/pdf -d '{"title": "Hello", "markdown": "## One\\n\\nA **PDF** of this."}'
  curl ${server.url}/image -d '{"prompt": "two red boats and a lighthouse at sunset"}'

[dev] Ctrl-C stops it.
`);
  await stopped;
} catch (error) {
  if (stopping) await stopped;
  else {
    console.error(`[dev] ${error instanceof Error ? error.message : error}`);
    await stopProcesses();
    process.exitCode = 1;
  }
}
