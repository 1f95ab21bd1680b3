/** What a Worker that uses the shell carries: the core, and of the groups those that it imports. */

import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

/** The bundle of a module as wrangler makes it. */
async function bundleOf(source: string): Promise<string> {
  const directory = await mkdtemp(join(import.meta.dirname, "bundle-"));
  try {
    await writeFile(join(directory, "worker.ts"), source);
    const { outputFiles } = await build({
      entryPoints: [join(directory, "worker.ts")],
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2024",
      conditions: ["workerd", "worker", "browser"],
      external: ["node:*", "cloudflare:*"],
      write: false,
      logLevel: "error",
    });
    return outputFiles[0]?.text ?? "";
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const backend = 'export { WorkerShellBackend } from "@cloudflare/computer/backends/worker-shell";';
const group = (name: string): string =>
  `${backend}\nexport { default as group } from "@cloudflare/computer/shell/${name}";`;

test("the shell that is tested is that of the sources: if not, run node packages/computer/scripts/shell-bundle/build.ts", () => {
  const build = join(import.meta.dirname, "../scripts/shell-bundle/build.ts");
  expect(spawnSync(process.execPath, [build, "--check"]).status).toBe(0);
});

test("the backend alone carries the core once, as text, and no group", async () => {
  const bundle = await bundleOf(backend);
  expect(bundle.length).toBeLessThan(2_600_000);
  expect(bundle.split("maxSubstitutionDepth").length).toBeLessThan(30);
  for (const name of ["jq", "yq", "xan", "curl", "file", "html-to-markdown"])
    expect(bundle).not.toContain(`"${name}.js":{`);
});

test("a group that is imported is carried, and only it", async () => {
  const [alone, withJq, withCurl] = await Promise.all([
    bundleOf(backend),
    bundleOf(group("jq")),
    bundleOf(group("curl")),
  ]);
  expect(withJq.length - alone.length).toBeGreaterThan(20_000);
  expect(withJq.length - alone.length).toBeLessThan(150_000);
  expect(withCurl.length - alone.length).toBeLessThan(30_000);
  expect(withJq).toContain("jq.js");
  expect(withJq).not.toContain('"curl.js":{');
});
