/** Over HTTP with a real git server: clone, fetch, pull, push. */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Database, SqlStore } from "@cloudflare/dofs";
import { openNodeStorage } from "@cloudflare/dofs/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WorkspaceGit } from "../../src/git/client/workspace-git.ts";
import { GitFiles } from "../../src/git/files/git-files.ts";
import { type HttpBackend, startHttpBackend } from "./http-backend.ts";

let server: HttpBackend;
beforeAll(async () => {
  server = await startHttpBackend();
});
afterAll(() => server.close());

/** A bare repository of the server's with so many commits on main, and one on `dev`. */
function serve(name: string, commits: number): void {
  server.git(".", "init", "-q", "--bare", "-b", "main", `${name}.git`);
  server.git(`${name}.git`, "config", "http.receivepack", "true");
  server.git(".", "init", "-q", "-b", "main", name);
  const script = Array.from({ length: commits }, (_, i) => `echo ${i} >> f && git add f && git commit -qm c${i}`);
  execFileSync(
    "bash",
    ["-ec", [...script, "git tag -a -m tagged v1", `git push -q ../${name}.git main v1`].join("\n")],
    {
      cwd: join(server.root, name),
      env: {
        ...process.env,
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_AUTHOR_NAME: "A",
        GIT_AUTHOR_EMAIL: "a@x",
        GIT_COMMITTER_NAME: "A",
        GIT_COMMITTER_EMAIL: "a@x",
      },
    },
  );
}

/** Somebody else's commit, on the server already. */
function elsewhere(name: string, file: string): void {
  server.git(name, "pull", "-q", "--no-rebase", `../${name}.git`, "main");
  writeFileSync(join(server.root, name, file), `${file}\n`);
  server.git(name, "add", ".");
  server.git(name, "commit", "-qm", file);
  server.git(name, "push", "-q", `../${name}.git`, "main");
}

function client(options: { network?: boolean } = {}): {
  git: WorkspaceGit;
  files: GitFiles;
  run: (cwd: string, line: string) => Promise<string>;
} {
  const db = new Database(openNodeStorage());
  const store = SqlStore.open(db, { sha256: (bytes) => createHash("sha256").update(bytes).digest(), now: Date.now });
  const allowed = options.network === false ? undefined : (request: Request): Promise<Response> => fetch(request);
  const git = new WorkspaceGit({ store, fetch: allowed, identity: { name: "Tess", email: "tess@example.org" } });
  const run = async (cwd: string, line: string): Promise<string> => {
    const { stdout, stderr, exitCode } = await git.cli({ argv: line.split(" "), cwd: join("/workspace", cwd) });
    return `${stdout}${stderr}exit ${exitCode}`;
  };
  return { git, files: new GitFiles(store), run };
}

test("a clone has the history, the tags and the branch to follow, and tells its progress", async () => {
  serve("plain", 6);
  const { git, run } = client();
  const phases = new Set<string>();
  const messages: string[] = [];
  await git.clone({
    url: `${server.url}/plain.git`,
    dir: "c",
    onProgress: ({ phase }) => phases.add(phase),
    onMessage: (message) => messages.push(message),
  });
  expect(await run("c", "status -sb")).toBe("## main...origin/main\nexit 0");
  expect((await git.log({ dir: "c" })).map(({ message }) => message)).toEqual([5, 4, 3, 2, 1, 0].map((i) => `c${i}\n`));
  expect(await git.tagList({ dir: "c" })).toEqual(["v1"]);
  expect(await run("c", "log -1 --format=%D")).toBe("HEAD -> main, tag: v1, origin/main, origin/HEAD\nexit 0");
  expect(phases).toContain("Counting objects");
  expect(messages.join("")).toContain("Total 19");
  await expect(git.clone({ url: `${server.url}/plain.git`, dir: "c" })).rejects.toMatchObject({ code: "EEXIST" });
  await expect(git.clone({ url: `${server.url}/none.git`, dir: "d" })).rejects.toMatchObject({ code: "ENOTAREPO" });
  await expect(
    client({ network: false }).git.clone({ url: `${server.url}/plain.git`, dir: "c" }),
  ).rejects.toMatchObject({ code: "ENETWORK" });
});

test("G-11 a shallow clone has its two commits, pushes to where it came from, and is refused where its beginning is missing", async () => {
  serve("deep", 6);
  server.git(".", "init", "-q", "--bare", "-b", "main", "other.git");
  server.git("other.git", "config", "http.receivepack", "true");
  const { git, files, run } = client();
  await git.clone({ url: `${server.url}/deep.git`, dir: "s", depth: 2 });
  expect(await run("s", "log --format=%s")).toBe("c5\nc4\nexit 0");
  expect(await run("s", "checkout -q -b next")).toBe("exit 0");
  files.write("/workspace/s/g", "g\n");
  await git.add({ dir: "s", paths: ["g"] });
  await git.commit({ dir: "s", message: "g" });
  expect(await run("s", "push origin next")).toBe(
    `To ${server.url}/deep.git\n * [new branch]      next -> next\nexit 0`,
  );
  expect(server.git("deep.git", "log", "--format=%s", "next", "-2")).toBe("g\nc5\n");
  expect(await run("s", `push ${server.url}/other.git next`)).toBe(
    `To ${server.url}/other.git\n ! [remote rejected] next -> next (shallow update not allowed)\nerror: failed to push some refs to '${server.url}/other.git'\nexit 1`,
  );
  expect(await run("s", "fetch --unshallow")).toMatch(/exit 0$/);
  expect(await run("s", "log --oneline --format=%s")).toBe("g\nc5\nc4\nc3\nc2\nc1\nc0\nexit 0");
  expect(await run("s", "rev-parse --is-shallow-repository")).toBe("false\nexit 0");
  expect(server.git("deep.git", "fsck", "--strict")).toBe("");
});

