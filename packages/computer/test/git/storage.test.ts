/** How little of the storage commands touch: statements counted, reads of each file counted. */

import { createHash, randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";
import { Database, type Ino, SqlStore } from "@cloudflare/dofs";
import { openNodeStorage } from "@cloudflare/dofs/node";
import { expect, test, vi } from "vitest";
import { WorkspaceGit } from "../../src/git/client/workspace-git.ts";
import { GitFiles } from "../../src/git/files/git-files.ts";
import { commitBytes } from "../../src/git/objects/commit.ts";
import { EMPTY_TREE, oidOf } from "../../src/git/objects/object-id.ts";
import { PackWriter, packEntry, packIndexBytes } from "../../src/git/objects/pack-writer.ts";

const FILES = 3500;
const PER_DIRECTORY = 20;

interface Counted {
  readonly git: WorkspaceGit;
  readonly store: SqlStore;
  readonly files: GitFiles;
  /** Runs a command line; the statements it made, and how often it read each file. */
  count(line: string): Promise<{ statements: number; reads: (path: string) => number; bytes: number; stdout: string }>;
}

function counted(): Counted {
  const storage = openNodeStorage();
  let statements = 0;
  const db = new Database({
    sql: {
      exec: (query, ...bindings) => {
        statements++;
        return storage.sql.exec(query, ...bindings);
      },
    },
    transactionSync: (closure) => storage.transactionSync(closure),
  });
  let now = Date.UTC(2026, 0, 1);
  const store = SqlStore.open(db, {
    sha256: (bytes) => createHash("sha256").update(bytes).digest(),
    now: () => now++,
  });
  const git = new WorkspaceGit({ store, fetch: undefined, identity: { name: "T", email: "t@x" }, now: () => now });
  const files = new GitFiles(store);
  return {
    git,
    store,
    files,
    async count(line) {
      const seen = new Map<Ino, number>();
      let bytes = 0;
      const spy = vi.spyOn(store, "read").mockImplementation(function (this: SqlStore, ino, offset, length) {
        seen.set(ino, (seen.get(ino) ?? 0) + 1);
        const read = SqlStore.prototype.read.call(store, ino, offset, length);
        if (read instanceof Uint8Array) bytes += read.length;
        return read;
      });
      statements = 0;
      const { stdout, stderr } = await git.cli({ argv: line.split(" "), cwd: "/workspace/r" });
      spy.mockRestore();
      expect(stderr).toBe("");
      const total = statements;
      return { statements: total, reads: (path) => seen.get(files.stat(path)?.ino ?? -1) ?? 0, bytes, stdout };
    },
  };
}

test("G-21 3,500 files, warm: the index is read once a command, each ignore file once, packs not again", {
  timeout: 120_000,
}, async () => {
  const { git, files, count } = counted();
  files.makeDirectory("/workspace/r");
  await git.init({ dir: "r", defaultBranch: "main" });
  for (let i = 0; i < FILES; i++) {
    files.write(`/workspace/r/d${Math.floor(i / PER_DIRECTORY)}/f${i}.txt`, `file ${i}\n`);
  }
  files.write("/workspace/r/.gitignore", "*.log\n");
  files.write("/workspace/r/d1/.gitignore", "tmp/\n");
  const added = await count("add .");
  const committed = await count("commit -q -m all");
  for (let i = 0; i < 24; i++) {
    files.write("/workspace/r/d0/f0.txt", `again ${i}\n`);
    await git.add({ dir: "r", paths: ["d0/f0.txt"] });
    await git.commit({ dir: "r", message: `c${i}` });
  }
  const [pack] = files.names("/workspace/r/.git/objects/pack").filter((name) => name.endsWith(".pack"));
  const packPath = `/workspace/r/.git/objects/pack/${pack}`;
  await count("status");
  const status = await count("status --porcelain");
  const listed = await count("ls-files");
  const log = await count("log -20 --oneline");
  const logged = await count("log -20 --oneline");
  expect(status.stdout).toBe("");
  expect(listed.stdout.split("\n")).toHaveLength(FILES + 3);
  expect(log.stdout.split("\n")).toHaveLength(21);
  for (const each of [status, listed, log]) expect(each.reads("/workspace/r/.git/index")).toBeLessThanOrEqual(1);
  expect(status.reads("/workspace/r/.git/index")).toBe(1);
  expect(status.reads("/workspace/r/.gitignore")).toBe(1);
  expect(status.reads("/workspace/r/d1/.gitignore")).toBe(1);
  for (const each of [status, log, logged]) {
    expect(each.reads(packPath)).toBe(0);
    expect(each.reads(packPath.replace(/pack$/, "idx"))).toBe(0);
  }
  const diff = await count("diff");
  expect({
    add: added.statements,
    commit: committed.statements,
    status: status.statements,
    "ls-files": listed.statements,
    "log -20": logged.statements,
    diff: diff.statements,
  }).toMatchInlineSnapshot(`
    {
      "add": 3889,
      "commit": 70,
      "diff": 180,
      "log -20": 26,
      "ls-files": 4,
      "status": 185,
    }
  `);
});

test("G-22 one commit is read out of a pack of 80 MB without the pack", { timeout: 120_000 }, async () => {
  const { git, store, files, count } = counted();
  files.makeDirectory("/workspace/r");
  await git.init({ dir: "r", defaultBranch: "main" });
  const person = { name: "T", email: "t@x", timestamp: 1_700_000_000, zone: "+0000" };
  const data = commitBytes({ tree: EMPTY_TREE, parents: [], author: person, committer: person, message: "needle\n" });
  const stage = store.stage();
  const blobs = 80;
  const writer = new PackWriter(blobs + 1, (piece) => stage.append(piece));
  for (let i = 0; i < blobs; i++) {
    const blob = randomBytes(1024 * 1024);
    if (i === blobs / 2) writer.add(oidOf("commit", data), packEntry({ type: "commit", data }));
    const head = packEntry({ type: "blob", data: new Uint8Array() }).subarray(0, 1);
    const size = blob.length;
    const header = [0xb0 | (size & 15), ((size >> 4) & 0x7f) | 0x80, ((size >> 11) & 0x7f) | 0x80, (size >> 18) & 0x7f];
    expect(head[0]).toBe(0x30);
    writer.add(oidOf("blob", blob), Buffer.concat([Buffer.from(header), deflateSync(blob, { level: 0 })]));
  }
  const checksum = writer.finish();
  const path = `/workspace/r/.git/objects/pack/pack-${checksum.toString("hex")}`;
  expect(files.write(`${path}.pack`, stage).size).toBeGreaterThan(80 * 1024 * 1024);
  files.write(`${path}.idx`, packIndexBytes(writer.entries, checksum));
  await git.updateRef({ dir: "r", ref: "refs/heads/main", value: oidOf("commit", data) });
  const other = new WorkspaceGit({ store, fetch: undefined });
  expect((await other.log({ dir: "r" })).map(({ message }) => message)).toEqual(["needle\n"]);
  const { bytes, stdout } = await count("log --format=%s");
  expect(stdout).toBe("needle\n");
  expect(bytes).toBeLessThan(1024 * 1024);
});
