import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import git from "isomorphic-git";
import { expect, test } from "vitest";
import { openNodeStorage } from "../../src/node/index.ts";
import { SQLiteWorkspaceProvider } from "../../src/provider/sqlite-workspace-provider.ts";
import { Database } from "../../src/sql/database.ts";
import { SqlStore } from "../../src/store/sql-store.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();
const dir = "/w/repo";

function open(): SQLiteWorkspaceProvider {
  const db = new Database(openNodeStorage());
  SqlStore.open(db, { sha256 });
  return new SQLiteWorkspaceProvider(db);
}

/** Writes a tree out to the machine's own disk, modes and links included. */
function writeOut(provider: SQLiteWorkspaceProvider, from: string, to: string): void {
  mkdirSync(to);
  for (const { name, type, mode } of provider.readdirEntriesSync(from)) {
    const [source, target] = [`${from}/${name}`, join(to, name)];
    if (type === "dir") writeOut(provider, source, target);
    else if (type === "symlink") symlinkSync(provider.readlinkSync(source), target);
    else writeFileSync(target, provider.readFileSync(source), { mode });
  }
}

test("isomorphic-git works on the provider, and real git finds its repository sound", async () => {
  const provider = open();
  const fs = { promises: provider };
  const author = { name: "A", email: "a@example.com", timestamp: 1_700_000_000, timezoneOffset: 0 };
  const repo = { fs, dir, author };
  provider.mkdirSync(dir, { recursive: true });
  const status = async () =>
    (await git.statusMatrix(repo)).filter(([, head, work, stage]) => !(head === 1 && work === 1 && stage === 1));

  await git.init({ ...repo, defaultBranch: "main" });
  provider.mkdirSync(`${dir}/src`);
  provider.writeFileSync(`${dir}/readme.md`, "# One\n");
  provider.writeFileSync(`${dir}/src/run.sh`, "#!/bin/sh\n", { mode: 0o755 });
  provider.writeFileSync(`${dir}/src/é.bin`, new Uint8Array([0, 1, 255]));
  provider.symlinkSync("../readme.md", `${dir}/src/link`);
  expect(await status()).toHaveLength(4);
  await git.add({ ...repo, filepath: "." });
  const first = await git.commit({ ...repo, message: "first" });
  expect(await status()).toEqual([]);

  await git.branch({ ...repo, ref: "side", checkout: true });
  provider.writeFileSync(`${dir}/side.txt`, "side\n");
  await git.add({ ...repo, filepath: "side.txt" });
  await git.commit({ ...repo, message: "side" });
  await git.checkout({ ...repo, ref: "main" });
  expect(provider.existsSync(`${dir}/side.txt`)).toBe(false);
  provider.writeFileSync(`${dir}/readme.md`, "# Two\n");
  expect(await status()).toEqual([["readme.md", 1, 2, 1]]);
  await git.add({ ...repo, filepath: "readme.md" });
  await git.commit({ ...repo, message: "second" });
  await git.merge({ ...repo, ours: "main", theirs: "side", message: "both" });
  await git.checkout({ ...repo, ref: "main" });
  expect(provider.readFileSync(`${dir}/side.txt`, "utf8")).toBe("side\n");
  expect(await status()).toEqual([]);
  const log = await git.log({ fs, dir });
  expect([log.length, log[0]?.commit.parent.length, log.at(-1)?.oid]).toEqual([5, 2, first]);

  const temp = mkdtempSync(join(tmpdir(), "git-"));
  try {
    const copy = join(temp, "repo");
    writeOut(provider, dir, copy);
    const real = (...args: string[]) => execFileSync("git", ["-C", copy, ...args], { encoding: "utf8", stdio: "pipe" });
    expect(real("fsck", "--strict", "--no-dangling")).toBe("");
    expect(real("status", "--porcelain")).toBe("");
    expect(
      real("ls-tree", "-r", "-z", "HEAD")
        .split("\0")
        .map((line) => [line.slice(0, 6), line.split("\t")[1]]),
    ).toEqual([
      ["100644", "readme.md"],
      ["100644", "side.txt"],
      ["120000", "src/link"],
      ["100755", "src/run.sh"],
      ["100644", "src/é.bin"],
      ["", undefined],
    ]);
    expect(real("log", "--format=%s", "--topo-order").split("\n")).toHaveLength(5);
    expect(readdirSync(copy).sort()).toEqual([".git", "readme.md", "side.txt", "src"]);
  } finally {
    rmSync(temp, { recursive: true });
  }
});