test("G-12 a push of nothing new is up to date; one behind others' work is rejected with a hint, and goes after a pull", async () => {
  serve("busy", 2);
  const { git, files, run } = client();
  await git.clone({ url: `${server.url}/busy.git`, dir: "c" });
  expect(await run("c", "push")).toBe("Everything up-to-date\nexit 0");
  expect(await git.push({ dir: "c" })).toEqual({ ok: true, error: null, refs: { "refs/heads/main": { ok: true } } });
  elsewhere("busy", "theirs");
  files.forget();
  files.write("/workspace/c/ours", "ours\n");
  await git.add({ dir: "c", paths: ["ours"] });
  await git.commit({ dir: "c", message: "ours" });
  const rejected = await run("c", "push");
  expect(rejected).toContain(" ! [rejected]        main -> main (fetch first)\n");
  expect(rejected).toContain("hint: Updates were rejected because the remote contains work that you do\n");
  expect(rejected).toMatch(/exit 1$/);
  expect(await git.push({ dir: "c" })).toEqual({
    ok: false,
    error: "main: fetch first",
    refs: { "refs/heads/main": { ok: false, error: "fetch first" } },
  });
  await git.fetch({ dir: "c" });
  expect(await run("c", "push")).toContain("(non-fast-forward)\n");
  expect(await run("c", "status -sb")).toBe("## main...origin/main [ahead 1, behind 1]\nexit 0");
  expect(await run("c", "pull")).toContain("fatal: Need to specify how to reconcile divergent branches.\n");
  expect(await run("c", "pull --no-rebase")).toContain("Merge made by the 'ort' strategy.\n theirs | 1 +\n");
  expect(await run("c", "push")).toMatch(/main -> main\nexit 0$/);
  expect(server.git("busy.git", "log", "-1", "--format=%s", "main")).toBe(
    `Merge branch 'main' of ${server.url}/busy\n`,
  );
});

test("G-13 a pull on a clean tree goes forward, with the other's file on disk and nothing to commit", async () => {
  serve("forward", 2);
  const { git, files, run } = client();
  await git.clone({ url: `${server.url}/forward.git`, dir: "c" });
  elsewhere("forward", "theirs");
  expect(await run("c", "pull")).toContain(
    "Fast-forward\n theirs | 1 +\n 1 file changed, 1 insertion(+)\n create mode 100644 theirs\n",
  );
  files.forget();
  expect(files.text("/workspace/c/theirs")).toBe("theirs\n");
  expect(await run("c", "status --porcelain")).toBe("exit 0");
  elsewhere("forward", "more");
  await git.pull({ dir: "c" });
  expect(await run("c", "log -1 --format=%s")).toBe("more\nexit 0");
});

test("who is not let in is told so; credentials come from the caller, the address, or a header", async () => {
  const guarded = await startHttpBackend({ credentials: "tess:secret" });
  try {
    guarded.git(".", "init", "-q", "--bare", "-b", "main", "r.git");
    guarded.git("r.git", "config", "http.receivepack", "true");
    const { git, files, run } = client();
    const url = `${guarded.url}/r.git`;
    await expect(git.clone({ url, dir: "no" })).rejects.toMatchObject({ code: "EAUTH" });
    expect(await run("", `clone ${url} no`)).toBe(
      `Cloning into 'no'...\nfatal: could not read Username for '${guarded.url}': give credentials in the address, or with onAuth\nexit 128`,
    );
    await expect(git.clone({ url, dir: "no", headers: { Authorization: "Basic x" } })).rejects.toMatchObject({
      code: "EAUTH",
    });
    expect(files.isDirectory("/workspace/no")).toBe(false);
    expect(await run("", `clone ${url.replace("//", "//tess:secret@")} c`)).toBe(
      "Cloning into 'c'...\nwarning: You appear to have cloned an empty repository.\nexit 0",
    );
    files.forget();
    files.write("/workspace/c/a", "a\n");
    await git.add({ dir: "c", paths: ["a"] });
    await git.commit({ dir: "c", message: "a" });
    const asked: string[] = [];
    const pushed = await git.push({
      dir: "c",
      url,
      ref: "main",
      onAuth: (address) => {
        asked.push(address);
        return { username: "tess", password: "secret" };
      },
    });
    expect(pushed.ok).toBe(true);
    expect(asked).toEqual([url]);
    expect(guarded.git("r.git", "log", "--format=%s", "main")).toBe("a\n");
  } finally {
    await guarded.close();
  }
});
