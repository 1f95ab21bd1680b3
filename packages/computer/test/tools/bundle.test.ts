/** What comes into the bundle of a Worker that imports tools. */

import { globSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "../../src");

/** The sources and packages that an entry point brings along. */
async function brought(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [join(SRC, entry)],
    absWorkingDir: SRC,
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "import"],
    external: ["node:*", "cloudflare:*"],
  });
  return Object.keys(metafile.inputs).map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path);
}

test.each([
  "tools/index.ts",
  "tools/core/index.ts",
  "tools/ai-sdk/index.ts",
  "tools/pi-ai/index.ts",
  "tools/tanstack-ai/index.ts",
  "modules/tools.ts",
])("%s brings no library that calls tools, no computer, and no workspace", async (entry) => {
  const all = await brought(entry);
  expect(all).toContain(entry);
  const unwanted = /^(ai|@ai-sdk|@tanstack|@modelcontextprotocol|just-bash|backends\/|workspace\/|stubs\/|shell\/)/;
  expect(all.filter((name) => unwanted.test(name))).toEqual([]);
});

test("the MCP server brings the protocol's SDK, and no computer", async () => {
  const all = await brought("mcp/index.ts");
  expect(all).toContain("@modelcontextprotocol/sdk");
  expect(all.filter((name) => /^(ai|@tanstack|express|hono|just-bash|backends\/|workspace\/)/.test(name))).toEqual([]);
  expect(
    globSync("mcp/*.ts", { cwd: SRC }).filter((name) => !all.includes(name) && name !== "mcp/mcp-options.ts"),
  ).toEqual([]);
});
