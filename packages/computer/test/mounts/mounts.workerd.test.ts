/** Mounts in a workspace: brought over whole or not at all, read-only at every door. */

import { env, runInDurableObject } from "cloudflare:test";
import git from "isomorphic-git";
import { expect, test } from "vitest";
import { WorkerJavaScriptBackend } from "../../src/backends/worker-javascript/index.ts";
import { WorkerShellBackend } from "../../src/backends/worker-shell/index.ts";
import { createGitClient } from "../../src/git/index.ts";
import { type EagerMount, type MountValue, WorkerBundle, Workspace, type WorkspaceOptions } from "../../src/index.ts";

const ROOT = "/workspace/m";

interface Object {
  /** A new workspace over the storage of the object, as after a restart. */
  open(mounts?: Record<string, MountValue>, options?: Partial<WorkspaceOptions>): Workspace;
}

async function inObject(test: (object: Object) => Promise<void>): Promise<void> {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage, id }) => {
    const backends = (): WorkspaceOptions["backends"] => [
      new WorkerShellBackend({ loader: env.LOADER, workspace: { binding: "BARE", id: id.toString() } }),
      new WorkerJavaScriptBackend({ loader: env.LOADER }),
    ];
    await test({
      open: (mounts = {}, options) => new Workspace({ storage, backends: backends(), mounts, ...options }),
    });
  });
}

/** Files from memory; `materialized` counts how often they were brought over. */
function files(tree: Record<string, string>, more: Partial<EagerMount> = {}): EagerMount & { materialized: number } {
  return {
    strategy: "eager",
    kind: "memory",
    mode: "read-only",
    materialized: 0,
    async materialize(api) {
      this.materialized++;
      for (const [path, text] of Object.entries(tree)) {
        await api.writeFile(`${api.root}/${path}`, new Blob([text]).stream());
      }
    },
    ...more,
  };
}

function broken(message = "list: Access Denied (10003)"): EagerMount {
  return {
    ...files({}),
    async materialize(api) {
      await api.writeFile(`${api.root}/first`, new Blob(["came before it broke"]).stream());
      throw new Error(message);
    },
  };
}

test("M-01 a mount that fails is the error of whoever wants its files, never an empty folder, and leaves nothing behind", () =>
  inObject(async ({ open }) => {
    const workspace = open({ [ROOT]: broken() });
    const { fs } = workspace;
    const said =
      /^EUNAVAILABLE: The mount \/workspace\/m \(memory\) could not be brought over: list: Access Denied \(10003\)$/;
    for (const call of [
      () => workspace.ensureMountsIndexed(),
      () => fs.readFile(`${ROOT}/first`),
      () => fs.readdir(ROOT),
      () => fs.readdir("/workspace"),
      () => fs.exists(ROOT),
      () => fs.find("/", "**"),
      () => fs.writeFile(`${ROOT}/new`, "x"),
      () => fs.mkdir(`${ROOT}/sub`, { recursive: true }),
      () => workspace.runtime.exec("ls /workspace/m", { backend: "worker-shell" }),
      () => workspace.ready(),
    ]) {
      await expect(call()).rejects.toThrow(said);
    }
    // Files that have nothing to do with it are there all the same.
    await fs.mkdir("/elsewhere");
    await fs.writeFile("/elsewhere/a", "x");
    await fs.symlink(`${ROOT}/first`, "/elsewhere/link");
    await expect(fs.readFile("/elsewhere/link", "utf8")).rejects.toThrow(said);
    expect(await fs.readFile("/elsewhere/a", "utf8")).toBe("x");
    expect(workspace.provider().existsSync(ROOT)).toBe(false);
    expect(() => workspace.provider().mkdirSync(ROOT, { recursive: true })).toThrow(/EROFS|EBUSY/);

    const unmounted = open();
    expect(await unmounted.fs.ls("/")).toEqual(["/elsewhere/a"]);
    await unmounted.fs.mkdir(ROOT, { recursive: true });
    await unmounted.fs.writeFile(`${ROOT}/own`, "mine");
    expect(await unmounted.fs.readFile(`${ROOT}/own`, "utf8")).toBe("mine");
  }));

