/** The cases of git that need no server: each beside the machine's own git. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { GitFiles } from "../../src/git/files/git-files.ts";
import { oidOf } from "../../src/git/objects/object-id.ts";
import { OurGit } from "./differential/our-git.ts";
import { runRealGit } from "./differential/real-git.ts";
import { git, type Outcome, type Situation, type Step, write } from "./differential/step.ts";

const root = mkdtempSync(join(tmpdir(), "git-cases-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let runs = 0;

/** Runs the same steps on both, and says that both said the same; what ours said. */
async function both(...steps: Step[]): Promise<{ outcomes: Outcome[]; ours: OurGit }> {
  const situation: Situation = { name: "case", steps: [git("init -q -b main"), ...steps] };
  const real = runRealGit(join(root, String(runs++)), [situation]).get(situation)!;
  const ours = new OurGit();
  const outcomes = await ours.run(situation);
  expect(outcomes.map(told)).toEqual(real.map(told));
  return { outcomes, ours };
}

/** Hints are worded for people, and differ where our git has fewer ways out. */
function told({ stdout, stderr, exitCode }: Outcome): Outcome {
  return { stdout, stderr: stderr.replaceAll(/^hint:.*\n/gm, ""), exitCode };
}

const commit = (message: string): Step[] => [git("add -A"), git(`commit -q -m ${message}`)];

