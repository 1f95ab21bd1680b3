/** Artifacts of a real dev server: sessions over the simulator of the binding, and real git as the client. */

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DevServer, startDevServer } from "../../../../scripts/local-stack.ts";

const scratch = mkdtempSync(join(tmpdir(), "artifacts-test-"));
let server: DevServer;

beforeAll(async () => {
  server = await startDevServer({
    host: { url: "", token: "" },
    state: join(scratch, "state"),
    config: join(import.meta.dirname, "project/wrangler.jsonc"),
  });
});

afterAll(async () => {
  await server?.process.stop();
  rmSync(scratch, { recursive: true, force: true });
});

async function ask<T>(agent: string, asked: object): Promise<T> {
  const response = await fetch(server.url, { method: "POST", body: JSON.stringify({ agent, ...asked }) });
  const answer = (await response.json()) as { value: T; error?: { name: string; message: string; code: string } };
  if (answer.error !== undefined) throw Object.assign(new Error(answer.error.message), answer.error);
  return answer.value;
}

/** A call of a session's client, from outside of its object. */
function call<T = Record<string, unknown>>(agent: string, method: string, ...args: unknown[]): Promise<T> {
  return ask<T>(agent, { call: method, args });
}

interface Said {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

async function cli(agent: string, ...argv: string[]): Promise<Said & { json: Record<string, string> }> {
  const said = await call<Said>(agent, "cli", { argv });
  return { ...said, json: said.stdout.startsWith("{") ? JSON.parse(said.stdout) : {} };
}

async function git(...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: scratch, GIT_TERMINAL_PROMPT: "0", GIT_CONFIG_NOSYSTEM: "1" };
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "init.defaultBranch=main"];
  const { stdout } = await promisify(execFile)("git", [...identity, ...args], { cwd: scratch, env });
  return stdout.trim();
}

test("git pushes to a repository with its token, and another clones what was pushed", async () => {
  const { json, exitCode } = await cli("alice", "create", "site", "--description=A site");
  expect(exitCode).toBe(0);
  expect(json).toMatchObject({ name: "site", description: "A site", defaultBranch: "main" });
  expect(json.remote).toMatch(/\/git\/default\/alice__site\.git$/);
  await git("init", "-q", "work");
  writeFileSync(join(scratch, "work/index.html"), "<h1>hello</h1>");
  await git("-C", "work", "add", ".");
  await git("-C", "work", "commit", "-qm", "first");
  await git("-C", "work", "push", "-q", json.url ?? "", "main");
  const head = await git("-C", "work", "rev-parse", "HEAD");

  const shared = (await cli("alice", "share", "site", "--ttl=5m")).json;
  expect(shared).toMatchObject({ name: "site", scope: "read" });
  await git("clone", "-q", shared.url ?? "", "clone");
  expect(readFileSync(join(scratch, "clone/index.html"), "utf8")).toBe("<h1>hello</h1>");
  expect(await git("-C", "clone", "rev-parse", "HEAD")).toBe(head);
  await expect(git("-C", "clone", "push", shared.url ?? "", "main:other")).rejects.toThrow("403");
  expect(await git("ls-remote", json.url ?? "")).toContain(head);
  expect(await call("alice", "get", "site")).toMatchObject({ name: "site", lastPushAt: expect.any(String) });

  expect(await call("alice", "revokeToken", "site", shared.tokenId)).toBe(true);
  await expect(git("ls-remote", shared.url ?? "")).rejects.toThrow();
  expect((await call("alice", "getToken", "site", shared.tokenId)).state).toBe("revoked");
});