test("a failed mount is tried again, and what it showed before stays while it fails", () =>
  inObject(async ({ open }) => {
    let state: "ok" | "broken" = "broken";
    const mount: EagerMount = {
      ...files({}),
      materialize: (api) => (state === "ok" ? files({ a: "1" }) : broken()).materialize(api),
    };
    const workspace = open({ [ROOT]: mount });
    await expect(workspace.fs.readdir(ROOT)).rejects.toThrow("EUNAVAILABLE");
    state = "ok";
    expect(await workspace.fs.ls(ROOT)).toEqual([`${ROOT}/a`]);
    state = "broken";
    await expect(workspace.ensureMountsIndexed({ refresh: true })).rejects.toThrow("EUNAVAILABLE");
    expect(await workspace.fs.ls(ROOT)).toEqual([`${ROOT}/a`]);
    expect(await workspace.fs.find("/.computer/mounts")).toEqual([]);
  }));

test("of two mounts the one that works can be used", () =>
  inObject(async ({ open }) => {
    const { fs } = open({ "/a": broken(), "/b": files({ x: "1" }) });
    expect(await fs.readFile("/b/x", "utf8")).toBe("1");
    await expect(fs.readFile("/a/first", "utf8")).rejects.toThrow("The mount /a (memory)");
  }));

test("however many ask at once, a mount is brought over once; a refresh asked for meanwhile comes after it", () =>
  inObject(async ({ open }) => {
    let [running, most] = [0, 0];
    const mount = files({ a: "1" });
    const counted: EagerMount = {
      ...mount,
      async materialize(api) {
        most = Math.max(most, ++running);
        await scheduler.wait(5);
        await mount.materialize(api);
        running--;
      },
    };
    const workspace = open({ [ROOT]: counted });
    const reads = Array.from({ length: 20 }, () => workspace.fs.readFile(`${ROOT}/a`, "utf8"));
    const refreshed = workspace.ensureMountsIndexed({ refresh: true });
    expect(new Set(await Promise.all(reads))).toEqual(new Set(["1"]));
    await Promise.all([refreshed, workspace.ensureMountsIndexed(), workspace.ensureMountsIndexed()]);
    expect([mount.materialized, most]).toEqual([2, 1]);
  }));

test("a version that is the same is not brought over anew by the next workspace; one that changed is, and none always", () =>
  inObject(async ({ open }) => {
    const [one, two, none] = [
      files({ a: "1" }, { version: "1" }),
      files({ a: "2" }, { version: async () => "2" }),
      files({ b: "" }),
    ];
    for (const mount of [one, one, two, two, none, none]) await open({ [ROOT]: mount }).ensureMountsIndexed();
    expect([one.materialized, two.materialized, none.materialized]).toEqual([1, 1, 2]);
    expect(await open({ [ROOT]: two }).fs.ls(ROOT)).toEqual([`${ROOT}/a`]);
    expect(await open({ [ROOT]: two }).fs.readFile(`${ROOT}/a`, "utf8")).toBe("2");
  }));

test("a mount that is no longer asked for goes if it could not be changed, and stays as ordinary files if it could", () =>
  inObject(async ({ open }) => {
    const writable = files({ seed: "1" }, { mode: "read-write", version: "1" });
    const first = open({ [ROOT]: files({ "deep/a": "1" }), "/w": writable });
    await first.fs.readdir(ROOT);
    await first.fs.writeFile("/w/seed", "edited");
    // What could be changed is the workspace's own, whatever its source becomes.
    const second = open({ "/w": files({ seed: "2" }, { mode: "read-write", version: "2" }) });
    expect(await second.fs.readFile("/w/seed", "utf8")).toBe("edited");
    expect(await second.fs.exists(ROOT)).toBe(false);
    const third = open();
    await third.fs.writeFile("/w/seed", "mine");
    expect(await third.fs.readFile("/w/seed", "utf8")).toBe("mine");
  }));

