/** The package as it is published, in a project that has nothing else: types, a bundle, and a Worker that runs. */

import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDevServer } from "../../../scripts/local-stack.ts";

const PACKAGE = join(import.meta.dirname, "..");
const BIN = join(PACKAGE, "../../node_modules/.bin");

const project = mkdtempSync(join(tmpdir(), "published-"));
const installed = join(project, "node_modules/@cloudflare/computer");
let manifest: { exports: Record<string, { types: string; default: string }>; dependencies: Record<string, string> };

/** Runs a tool of the checkout in the project; what it says, with its failure in it. */
function run(tool: string, ...args: string[]): string {
  try {
    return execFileSync(join(BIN, tool), args, {
      cwd: project,
      encoding: "utf8",
      env: { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false" },
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `failed: ${stdout}${stderr}`;
  }
}

function folderOf(dependency: string): string {
  const folder = ["computer", "rpc", "dofs", ".."].map((name) => join(PACKAGE, "..", name, "node_modules", dependency));
  for (const candidate of folder) {
    try {
      return realpathSync(candidate);
    } catch {
      // Another of our packages has it.
    }
  }
  throw new Error(`${dependency} is not installed in any package of ours`);
}

function link(dependency: string): string {
  const target = folderOf(dependency);
  const at = join(project, "node_modules", dependency);
  mkdirSync(dirname(at), { recursive: true });
  symlinkSync(target, at);
  return JSON.parse(readFileSync(join(target, "package.json"), "utf8")).version;
}

beforeAll(() => {
  execFileSync("npx", ["-y", "pnpm@12.21.0", "pack", "--pack-destination", project], { cwd: PACKAGE, stdio: "pipe" });
  const [tarball, ...others] = readdirSync(project).filter((name) => name.endsWith(".tgz"));
  expect(others).toEqual([]);
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["xzf", join(project, tarball!), "--strip-components=1", "-C", installed]);
  manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  // Its own dependencies and nothing more, so that what it does not name is missed here.
  for (const [name, version] of Object.entries(manifest.dependencies)) expect(link(name), name).toBe(version);
  link("@cloudflare/workers-types");
  // What a user of these entry points has installed for them.
  for (const peer of ["ai", "@modelcontextprotocol/sdk", "just-bash", "vite"]) link(peer);
  cpSync(join(import.meta.dirname, "published-project"), project, { recursive: true });
  const entries = Object.keys(manifest.exports).filter((path) => !["./package.json", "./testing/suite"].includes(path));
  const imports = entries.map(
    (path, index) => `import * as entry${index} from "@cloudflare/computer${path.slice(1)}";`,
  );
  const all = `export const entries: object[] = [${entries.map((_, index) => `entry${index}`).join(", ")}];`;
  writeFileSync(join(project, "src/entries.ts"), [...imports, all, ""].join("\n"));
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

test("it has every entry point of the sources, built and declared, and none of our packages below", () => {
  const source = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  expect(Object.keys(manifest.exports)).toEqual([...Object.keys(source.exports), "./package.json"]);
  const files = readdirSync(installed, { recursive: true, encoding: "utf8" }).map((name) => `./${name}`);
  for (const path of Object.keys(source.exports)) {
    expect(files).toContain(manifest.exports[path]!.types);
    expect(files).toContain(manifest.exports[path]!.default);
  }
  expect(files).toContain("./LICENSE");
  expect(Object.keys(manifest.dependencies).filter((name) => name.startsWith("@cloudflare/"))).toEqual([]);
  const texts = files
    .filter((name) => /\.(js|d\.ts)$/.test(name))
    .map((name) => readFileSync(join(installed, name), "utf8"));
  expect(texts.filter((text) => /from "@cloudflare\/(dofs|computer-rpc)/.test(text))).toEqual([]);
});

test("a Worker that uses it type-checks", () => {
  expect(run("tsc", "-p", ".")).toBe("");
});

test("its declarations have no errors of their own", () => {
  // The platform's types and Node's, which a dependency asks for, contradict one another: only what is ours is judged.
  const said = run("tsc", "-p", ".", "--skipLibCheck", "false").split("\n");
  expect(said.filter((line) => line.includes("@cloudflare/computer/"))).toEqual([]);
});

test("wrong uses of it do not type-check", () => {
  writeFileSync(
    join(project, "src/wrong.ts"),
    'import { Workspace } from "@cloudflare/computer";\nnew Workspace({ storage: 1 }).fs.readFile(2);\n',
  );
  const said = run("tsc", "-p", ".");
  rmSync(join(project, "src/wrong.ts"));
  expect(said).toContain("src/wrong.ts(2,17): error TS2322");
  expect(said).toContain("src/wrong.ts(2,43): error TS2345");
});

test("it can be deployed", () => {
  const said = run("wrangler", "deploy", "--dry-run", "--outdir", join(project, "bundle"));
  expect(said).toContain("--dry-run: exiting now.");
});

test("its Worker keeps files and runs commands", async () => {
  const state = join(project, "state");
  const server = await startDevServer({ host: { url: "", token: "" }, state, config: join(project, "wrangler.jsonc") });
  try {
    expect(await (await fetch(server.url)).json()).toEqual({
      text: "kept",
      stdout: "kept",
      exitCode: 0,
      refused: { code: "ENOENT", isFsError: true },
    });
  } finally {
    await server.process.stop();
  }
});