test("a session has its own repositories and no other's; without a session all are seen", async () => {
  await call("bob", "create", "notes");
  await call("bob", "create", "more", { readOnly: true, setDefaultBranch: "trunk" });
  await call("carol", "create", "notes");
  expect(await names("bob")).toEqual(["more", "notes"]);
  expect(await names("carol")).toEqual(["notes"]);
  expect(await names("all")).toEqual(expect.arrayContaining(["bob__more", "bob__notes", "carol__notes"]));
  expect(await call("all", "get", "bob__notes")).toMatchObject({ name: "bob__notes" });
  expect(await call("bob", "get", "more")).toMatchObject({ name: "more", readOnly: true, defaultBranch: "trunk" });
  await expect(call("carol", "get", "more")).rejects.toMatchObject({ name: "NotFoundError", code: "NOT_FOUND" });
  // The service takes `Bob` for `bob`; a session does not.
  for (const [method, ...args] of [["get"], ["createToken"], ["listTokens"], ["revokeToken", "0123456789abcdef"]]) {
    await expect(call("Bob", method ?? "", "notes", ...args), method).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  expect(await call("Bob", "delete", "notes")).toBe(false);
  expect(await call("carol", "delete", "notes")).toBe(true);
  expect(await call("carol", "delete", "notes")).toBe(false);
  expect(await names("bob")).toEqual(["more", "notes"]);
  await expect(call("bob", "create", "notes")).rejects.toMatchObject({ code: "ALREADY_EXISTS" });
});

async function names(agent: string): Promise<string[]> {
  return (await call<{ name: string }[]>(agent, "list")).map(({ name }) => name).sort();
}

test("names and sessions that could be taken for others are refused before anything is asked", async () => {
  for (const name of ["", "a/b", "../x", "-x", "a b", "ä"]) {
    await expect(call("dave", "create", name), name).rejects.toMatchObject({ code: "INVALID_REPO_NAME" });
  }
  for (const session of ["a__b", "a_", "a/b", "-a", "ä"]) {
    await expect(call(session, "list"), session).rejects.toThrow("INVALID_SESSION_ID: ");
  }
});

test("the command line: JSON on stdout, 1 for what failed, 129 for what is no command line", async () => {
  expect((await cli("erin", "repo", "create", "r")).exitCode).toBe(0);
  expect((await cli("erin", "repo", "get", "r")).json).toMatchObject({ name: "r" });
  expect(JSON.parse((await cli("erin", "repo", "list")).stdout)).toMatchObject([{ name: "r" }]);
  const token = (await cli("erin", "token", "create", "r", "--scope", "read", "--ttl", "2h30m")).json;
  const left = Date.parse(token.expiresAt ?? "") - Date.now();
  expect(left).toBeGreaterThan(8_900_000);
  expect(left).toBeLessThanOrEqual(9_000_000);
  expect((await cli("erin", "token", "get", "r", token.id ?? "")).json).toMatchObject({
    scope: "read",
    state: "active",
  });
  expect((await cli("erin", "token", "list", "r")).json).toMatchObject({ total: 2 });
  expect((await cli("erin", "token", "revoke", "r", token.plaintext ?? "")).json).toEqual({ name: "r", revoked: true });
  expect((await cli("erin", "token", "revoke", "r", token.id ?? "")).exitCode).toBe(1);
  expect(await cli("erin", "repo", "get", "none")).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: "artifacts: NOT_FOUND: There is no repository none.\n",
  });
  expect((await cli("erin", "repo", "import", "i", "http://example.com/x.git")).stderr).toContain("INVALID_INPUT");
  for (const argv of [
    [],
    ["rope"],
    ["repo"],
    ["repo", "got", "r"],
    ["repo", "get"],
    ["repo", "get", "r", "s"],
    ["create", "x", "--colour=red"],
    ["create", "x", "--read-only=yes"],
    ["create", "x", "--description"],
    ["token", "create", "r", "--ttl=soon"],
    ["token", "create", "r", "--ttl=0"],
    ["token", "create", "r", "--scope=all"],
    ["repo", "import", "i", "https://example.com/x.git", "--depth=-1"],
  ]) {
    const { exitCode, stderr } = await cli("erin", ...argv);
    expect([exitCode, stderr.split("\n")[1]], argv.join(" ")).toEqual([129, "usage:"]);
  }
  expect((await cli("erin", "token", "create", "r", "--ttl=59")).stderr).toContain("INVALID_TTL");
  expect((await cli("erin", "create", "x", "--remote=origin")).stderr).toContain("there is no git here");
  expect(await names("erin")).toEqual(["r"]);
  expect((await cli("erin", "--help")).stdout).toContain("artifacts token revoke NAME TOKEN-OR-ID\n");
  expect((await cli("erin", "repo", "delete", "r")).json).toEqual({ name: "r", deleted: true });
});

test("a workspace without artifacts says what to configure", async () => {
  await expect(call("none", "list")).rejects.toThrow('add "artifacts": [{ "binding": "ARTIFACTS"');
  expect(await cli("none", "repo", "list")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("NOT_CONFIGURED"),
  });
});

test("the entrypoint that Dynamic Workers have runs command lines too", async () => {
  await call("frank", "create", "r");
  const { stdout } = await ask<Said>("frank", { call: "proxy", args: ["repo", "get", "r"] });
  expect(JSON.parse(stdout)).toMatchObject({ name: "r" });
});

test("a script makes repositories and shares them; the network is not given to it", async () => {
  const source = `
    import * as artifacts from "ws:artifacts";
    export default async () => {
      const { name, remote } = await artifacts.create("scripted", { description: "by a script" });
      const { scope } = await artifacts.createToken(name, "read", 3600);
      const refusals = [];
      for (const call of [
        () => artifacts.importArtifact("x", { url: "https://example.com/x.git" }),
        () => artifacts.get("none"),
        () => artifacts.createToken("scripted", "all"),
        () => artifacts.create(),
      ]) await call().catch(({ message }) => refusals.push(message.split("\\n")[0]));
      return { remote, scope, names: (await artifacts.list()).map(({ name }) => name), refusals };
    }`;
  const { value } = await ask<{ value: Record<string, unknown> }>("gina", {
    run: source,
    backend: "worker-javascript",
  });
  expect(value).toMatchObject({
    remote: expect.stringMatching(/gina__scripted\.git$/),
    scope: "read",
    names: ["scripted"],
    refusals: [
      expect.stringContaining("createArtifactsModule({ allowNetwork: true })"),
      "NOT_FOUND: There is no repository none.",
      expect.stringContaining("createToken(name, scope?, seconds?) of ws:artifacts"),
      expect.stringContaining("create(name, options?) of ws:artifacts"),
    ],
  });
});

test("the shell has the command, with its exit codes", async () => {
  const source = `artifacts create shelled > made.json; echo $?; grep -c art_v made.json; artifacts repo list | grep '"name"'
artifacts repo get none; echo $?; artifacts repo; echo $?`;
  const { stdout, stderr } = await ask<Said>("henry", { run: source, backend: "worker-shell" });
  expect(stdout).toBe('0\n2\n    "name": "shelled",\n1\n129\n');
  expect(stderr).toContain("artifacts: NOT_FOUND: There is no repository none.\n");
});
