/** The README's program, run as the README says it. */

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startDevServer } from "../../../scripts/local-stack.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const readme = readFileSync(join(ROOT, "README.md"), "utf8");
const section = /^## A program$([\s\S]*?)^## /m.exec(readme)![1]!;

function block(language: string): string {
  return new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "m").exec(section)![1]!;
}

test("the program of the README does what the README shows", async () => {
  // Inside of the checkout, so that the package is found by its name.
  const folder = join(ROOT, ".setup", "quick-start");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "worker.ts"), block("ts"));
  writeFileSync(join(folder, "wrangler.jsonc"), block("jsonc"));
  const shown = [...section.matchAll(/^(curl localhost:8787 .*?) +# (.*)$/gm)];
  expect(shown).toHaveLength(2);
  const server = await startDevServer({ state: join(folder, "state"), config: join(folder, "wrangler.jsonc") });
  try {
    for (const [, command, answer] of shown) {
      const here = command!.replace("curl localhost:8787", `curl -s ${server.url}`);
      expect(execFileSync("sh", ["-c", here], { encoding: "utf8" })).toBe(`${answer}\n`);
    }
  } finally {
    await server.process.stop();
  }
});
