/** Every example can be deployed, as far as that can be told without an account. */

import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..", "..", "..");
const WRANGLER = join(ROOT, "node_modules", ".bin", "wrangler");

/** Examples with a Worker, each as it is and in each environment of its configuration. */
const deployments = globSync("examples/*/wrangler.jsonc", { cwd: ROOT })
  .sort()
  .flatMap((config) => {
    const text = readFileSync(join(ROOT, config), "utf8");
    return /^ {4}"cloudflare": \{/m.test(text)
      ? [
          [config, ""],
          [config, "cloudflare"],
        ]
      : [[config, ""]];
  });

test("the examples that have a model or an image of Workers AI have an environment for it", () => {
  const withAi = deployments.filter(([, env]) => env !== "").map(([config]) => config!.split("/")[1]);
  expect(withAi).toEqual(["agent", "image", "pdf", "publish"]);
});

test.each(deployments)("%s %s", async (config, env) => {
  const folder = mkdtempSync(join(tmpdir(), "example-deploy-"));
  try {
    const flags = ["deploy", "--dry-run", "--outdir", folder, "--containers-rollout=none", `--env=${env}`];
    const { stdout } = await promisify(execFile)(WRANGLER, flags, {
      cwd: join(ROOT, dirname(config!)),
      env: { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false" },
    });
    expect(stdout).toContain("--dry-run: exiting now.");
    expect(stdout.includes("env.AI")).toBe(env !== "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
