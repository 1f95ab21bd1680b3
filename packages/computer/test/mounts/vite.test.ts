/** The Vite plugin in real builds and a real dev server. */

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, createServer, type InlineConfig } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WorkerBundle, type WorkerBundleSource } from "../../src/mounts/worker-bundle.ts";
import { computerBundle } from "../../src/vite/index.ts";

const root = mkdtempSync(join(tmpdir(), "vite-test-"));
const BYTES = [0xff, 0x00, 0x80, 0xfe];

beforeAll(() => {
  mkdirSync(join(root, "src/skills/deep"), { recursive: true });
  writeFileSync(join(root, "src/skills/SKILL.md"), '# A "skill" ‒ `x`\n');
  writeFileSync(join(root, "src/skills/deep/raw.bin"), new Uint8Array(BYTES));
  writeFileSync(join(root, "src/skills/deep/run.ts"), "export const notBuilt: number = 1;\n");
  writeFileSync(join(root, "src/skills/.hidden"), "");
  writeFileSync(join(root, "package.json"), '{ "type": "module" }\n');
  // In place of the package, since Node has not all that a Worker has: it gives back what it was given.
  writeFileSync(join(root, "package.ts"), "export const WorkerBundle = (...given: unknown[]) => given;\n");
  symlinkSync("/etc/passwd", join(root, "src/skills/link"));
  writeFileSync(
    join(root, "src/entry.ts"),
    `import * as computer from "@cloudflare/computer";
import { WorkerBundle as bundle } from "@cloudflare/computer";
const other = { WorkerBundle: (path: string) => path };
export const line = new Error("x").stack!.includes("x");
export default {
  relative: bundle("./skills", { maxEntries: 10 as number }),
  absolute: computer.WorkerBundle(\`/src/skills/deep\`),
  tree: bundle({ a: "1" }),
  other: other.WorkerBundle("./skills"),
};
`,
  );
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function config(more: InlineConfig = {}): InlineConfig {
  return {
    root,
    configFile: false,
    logLevel: "silent",
    plugins: [computerBundle()],
    resolve: { alias: { "@cloudflare/computer": join(root, "package.ts") } },
    ...more,
  };
}

interface Entry {
  readonly default: Record<"relative" | "absolute" | "tree", [WorkerBundleSource, object?]> & {
    readonly other: string;
  };
}

/** The files that a bundle of a source writes. */
async function written(source: WorkerBundleSource): Promise<Record<string, Uint8Array>> {
  const files: Record<string, Uint8Array> = {};
  await WorkerBundle(source).materialize({
    root: "/m",
    writeFile: async (path, content) => {
      files[path] = new Uint8Array(await new Response(content).arrayBuffer());
    },
    mkdir: async () => {},
  });
  return files;
}

test("a build has the files of the directories that are named, as they are", async () => {
  const outDir = join(root, "dist");
  await build(config({ build: { ssr: join(root, "src/entry.ts"), outDir } }));
  const built = ((await import(pathToFileURL(join(outDir, "entry.js")).href)) as Entry).default;
  const [source, options] = built.relative;
  const files = await written(source);
  expect(Object.keys(files)).toEqual(["/m/.hidden", "/m/SKILL.md", "/m/deep/raw.bin", "/m/deep/run.ts"]);
  expect(new TextDecoder().decode(files["/m/SKILL.md"])).toBe('# A "skill" ‒ `x`\n');
  expect([...(files["/m/deep/raw.bin"] ?? [])]).toEqual(BYTES);
  expect(options).toEqual({ maxEntries: 10 });
  expect(Object.keys(await written(built.absolute[0]))).toEqual(["/m/raw.bin", "/m/run.ts"]);
  expect(built.tree).toEqual([{ a: "1" }]);
  expect(built.other).toBe("./skills");
  expect(source.version).toMatch(/^[0-9a-f]{64}$/);
  expect(source.version).not.toBe(built.absolute[0].version);
});

test("a directory that is not there fails the build, and says which", async () => {
  const entry = join(root, "src/wrong.ts");
  writeFileSync(
    entry,
    'import { WorkerBundle } from "@cloudflare/computer";\nexport default WorkerBundle("./none");\n',
  );
  const wrong = build(config({ build: { ssr: entry, write: false } }));
  await expect(wrong).rejects.toThrow(`WorkerBundle("./none"): there is no directory ${join(root, "src/none")}.`);
});

test("a dev server takes over what changes, is added and is removed", async () => {
  const server = await createServer(config({ server: { middlewareMode: true, ws: false }, appType: "custom" }));
  try {
    const load = async (): Promise<WorkerBundleSource> =>
      ((await server.ssrLoadModule("/src/entry.ts")) as Entry).default.relative[0];
    const before = await load();
    writeFileSync(join(root, "src/skills/SKILL.md"), "# Changed\n");
    writeFileSync(join(root, "src/skills/added.md"), "added");
    rmSync(join(root, "src/skills/.hidden"));
    await expect
      .poll(async () => Object.keys(await written(await load())), { timeout: 30_000 })
      .toEqual(["/m/SKILL.md", "/m/added.md", "/m/deep/raw.bin", "/m/deep/run.ts"]);
    const after = await load();
    expect(new TextDecoder().decode((await written(after))["/m/SKILL.md"])).toBe("# Changed\n");
    expect(after.version).not.toBe(before.version);
  } finally {
    await server.close();
  }
});
