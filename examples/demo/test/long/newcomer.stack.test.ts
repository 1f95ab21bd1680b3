/** The README as someone new follows it: an empty folder, the packed tarball, npm, and an agent with two computers and the tools. */

import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDevServer } from "../../../../scripts/local-stack.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..", "..");
const section = /^## A program$([\s\S]*?)^## /m.exec(readFileSync(join(ROOT, "README.md"), "utf8"))![1]!;
const scratch = mkdtempSync(join(tmpdir(), "newcomer-"));
const project = join(scratch, "agent");
const MINUTES = 60_000;

function sh(command: string, cwd: string): string {
  const env = { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false" };
  return execFileSync("bash", ["-ec", command], { cwd, encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"] });
}

beforeAll(() => {
  const blocks = [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text]) => text!);
  const [pack, ...install] = blocks.find((text) => text.startsWith("npm run pack"))!.split("\n");
  sh(pack!, ROOT);
  // A checkout of the name that the README gives it, as far as the rest needs one.
  mkdirSync(join(scratch, "computer"));
  symlinkSync(join(ROOT, "out"), join(scratch, "computer", "out"));
  sh(install.join("\n"), join(scratch, "computer"));
}, 15 * MINUTES);

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test("the tarball is installed with nothing of the checkout's beside it", () => {
  const manifest = JSON.parse(readFileSync(join(project, "node_modules/@cloudflare/computer/package.json"), "utf8"));
  expect(Object.keys(manifest.dependencies).filter((name) => name.startsWith("@cloudflare/"))).toEqual([]);
  expect(existsSync(join(project, "node_modules/@cloudflare/computer/src"))).toBe(false);
});

test(
  "the program of the README runs there",
  async () => {
    writeFileSync(join(project, "worker.ts"), /^```ts\n([\s\S]*?)^```/m.exec(section)![1]!);
    writeFileSync(join(project, "wrangler.jsonc"), /^```jsonc\n([\s\S]*?)^```/m.exec(section)![1]!);
    expect(await answer("echo hello | tee greeting.txt")).toBe("hello\n");
  },
  5 * MINUTES,
);

test(
  "an agent with two computers and the tools type-checks, is bundled, and works",
  async () => {
    sh("npm install ai", project);
    copyFileSync(join(import.meta.dirname, "newcomer", "worker.ts"), join(project, "worker.ts"));
    sh(
      "npx tsc --noEmit --strict --skipLibCheck --target esnext --module esnext --moduleResolution bundler --types @cloudflare/workers-types worker.ts",
      project,
    );
    expect(sh("npx wrangler deploy --dry-run --outdir bundle", project)).toContain("--dry-run: exiting now.");
    const { text, outputs } = JSON.parse(await answer("Sum the numbers.")) as {
      text: string;
      outputs: { toolName: string; output: object }[];
    };
    expect(text).toBe("done");
    expect(outputs.map(({ toolName }) => toolName)).toEqual(["write", "exec", "exec"]);
    expect(outputs[1]!.output).toMatchObject({ backend: "worker-shell", exitCode: 0, stdout: "5\n" });
    expect(outputs[2]!.output).toMatchObject({ backend: "worker-javascript", exitCode: 0, result: 42 });
  },
  10 * MINUTES,
);

/** What the project's Worker answers under `wrangler dev`, the checkout's own, for the time of one request. */
async function answer(body: string): Promise<string> {
  const server = await startDevServer({ state: join(scratch, "state"), config: join(project, "wrangler.jsonc") });
  try {
    return await (await fetch(server.url, { method: "POST", body })).text();
  } finally {
    await server.process.stop();
  }
}