test("M-05 under a read-only mount nothing can be changed by any door", () =>
  inObject(async ({ open }) => {
    const workspace = open({ [ROOT]: files({ "dir/f": "text", g: "text" }) });
    const { fs } = workspace;
    await fs.readdir(ROOT);
    await fs.writeFile("/workspace/own", "mine");
    await fs.symlink(`${ROOT}/g`, "/workspace/link");
    const before = await contents(workspace);
    for (const [name, call] of Object.entries({
      write: () => fs.writeFile(`${ROOT}/g`, "x"),
      create: () => fs.writeFile(`${ROOT}/new`, "x"),
      mkdir: () => fs.mkdir(`${ROOT}/new`),
      rm: () => fs.rm(`${ROOT}/g`),
      "rm -r": () => fs.rm(`${ROOT}/dir`, { recursive: true }),
      "rename in": () => fs.rename("/workspace/own", `${ROOT}/own`),
      "rename out": () => fs.rename(`${ROOT}/g`, "/workspace/g"),
      symlink: () => fs.symlink("x", `${ROOT}/new`),
      chmod: () => fs.chmod(`${ROOT}/g`, 0o600),
      "write through a link": () => fs.writeFile("/workspace/link", "x"),
      "write through the provider": () => workspace.provider().writeFile(`${ROOT}/g`, "x"),
      "link out": () => workspace.provider().link(`${ROOT}/g`, "/workspace/hard"),
    })) {
      await expect(call(), name).rejects.toMatchObject({ code: "EROFS" });
    }
    for (const path of [ROOT, "/workspace"]) {
      await expect(fs.rm(path, { recursive: true }), path).rejects.toMatchObject({
        code: expect.stringMatching(/EBUSY|EROFS/),
      });
    }
    await expect(fs.rename(ROOT, "/workspace/n")).rejects.toMatchObject({ code: "EBUSY" });

    for (const command of [
      "echo x > m/g",
      "echo x >> link",
      "mkdir m/new",
      "rm m/g",
      "rm -r m/dir",
      "rm -rf m/dir",
      "mv own m/",
      "mv m/g .",
      "ln -s x m/new",
      "chmod 600 m/g",
      "touch m/new",
      "cp own m/new",
      "sed -i s/t/x/ m/g",
      "echo x | tee m/g",
    ]) {
      using run = await workspace.runtime.exec(command, { backend: "worker-shell", encoding: "utf8" });
      const { exitCode, stderr } = await run.result();
      expect([exitCode === 0, /read-only file system|EROFS/i.test(stderr)], `${command}: ${stderr}`).toEqual([
        false,
        true,
      ]);
    }

    const script = `
      import * as fs from "node:fs/promises";
      const codes = [];
      for (const call of [
        () => fs.writeFile("m/g", "x"), () => fs.appendFile("m/g", "x"), () => fs.mkdir("m/new"), () => fs.rm("m/g"),
        () => fs.rename("own", "m/own"), () => fs.rename("m/g", "g"), () => fs.symlink("x", "m/new"), () => fs.chmod("m/g", 0o600),
        () => fs.writeFile("link", "x"), () => fs.truncate("m/g", 1),
      ]) await call().then(() => codes.push("done"), ({ code }) => codes.push(code));
      export default () => codes;`;
    using run = await workspace.runtime.exec(script, { backend: "worker-javascript" });
    expect((await run.result()).value).toEqual(Array(10).fill("EROFS"));
    expect(await contents(workspace)).toEqual(before);
  }));

/** Every file with its text and mode. */
async function contents({ fs }: Workspace): Promise<unknown[]> {
  const paths = await fs.ls("/workspace");
  return Promise.all(paths.map(async (path) => [path, (await fs.lstat(path)).mode, await fs.readFile(path, "utf8")]));
}

