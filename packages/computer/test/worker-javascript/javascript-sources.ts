/** The suite's sources for the JavaScript computer. */

import type { ScriptSources } from "../../src/testing/suite/under-test.ts";

const quoted = JSON.stringify;

export const javascriptSources: ScriptSources = {
  say: (text) => `process.stdout.write(${quoted(text)});`,
  fail: (text, code) => `process.stderr.write(${quoted(text)}); process.exit(${code});`,
  copy: (from, to) =>
    `import fs from "node:fs/promises"; await fs.writeFile(${quoted(to)}, await fs.readFile(${quoted(from)}));`,
  variable: (name) => `process.stdout.write(process.env[${quoted(name)}] ?? "");`,
  where: () => "console.log(process.cwd());",
  echo: () => "for await (const chunk of process.stdin) process.stdout.write(chunk);",
  hang: () => `console.log("ready"); await new Promise((resolve) => setTimeout(resolve, 60_000));`,
  lines: (count) => `for (let line = 1; line <= ${count}; line++) console.log(line);`,
  halves: () =>
    "process.stdout.write(Uint8Array.of(0xc3)); await new Promise((resolve) => setTimeout(resolve, 100)); process.stdout.write(Uint8Array.of(0xa9));",
};
