/** The whole way through: an agent writes a Worker, builds it in a Linux computer and publishes it; real git clones it, and wrangler runs the clone. */

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { readEvents } from "example-agent-loop/read-events";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type DevServer, type LocalHost, startDevServer, startHost } from "../../../scripts/local-stack.ts";
import { projectTools } from "../../../scripts/project-tools.ts";

const scratch = mkdtempSync(join(tmpdir(), "publish-test-"));
let host: LocalHost;
let server: DevServer;

beforeAll(async () => {
  host = await startHost({ tools: [projectTools()] });
  const config = join(import.meta.dirname, "..", "wrangler.jsonc");
  server = await startDevServer({ host, state: join(scratch, "state"), config });
});

afterAll(async () => {
  await server?.process.stop();
  await host?.process.stop();
  rmSync(scratch, { recursive: true, force: true });
});

interface Told {
  readonly event: string;
  readonly data: {
    readonly tool?: string;
    readonly ok?: boolean;
    readonly name?: string;
    readonly clone?: string;
    readonly commit?: string;
    readonly output?: { readonly stdout?: string };
  };
}

async function* write(workspace: string): AsyncGenerator<Told> {
  const body = JSON.stringify({ prompt: "a Worker for Roman numerals" });
  const response = await fetch(`${server.url}/project?workspace=${workspace}`, { method: "POST", body });
  for await (const event of readEvents(response)) yield event as Told;
}

async function git(...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: scratch, GIT_TERMINAL_PROMPT: "0", GIT_CONFIG_NOSYSTEM: "1" };
  const { stdout } = await promisify(execFile)("git", args, { cwd: scratch, env });
  return stdout.trim();
}

test("what an agent has published clones, and answers HTTP under wrangler", async () => {
  const told = await Array.fromAsync(write("one"));
  expect(told[0]).toMatchObject({ event: "model", data: { name: "scripted" } });
  const results = told.filter(({ event }) => event === "result").map(({ data }) => [data.tool, data.ok]);
  expect(results.slice(0, 8)).toEqual(Array(8).fill(["write", true]));
  // Its first build fails by a test, which it mends.
  expect(results.slice(8)).toEqual([
    ["exec", false],
    ["edit", true],
    ["exec", true],
    ["publish_repository", true],
  ]);
  const { event, data } = told.at(-1)!;
  expect(event).toBe("repository");

  await git("clone", "-q", data.clone!, "clone");
  expect(await git("-C", "clone", "rev-parse", "HEAD")).toBe(data.commit);
  expect(await git("-C", "clone", "log", "--format=%an %s")).toBe("Agent A Worker for Roman numerals");
  // What was built there is not in it.
  expect((await git("-C", "clone", "ls-files")).split("\n")).toEqual([
    ".gitignore",
    "README.md",
    "package.json",
    "src/roman.ts",
    "src/worker.ts",
    "test/roman.test.ts",
    "tsconfig.json",
    "wrangler.jsonc",
  ]);
  await expect(git("-C", "clone", "push", "-q", data.clone!, "HEAD:other")).rejects.toThrow("403");

  const config = join(scratch, "clone/wrangler.jsonc");
  const clone = await startDevServer({ state: join(scratch, "clone-state"), config });
  try {
    expect(await (await fetch(`${clone.url}/1994`)).text()).toBe("MCMXCIV\n");
    expect((await fetch(`${clone.url}/0`)).status).toBe(400);
  } finally {
    await clone.process.stop();
  }
});

test("two at once in one workspace: the second is told to wait, until the first ends or nobody reads it any more", async () => {
  const first = write("busy");
  expect((await first.next()).value).toMatchObject({ event: "model" });
  await expect(write("busy").next()).rejects.toThrow("at work on another project");
  await first.return(undefined);
  await vi.waitFor(
    async () => {
      const next = write("busy");
      expect((await next.next()).value).toMatchObject({ event: "model" });
      await next.return(undefined);
    },
    { timeout: 60_000, interval: 500 },
  );
});

test.each([
  ["project", "{}", 400],
  ["project?workspace=NOT_A_NAME", '{"prompt":"x"}', 400],
  ["other", "{}", 404],
])("what is no prompt is refused: %s %s", async (path, body, status) => {
  expect((await fetch(`${server.url}/${path}`, { method: "POST", body })).status).toBe(status);
});