test("M-05 M-07 a repository under a mount: the same through every facade, and no checkout changes it", () =>
  inObject(async ({ open }) => {
    const source = open();
    const vfs = { promises: source.provider() };
    const repo = { fs: vfs, dir: "/source" };
    const author = { name: "A", email: "a@example.com", timestamp: 1_700_000_000, timezoneOffset: 0 };
    await source.fs.mkdir("/source");
    await git.init({ ...repo, defaultBranch: "main" });
    await source.fs.writeFile("/source/file.txt", "one\n");
    await git.add({ ...repo, filepath: "file.txt" });
    const first = await git.commit({ ...repo, message: "first", author });
    await source.fs.writeFile("/source/file.txt", "two\n");
    await git.add({ ...repo, filepath: "file.txt" });
    const second = await git.commit({ ...repo, message: "second", author });
    const tree: Record<string, Uint8Array> = {};
    for (const path of await source.fs.ls("/source")) {
      tree[path.slice("/source/".length)] = new Uint8Array(source.provider().readFileSync(path) as Buffer);
    }

    const workspace = open({ "/workspace/repo": WorkerBundle(tree) }, { git: createGitClient() });
    const cli = (...argv: string[]): Promise<object> => workspace.git.cli({ argv: ["-C", "/workspace/repo", ...argv] });
    expect(await cli("log", "--format=%H %s")).toMatchObject({
      exitCode: 0,
      stdout: `${second} second\n${first} first\n`,
    });
    expect(await cli("status", "--porcelain")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(await cli("checkout", first)).toMatchObject({ stderr: expect.stringMatching(/read-only|EROFS/i) });
    const mounted = { fs: { promises: workspace.provider() }, dir: "/workspace/repo" };
    const log = await git.log(mounted);
    expect(log.map(({ oid, commit }) => [oid, commit.message])).toEqual([
      [second, "second\n"],
      [first, "first\n"],
    ]);
    await expect(git.checkout({ ...mounted, ref: first, force: true })).rejects.toMatchObject({ code: "EROFS" });
    expect(await git.resolveRef({ ...mounted, ref: "HEAD" })).toBe(second);

    using cat = await workspace.runtime.exec(
      "cat repo/file.txt; ls -A repo; cd repo; git status --short; git log --format=%s; git checkout -q HEAD~1 || echo refused",
      { backend: "worker-shell", encoding: "utf8" },
    );
    expect((await cat.result()).stdout).toBe("two\n.git\nfile.txt\nsecond\nfirst\nrefused\n");
    const script = `import { readFile, readdir } from "node:fs/promises"; export default async () => [await readFile("repo/file.txt", "utf8"), await readdir("repo")];`;
    using read = await workspace.runtime.exec(script, { backend: "worker-javascript", encoding: "utf8" });
    expect(await read.result()).toMatchObject({ stderr: "", value: ["two\n", [".git", "file.txt"]] });
    expect(await workspace.fs.readFile("/workspace/repo/file.txt", "utf8")).toBe("two\n");
    expect(workspace.provider().readFileSync("/workspace/repo/file.txt", "utf8")).toBe("two\n");
  }));

test("limits, places and paths that cannot be are refused", () =>
  inObject(async ({ open }) => {
    const tree = { "a/b/c": "12345", d: "12345" };
    for (const [limit, message] of [
      [{ maxBytes: 9 }, "it has more than 9 bytes (maxBytes)"],
      [{ maxEntries: 3 }, "it has more than 3 files and directories (maxEntries)"],
    ] as const) {
      await expect(open({ [ROOT]: files(tree, limit) }).ensureMountsIndexed()).rejects.toThrow(message);
    }
    await open({ [ROOT]: files(tree, { maxBytes: 10, maxEntries: 4 }) }).ensureMountsIndexed();
    for (const path of ["/elsewhere", `${ROOT}/../x`, "x", ROOT]) {
      const mount: EagerMount = { ...files({}), materialize: (api) => api.writeFile(path, new Blob([]).stream()) };
      await expect(open({ [ROOT]: mount }).ensureMountsIndexed(), path).rejects.toThrow(/EINVAL|EISDIR/);
    }
    const workspace = open();
    await workspace.fs.mkdir("/workspace/own", { recursive: true });
    await workspace.fs.writeFile("/workspace/own/a", "mine");
    await expect(open({ "/workspace/own": files(tree) }).ensureMountsIndexed()).rejects.toThrow("ENOTEMPTY");
    expect(await workspace.fs.readFile("/workspace/own/a", "utf8")).toBe("mine");
    for (const roots of [["m"], ["/m/"], ["/a/../m"], ["/"], ["/.computer/m"], ["/m", "/m/n"]]) {
      const mounts = Object.fromEntries(roots.map((root) => [root, files({})]));
      expect(() => open(mounts), String(roots)).toThrow("EOPTION: A workspace cannot have a mount at");
    }
  }));

test("a factory is told where and for whom, and a write API is of no use afterwards", () =>
  inObject(async ({ open }) => {
    let late: (() => Promise<void>) | undefined;
    const workspace = open(
      {
        [ROOT]: ({ sessionId, root, vfs }) => ({
          ...files({ told: `${sessionId} ${root} ${vfs.existsSync("/none")}` }),
          kind: "told",
          async materialize(api) {
            await files({ told: `${sessionId} ${root} ${vfs.existsSync("/none")}` }).materialize(api);
            late = () => api.mkdir(`${ROOT}/late`);
          },
        }),
      },
      { sessionId: "alice" },
    );
    expect([...workspace.mounts()].map(([root, { kind, mode }]) => [root, kind, mode])).toEqual([
      [ROOT, "told", "read-only"],
    ]);
    expect(await workspace.fs.readFile(`${ROOT}/told`, "utf8")).toBe("alice /workspace/m false");
    await expect(late?.()).rejects.toMatchObject({ code: "EBADF" });
  }));