describe("git beside the machine's own", () => {
  test("G-01 a removed file is `D ` in the index, a deleted one ` D` in the work tree", async () => {
    const { outcomes } = await both(
      write("gone", "x\n"),
      write("stays", "y\n"),
      ...commit("first"),
      git("rm gone"),
      git("status --porcelain"),
      git("status --porcelain=v2"),
      { kind: "remove", path: "stays" },
      git("status --porcelain"),
    );
    expect(outcomes.at(-3)?.stdout).toBe("D  gone\n");
    expect(outcomes.at(-2)?.stdout).toMatch(/^1 D\. N\.\.\. 100644 000000 000000 [0-9a-f]{40} 0{40} gone\n$/);
    expect(outcomes.at(-1)?.stdout).toBe("D  gone\n D stays\n");
  });

  test("G-03 an empty file that comes and goes has a patch without a hunk", async () => {
    const { outcomes } = await both(
      write("a", "a\n"),
      ...commit("first"),
      write("empty", ""),
      git("add empty"),
      git("diff --cached"),
      git("diff --cached --stat"),
      git("commit -q -m empty"),
      { kind: "remove", path: "empty" },
      git("diff"),
    );
    expect(outcomes.at(-4)?.stdout).toBe("diff --git a/empty b/empty\nnew file mode 100644\nindex 0000000..e69de29\n");
    expect(outcomes.at(-3)?.stdout).toContain("0 insertions(+), 0 deletions(-)");
    expect(outcomes.at(-1)?.stdout).toBe(
      "diff --git a/empty b/empty\ndeleted file mode 100644\nindex e69de29..0000000\n",
    );
  });

  test("G-04 a file that is only unstaged is deleted and untracked at once", async () => {
    const { outcomes } = await both(
      write("base", "x\n"),
      ...commit("first"),
      git("rm --cached base"),
      git("status --porcelain"),
    );
    expect(outcomes.at(-1)?.stdout).toBe("D  base\n?? base\n");
  });

  test("G-06 what lies under an ignored directory cannot be taken back", async () => {
    const { outcomes } = await both(
      write(".gitignore", "dir/\n!dir/sub/keep\nfoo/*\n!foo/bar\n!foo/baz/quux\n"),
      git("add .gitignore"),
      write("dir/sub/keep", "1"),
      write("foo/bar", "1"),
      write("foo/baz/quux", "1"),
      git("status --porcelain -uall"),
      git("add ."),
      git("ls-files"),
    );
    expect(outcomes.at(-3)?.stdout).toBe("A  .gitignore\n?? foo/bar\n");
    expect(outcomes.at(-1)?.stdout).toBe(".gitignore\nfoo/bar\n");
  });

  test("G-07 a rooted directory is taken back from a pattern with a class", async () => {
    const { outcomes } = await both(
      write(".gitignore", "[Ii]gn/\n!/my/ign/\n/my/ign/*\n!/my/ign/f\n"),
      git("add .gitignore"),
      write("my/ign/f", "1"),
      write("my/ign/g", "1"),
      write("Ign/x", "1"),
      git("status --porcelain -uall --ignored"),
    );
    expect(outcomes.at(-1)?.stdout).toBe("A  .gitignore\n?? my/ign/f\n!! Ign/x\n!! my/ign/g\n");
  });

  test("G-08 a linked worktree reads the branches of its repository", async () => {
    const { ours } = await both(write("a", "a\n"), ...commit("first"), git("branch side"));
    const files = new GitFiles(ours.store);
    const place = "/workspace/r/.git/worktrees/w";
    files.write(`${place}/HEAD`, "ref: refs/heads/side\n");
    files.write(`${place}/commondir`, "../..\n");
    files.write(`${place}/gitdir`, "/workspace/w/.git\n");
    files.write("/workspace/w/.git", `gitdir: ${place}\n`);
    const { stdout } = await ours.git.cli({ argv: ["log", "-1", "--format=%s %D"], cwd: "/workspace/w" });
    expect(stdout).toBe("first HEAD -> side, main\n");
    files.write("/workspace/v/.git", "gitdir: /elsewhere/.git/worktrees/v\n");
    const refused = await ours.git.cli({ argv: ["log", "-1"], cwd: "/workspace/v" });
    expect(refused).toEqual({
      stdout: "",
      stderr:
        "fatal: not a git repository: worktree gitdir /elsewhere/.git/worktrees/v not reachable from this workspace\n",
      exitCode: 128,
    });
  });

  test("G-09 revisions resolve, and those that name nothing, or too much, say so", async () => {
    // Two contents whose names begin with the same four digits.
    const seen = new Map<string, string>();
    let [one, two, prefix] = ["", "", ""];
    for (let i = 0; prefix === ""; i++) {
      const digits = oidOf("blob", new TextEncoder().encode(String(i))).slice(0, 4);
      const other = seen.get(digits);
      if (other !== undefined) [one, two, prefix] = [other, String(i), digits];
      seen.set(digits, String(i));
    }
    const { ours, outcomes } = await both(
      write("a", "1\n"),
      ...commit("one"),
      write("a", "2\n"),
      ...commit("two"),
      write("x", one),
      write("y", two),
      ...commit("three"),
      git("rev-parse HEAD~1 HEAD^ HEAD~2 main@{1} HEAD^{tree} HEAD:a"),
      git("rev-parse --short HEAD"),
      git(`rev-parse ${prefix}`),
      git(`cat-file -p ${prefix}`),
      git("rev-parse HEAD~99"),
      git("log HEAD~99"),
      git("show HEAD^2"),
    );
    const short = outcomes[8]!.stdout.trim();
    const full = await ours.git.cli({ argv: ["rev-parse", short], cwd: "/workspace/r" });
    expect(full.stdout.slice(0, 7)).toBe(short);
    expect(outcomes.slice(9).map(({ exitCode }) => exitCode)).toEqual([128, 128, 128, 128, 128]);
    expect(outcomes[9]!.stderr).toContain(`error: short object ID ${prefix} is ambiguous\n`);
  });

  test("G-13 a merge of two branches puts the other's file on disk and leaves all clean", async () => {
    const { outcomes, ours } = await both(
      write("base", "x\n"),
      ...commit("first"),
      git("checkout -q -b side"),
      write("theirs", "t\n"),
      ...commit("theirs"),
      git("checkout -q main"),
      write("ours", "o\n"),
      ...commit("ours"),
      git("merge side"),
      git("status --porcelain"),
      git("cat-file -p HEAD"),
      git("log --oneline --format=%s%x20%P -1"),
    );
    expect(new GitFiles(ours.store).text("/workspace/r/theirs")).toBe("t\n");
    expect(outcomes.at(-3)?.stdout).toBe("");
    expect(outcomes.at(-2)?.stdout.match(/^parent /gm)).toHaveLength(2);
  });

  test("G-14 a conflict exits 1, leaves markers and `UU`, and is given up without a trace", async () => {
    const { outcomes, ours } = await both(
      write("n", "one\ntwo\nthree\n"),
      ...commit("first"),
      git("checkout -q -b side"),
      write("n", "one\nzwei\nthree\n"),
      ...commit("side"),
      git("checkout -q main"),
      write("n", "one\ndeux\nthree\n"),
      ...commit("main"),
      git("merge side"),
      git("status --porcelain"),
      git("status"),
      git("ls-files -s"),
      git("diff"),
      git("merge --abort"),
      git("status --porcelain"),
      git("merge side"),
    );
    expect(outcomes.at(-8)?.exitCode).toBe(1);
    expect(outcomes.at(-7)?.stdout).toBe("UU n\n");
    expect(outcomes.at(-2)?.stdout).toBe("");
    expect(new GitFiles(ours.store).text("/workspace/r/n")).toBe(
      "one\n<<<<<<< HEAD\ndeux\n=======\nzwei\n>>>>>>> side\nthree\n",
    );
  });

  test("G-16 a repository inside of another is staged as one link, never its files", async () => {
    const { outcomes } = await both(
      { kind: "write", path: "inner/f", text: "f\n" },
      git("-C inner init -q -b main"),
      git("-C inner add ."),
      git("-C inner commit -q -m inner"),
      write("outer", "o\n"),
      git("add ."),
      git("ls-files -s"),
      git("status --porcelain"),
    );
    expect(outcomes.at(-2)?.stdout).toMatch(/^160000 [0-9a-f]{40} 0\tinner\n100644 [0-9a-f]{40} 0\touter\n$/);
  });

  test("G-17 an index of version 4 and LFS pointers work; SHA-256 is refused by name", async () => {
    const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    const { ours } = await both(
      write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n"),
      write("big.bin", pointer),
      ...commit("lfs"),
      git("status --porcelain"),
      git("ls-files"),
    );
    const files = new GitFiles(ours.store);
    const index = files.read("/workspace/r/.git/index")!;
    files.write("/workspace/r/.git/index", version4(index));
    const listed = await ours.git.cli({ argv: ["ls-files"], cwd: "/workspace/r" });
    expect(listed).toEqual({ stdout: ".gitattributes\nbig.bin\n", stderr: "", exitCode: 0 });
    const text = files
      .text("/workspace/r/.git/config")!
      .replace("repositoryformatversion = 0", "repositoryformatversion = 1");
    files.write("/workspace/r/.git/config", `${text}[extensions]\n\tobjectformat = sha256\n`);
    const refused = await ours.git.cli({ argv: ["status"], cwd: "/workspace/r" });
    expect(refused).toEqual({ stdout: "", stderr: "fatal: unsupported: objects named by SHA-256\n", exitCode: 128 });
  });

  test("a verb of git that is not done is refused by name, and what is no verb as git says it", async () => {
    const ours = new OurGit();
    const ran = async (verb: string) => ours.git.cli({ argv: [verb], cwd: "/workspace" });
    expect(await ran("rebase")).toEqual({ stdout: "", stderr: "fatal: unsupported: git rebase\n", exitCode: 128 });
    expect(await ran("rebsae")).toEqual({
      stdout: "",
      stderr: "git: 'rebsae' is not a git command. See 'git --help'.\n",
      exitCode: 1,
    });
    const listed = spawnSync("git", ["--list-cmds=list-mainporcelain"], { encoding: "utf8" }).stdout.trim().split("\n");
    expect(listed).toContain("cherry-pick");
    for (const verb of listed) expect((await ran(verb)).stderr).not.toContain("is not a git command");
  });
});

/** The same index in version 4, in which each path says how much of the one before it keeps. */
function version4(index: Uint8Array): Uint8Array {
  const bytes = Buffer.from(index);
  const out = [Buffer.from(bytes.subarray(0, 12))];
  out[0]!.writeUInt32BE(4, 4);
  let at = 12;
  let previous = "";
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const end = bytes.indexOf(0, at + 62);
    const path = bytes.toString("utf8", at + 62, end);
    let same = 0;
    while (same < path.length && path[same] === previous[same]) same++;
    out.push(bytes.subarray(at, at + 62), Buffer.from([previous.length - same]), Buffer.from(`${path.slice(same)}\0`));
    previous = path;
    at += Math.floor((end - at + 8) / 8) * 8;
  }
  return Buffer.concat([...out, Buffer.alloc(20)]);
}
