import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { expect, test, vi } from "vitest";
import { WorkerJavaScriptBackend } from "../../src/backends/worker-javascript/index.ts";
import { WorkerShellBackend } from "../../src/backends/worker-shell/index.ts";
import { createGitClient, NotARepositoryError } from "../../src/git/index.ts";
import { getWorkspace, Workspace } from "../../src/index.ts";
import { createGitModule } from "../../src/modules/git.ts";

const PATIENCE = { timeout: 120_000 };
const identity = { name: "Tess", email: "tess@example.org" };

test(
  "G-19 a client in another isolate commits links, executables and bytes, and finds all clean in the next life of the object",
  PATIENCE,
  async () => {
    const object = env.WORKSPACE.get(env.WORKSPACE.newUniqueId());
    {
      using workspace = getWorkspace(object);
      const { fs, git } = workspace;
      await expect(git.status({ dir: "/workspace/r" })).rejects.toSatisfy(
        (error) => error instanceof NotARepositoryError && error.code === "ENOTAREPO",
      );
      await fs.mkdir("/workspace/r", { recursive: true });
      await git.init({ dir: "/workspace/r", defaultBranch: "main" });
      await fs.writeFile("/workspace/r/run.sh", "#!/bin/sh\n", { mode: 0o755 });
      await fs.writeFile("/workspace/r/blob", new Uint8Array([0, 1, 2, 255]));
      await fs.symlink("run.sh", "/workspace/r/link");
      expect(await git.status({ dir: "/workspace/r" })).toEqual(
        ["blob", "link", "run.sh"].map((path) => ({ path, index: " ", worktree: "?" })),
      );
      await git.add({ dir: "/workspace/r", paths: ["."] });
      const { oid } = await git.commit({ dir: "/workspace/r", message: "first" });
      expect(
        (await git.log({ dir: "/workspace/r" })).map((commit) => [commit.oid, commit.message, commit.author.name]),
      ).toEqual([[oid, "first\n", "Tess"]]);
      await git.cli({ argv: ["clone", "/workspace/r", "/workspace/copy"] });
      expect(
        (await git.lsTree({ dir: "/workspace/copy", ref: "HEAD" })).map(({ mode, path }) => `${mode} ${path}`),
      ).toEqual(["100644 blob", "120000 link", "100755 run.sh"]);
    }
    await evictDurableObject(object);
    using workspace = getWorkspace(object);
    expect(await workspace.git.cli({ argv: ["status", "--porcelain"], cwd: "/workspace/copy" })).toEqual({
      stdout: "",
      stderr: "",
      exitCode: 0,
    });
    expect(await workspace.fs.readlink("/workspace/copy/link")).toBe("run.sh");
  },
);

test(
  "a command line in the shell is one call of the host, and a script has git by ws:git below its root",
  PATIENCE,
  () =>
    runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage, id }) => {
      const workspace = new Workspace({
        storage,
        git: createGitClient({ network: false }),
        defaultGitIdentity: identity,
        backends: [
          new WorkerShellBackend({ loader: env.LOADER, workspace: { binding: "BARE", id: id.toString() } }),
          new WorkerJavaScriptBackend({ loader: env.LOADER, modules: { "ws:git": createGitModule() } }),
        ],
      });
      const cli = vi.spyOn(workspace.git, "cli");
      using run = await workspace.runtime.exec(
        "mkdir r && cd r && git init -q -b main && echo hi > a && git add a && git commit -qm first && git log --format=%s && echo body | git hash-object --stdin && git clone https://example.org/x.git",
        { encoding: "utf8" },
      );
      const { stdout, stderr, exitCode } = await run.result();
      expect({ stdout, stderr, exitCode }).toEqual({
        stdout: "first\n273a402f0f8b00fbf84e9f5aad031ed5446413e4\n",
        stderr:
          "Cloning into 'x'...\nfatal: unable to access 'https://example.org/x.git': the network is off here; allow it where the git client or module is made\n",
        exitCode: 128,
      });
      expect(cli).toHaveBeenCalledTimes(6);
      const script = `
      import { cli, commit, add, status, log } from "ws:git";
      import { writeFile } from "node:fs/promises";
      export default async () => {
        await writeFile("r/b", "b");
        await add({ dir: "r", paths: ["b"] });
        await commit({ dir: "r", message: "second" });
        const refused = await status({ dir: "../etc" }).catch((error) => error.code ?? String(error));
        const away = await cli({ cwd: "r", argv: ["-C", "../../elsewhere", "init"] });
        return { log: (await log({ dir: "r" })).map(({ message }) => message), refused, away: away.exitCode };
      };`;
      using scripted = await workspace.runtime.exec(script, { backend: "worker-javascript", encoding: "utf8" });
      const result = await scripted.result();
      expect(result.stderr).toBe("");
      expect(result.value).toEqual({ log: ["second\n", "first\n"], refused: "EACCES", away: 128 });
      expect(await workspace.fs.exists("/elsewhere")).toBe(false);
      await workspace.close();
    }),
);
