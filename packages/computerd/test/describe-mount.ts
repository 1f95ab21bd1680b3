/** What holds at a mount, whichever driver serves it. */

import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChangeEntry, Chunk } from "@cloudflare/dofs";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { FuseDriver, Mount, MountOptions } from "../src/fuse/driver.ts";
import { js, sh, start } from "./mounted.ts";

/** What a driver is known not to do; each is a fact that a test asserts. */
export type Gap =
  /** Times have milliseconds only. */
  | "nanoseconds"
  /** `renameat2` takes no flags. */
  | "rename flags"
  | "extended attributes"
  /** Bytes in a name that are no UTF-8 are replaced. */
  | "names of any bytes"
  /** New files belong to the daemon's user, whoever made them. */
  | "owners"
  /** A file that is open is out of reach once its directory is removed. */
  | "files of removed directories"
  /** A time set alone, without the other one, is not kept. */
  | "single times";

const ROOT = "/workspace";

/** Tests on real mounts of this machine. */
export function describeMount(driver: FuseDriver, gaps: readonly Gap[] = []): void {
  const has = (gap: Gap): boolean => gaps.includes(gap);
  const scratch = mkdtempSync(join(tmpdir(), "mount-test-"));
  let fetchAbsent: NonNullable<MountOptions["fetchAbsent"]> = async () => [];
  let mount: Mount;
  let count = 0;
  /** A directory of the mount for one test, and its path in the store. */
  let dir: string;
  let path: string;

  beforeAll(async () => {
    mount = await driver.mount({
      root: ROOT,
      mountPoint: join(scratch, "mnt"),
      name: "computer-test",
      fetchAbsent: (hashes) => fetchAbsent(hashes),
    });
  });
  beforeEach(async () => {
    const name = `t${++count}`;
    dir = join(mount.mountPoint, name);
    path = `${ROOT}/${name}`;
    await mkdir(dir);
  });
  afterAll(async () => {
    await mount.close();
    await rm(scratch, { recursive: true });
  });

  /** Changes files as sync does. */
  const apply = async (...entries: Unrevised[]): Promise<void> => {
    const revised = entries.map((entry): ChangeEntry => ({ ...entry, rev: 1 }));
    const outcome = await mount.store.apply(revised, { peer: "host", allowAbsent: true });
    expect(outcome.refused).toEqual([]);
  };
  /** What sync would carry of a test's directory: the paths that are something, and those that are gone. */
  const carried = async (): Promise<{ there: string[]; gone: string[] }> => {
    const { entries } = await mount.store.changes({ rev: 0, path: null }, { entries: 10_000, root: path });
    const of = (deleted: boolean): string[] =>
      entries.filter(({ kind }) => (kind === "delete") === deleted).map((entry) => entry.path.slice(path.length + 1));
    return { there: of(false), gone: of(true) };
  };

  describe("files", () => {
    test("U-01 a file that is open lives on without its name, and leaves nothing behind", async () => {
      const seen = await js(
        dir,
        `const fd = fs.openSync("u", "wx+");
         fs.writeSync(fd, "before ");
         fs.unlinkSync("u");
         fs.writeSync(fd, "after");
         const text = Buffer.alloc(20);
         const length = fs.readSync(fd, text, 0, 20, 0);
         const { nlink, size } = fs.fstatSync(fd);
         const names = fs.readdirSync(".");
         fs.closeSync(fd);
         return { text: text.toString("utf8", 0, length), nlink, size, names };`,
      );
      expect(seen).toEqual({ text: "before after", nlink: 0, size: 12, names: [] });
      expect((await carried()).there).toEqual([]);
      expect(await sh(dir, "ls -A")).toBe("");
    });

    test("U-01 a file that another replaces keeps its contents for who has it open", async () => {
      const seen = await js(
        dir,
        `fs.writeFileSync("a", "old"); fs.writeFileSync("b", "new");
         const fd = fs.openSync("a", "r");
         fs.renameSync("b", "a");
         const text = Buffer.alloc(3); fs.readSync(fd, text, 0, 3, 0);
         fs.closeSync(fd);
         return [text.toString(), fs.readFileSync("a", "utf8"), fs.readdirSync(".")];`,
      );
      expect(seen).toEqual(["old", "new", ["a"]]);
    });

    test("U-02 two names are one file", async () => {
      const seen = await js(
        dir,
        `fs.writeFileSync("a", "0123456789");
         fs.linkSync("a", "b");
         const both = [fs.statSync("a"), fs.statSync("b")].map(({ ino, nlink }) => [ino, nlink]);
         assert.deepEqual(both[0], both[1]);
         fs.appendFileSync("b", "ab");
         const through = fs.readFileSync("a", "utf8");
         fs.unlinkSync("a");
         fs.writeFileSync("b", "XY", { flag: "r+" });
         fs.truncateSync("b", 4);
         return { links: both[0][1], through, text: fs.readFileSync("b", "utf8"), left: fs.statSync("b").nlink };`,
      );
      expect(seen).toEqual({ links: 2, through: "0123456789ab", text: "XY23", left: 1 });
    });

    test("contents of any size and shape come back as they were written", async () => {
      const seen = await js(
        dir,
        `const { createHash, randomBytes } = await import("node:crypto");
         const sizes = [0, 1, 4095, 4096, 4097, 262143, 262144, 262145, 20_000_003];
         for (const size of sizes) {
           const bytes = randomBytes(size);
           fs.writeFileSync("f" + size, bytes);
           assert.equal(fs.statSync("f" + size).size, size);
           assert.ok(fs.readFileSync("f" + size).equals(bytes));
         }
         const fd = fs.openSync("holes", "w+");
         fs.writeSync(fd, "end", 1_000_000);
         fs.writeSync(fd, "mid", 500_000);
         const back = fs.readFileSync("holes");
         const want = Buffer.alloc(1_000_003); want.write("mid", 500_000); want.write("end", 1_000_000);
         assert.ok(back.equals(want));
         fs.ftruncateSync(fd, 500_001);
         fs.ftruncateSync(fd, 500_010);
         const cut = Buffer.alloc(500_010); cut.write("m", 500_000);
         assert.ok(fs.readFileSync("holes").equals(cut));
         return sizes.length;`,
      );
      expect(seen).toBe(9);
    });

    test("what is appended from two processes is all there", async () => {
      const writer = (mark: string) => `for n in $(seq 200); do echo ${mark}$n >> log; done`;
      await Promise.all([sh(dir, writer("a")), sh(dir, writer("b"))]);
      const lines = (await readFile(join(dir, "log"), "utf8")).trim().split("\n").sort();
      const want = ["a", "b"].flatMap((mark) => Array.from({ length: 200 }, (_, n) => `${mark}${n + 1}`)).sort();
      expect(lines).toEqual(want);
    });

    test("modes, the umask and times are kept", async () => {
      await sh(dir, "umask 027; echo > f; mkdir d; chmod 4711 f; touch -d '2001-02-03 04:05:06.789 UTC' f d");
      expect(await sh(dir, "stat -c '%n %a %Y' f d")).toBe("f 4711 981173106\nd 750 981173106\n");
      expect(await sh(dir, "TZ=UTC stat -c %y f")).toMatch(/^2001-02-03 04:05:06\.789000000/);
    });

    test("an access time that differs from the modification time stays apart from it", async () => {
      const seen = await js(
        dir,
        `fs.writeFileSync("f", ""); fs.utimesSync("f", 1000.5, 2000.25);
         const { atimeMs, mtimeMs } = fs.statSync("f"); return [atimeMs, mtimeMs];`,
      );
      expect(seen).toEqual([1_000_500, 2_000_250]);
    });

    test("a fifo passes what is written to it", async () => {
      expect(await sh(dir, "mkfifo p; echo through > p & cat p; stat -c %F p; ls")).toBe("through\nfifo\np\n");
    });
  });

  describe("directories", () => {
    test("errors are those of Linux", async () => {
      const seen = await js(
        dir,
        `fs.mkdirSync("d/e", { recursive: true }); fs.writeFileSync("f", ""); fs.symlinkSync("loop", "loop");
         const code = (action) => { try { action(); return "fine"; } catch (error) { return error.code; } };
         return [
           code(() => fs.rmdirSync("d")), code(() => fs.mkdirSync("d")), code(() => fs.readFileSync("f/x")),
           code(() => fs.writeFileSync("d", "")), code(() => fs.readFileSync("none")), code(() => fs.readFileSync("loop")),
           code(() => fs.renameSync("d", "d/e/g")), code(() => fs.renameSync("f", "d")), code(() => fs.renameSync("d", "f")),
           code(() => fs.writeFileSync("n".repeat(256), "")), code(() => fs.writeFileSync("n".repeat(255), "")),
           code(() => fs.unlinkSync("d")), code(() => fs.openSync("f", "wx")), code(() => fs.linkSync("d", "l")),
         ];`,
      );
      expect(seen).toEqual([
        ...["ENOTEMPTY", "EEXIST", "ENOTDIR", "EISDIR", "ENOENT", "ELOOP", "EINVAL", "EISDIR", "ENOTDIR"],
        ...["ENAMETOOLONG", "fine", "EISDIR", "EEXIST", "EPERM"],
      ]);
    });

    test("names in any script and with any sign are kept", async () => {
      const names = ["ünï", "日本語", "a b", "new\nline", "-dash", "🙂", "*?[", '"quote"', "back\\slash"].sort();
      await js(dir, `for (const name of ${JSON.stringify(names)}) fs.writeFileSync("./" + name, name);`);
      expect((await readdir(dir)).sort()).toEqual(names);
    });

    test("links to directories are counted", async () => {
      expect(
        await sh(dir, "mkdir -p d/a d/b; touch d/f; stat -c %h d; rmdir d/a; stat -c %h d; mv d/b .; stat -c %h d"),
      ).toBe("4\n3\n2\n");
    });

    test("a moved directory takes its tree with it", async () => {
      expect(
        await sh(
          dir,
          "mkdir -p a/b/c other; echo x > a/b/c/f; mv a/b other/moved; find . -type f; cat other/moved/c/f",
        ),
      ).toBe("./other/moved/c/f\nx\n");
    });

    test("U-06 links into other trees are links, and removing them leaves the others", async () => {
      const outside = join(scratch, "store");
      await mkdir(outside, { recursive: true });
      await writeFile(join(outside, "kept"), "kept");
      await sh(
        dir,
        `mkdir -p node_modules/.pnpm/x@1/node_modules/x; echo > node_modules/.pnpm/x@1/node_modules/x/index.js
        ln -s .pnpm/x@1/node_modules/x node_modules/x; ln -s ${outside} node_modules/outside`,
      );
      const listed = await sh(
        dir,
        "ls -l node_modules | tail -n +2 | cut -c1; readlink node_modules/x; ls node_modules/x/",
      );
      expect(listed).toBe("l\nl\n.pnpm/x@1/node_modules/x\nindex.js\n");
      await sh(dir, "rm -rf node_modules");
      expect(await readdir(outside)).toEqual(["kept"]);
      expect(await readdir(dir)).toEqual([]);
    });

    test("U-08 a listing of 5,000 names skips and doubles none while others come and go, and all can be removed", async () => {
      await js(
        dir,
        `fs.mkdirSync("d"); for (let n = 0; n < 5000; n++) fs.writeFileSync("d/keep" + String(n).padStart(4, "0"), "");`,
      );
      const churn = start(dir, "echo on; n=0; while :; do : > d/come$n; rm d/come$n; n=$(( (n + 1) % 50 )); done");
      await churn.line();
      for (let round = 0; round < 5; round++) {
        const names = (await sh(dir, "ls -U d")).split("\n").filter((name) => name.startsWith("keep"));
        expect(names.length).toBe(5000);
        expect(new Set(names).size).toBe(5000);
      }
      await churn[Symbol.asyncDispose]();
      await sh(dir, "rm -rf d");
      expect(await readdir(dir)).toEqual([]);
    });
  });

  describe("programs", () => {
    test("U-04 git makes commits, packs them and finds nothing wrong", async () => {
      const git = "git -c user.name=T -c user.email=t@example.org";
      await sh(
        dir,
        `mkdir repo; cd repo; git init -q; for n in 1 2 3; do
        echo $n > file$n; head -c ${300_000} /dev/urandom > big$n; ${git} add .; ${git} commit -qm "number $n"; done
        git gc -q; git repack -qad`,
      );
      expect(
        await sh(dir, "cd repo; git fsck --full --strict 2>&1; git status --porcelain; wc -l < .git/logs/HEAD"),
      ).toBe("3\n");
      expect(await sh(dir, "cd repo; git log --format=%s; git count-objects -v | grep -E '^(count|in-pack):'")).toBe(
        "number 3\nnumber 2\nnumber 1\ncount: 0\nin-pack: 12\n",
      );
      await sh(
        dir,
        `git clone -q repo copy; cd copy; ${git} checkout -q -b side HEAD~1; ${git} merge -q ${"$"}(git -C ../repo rev-parse HEAD)`,
      );
      expect(await sh(dir, "cd copy; git diff --stat HEAD; cmp big3 ../repo/big3; git fsck --full 2>&1")).toBe("");
    });

    test("U-04 copying a large file over a small one and back leaves the right sizes", async () => {
      await sh(dir, "head -c 700000 /dev/zero > big; echo small > small; cp big a; cp small a; cp small b; cp big b");
      expect(await sh(dir, "stat -c %s a b; cat a; cmp b big")).toBe("6\n700000\nsmall\n");
    });

    test("U-05 two processes share a database in WAL mode, whose index is a shared mapping", async () => {
      const open = `const { DatabaseSync } = await import("node:sqlite");
        const db = new DatabaseSync("db"); db.exec("PRAGMA busy_timeout = 30000");`;
      const mode = await js<string>(
        dir,
        `${open} db.exec("CREATE TABLE t (who TEXT, n INTEGER)");
         return db.prepare("PRAGMA journal_mode = WAL").get().journal_mode;`,
      );
      expect(mode).toBe("wal");
      const insert = (who: string): string =>
        `${open} const add = db.prepare("INSERT INTO t VALUES (?, ?)"); for (let n = 0; n < 500; n++) add.run("${who}", n);`;
      await Promise.all([js(dir, insert("a")), js(dir, insert("b"))]);
      const seen = await js(
        dir,
        `${open} return [db.prepare("PRAGMA integrity_check").get().integrity_check,
          db.prepare("SELECT count(*) AS c, count(DISTINCT who || n) AS d FROM t").get()];`,
      );
      expect(seen).toEqual(["ok", { c: 1000, d: 1000 }]);
    });

    test("U-11 hard links are made, and free space is not zero", async () => {
      expect(await sh(dir, "echo x > a; ln a b; stat -c %h b")).toBe("2\n");
      const [size, free] = (await sh(dir, "df --output=size,avail . | tail -1")).trim().split(/\s+/).map(Number);
      expect(free).toBeGreaterThan(1_000_000);
      expect(size).toBeGreaterThanOrEqual(free ?? 0);
      expect(await sh(dir, "stat -f -c '%l %a' .")).toMatch(/^255 [1-9]\d+\n$/);
    });

    test("U-11 npm installs a package from beside", async () => {
      await sh(
        dir,
        `mkdir app dep; echo '{"name":"dep","version":"1.0.0","bin":"cli.js"}' > dep/package.json
        printf '#!/usr/bin/env node\\nconsole.log("from dep")\\n' > dep/cli.js
        echo '{"name":"app","dependencies":{"dep":"file:../dep"}}' > app/package.json
        cd app; npm install --offline --no-audit --no-fund --cache ../cache >/dev/null`,
      );
      expect(await sh(dir, "cd app; ./node_modules/.bin/dep; readlink node_modules/dep")).toBe("from dep\n../../dep\n");
    });
  });

  describe("changes from outside", () => {
    test("U-09 are seen at once by who has looked before, in a shell that runs on", async () => {
      await sh(dir, "echo old > f; touch -d 2001-01-01 .");
      await using shell = start(dir, 'while read -r line; do eval "$line"; done');
      shell.say("cat f; stat -c %s f; ls; stat -c %Y .; cat g 2>/dev/null || echo no g");
      expect(await next(shell, 5)).toEqual(["old", "4", "f", "978307200", "no g"]);
      const data = new TextEncoder().encode("a longer text\n");
      const file = { kind: "file" as const, mode: 0o644, mtime: 1_000_000, chunks: [] };
      await apply(
        { kind: "dir", path, mode: 0o755, mtime: 1_700_000_000_000 },
        { ...file, path: `${path}/f`, size: data.length, data },
        { ...file, path: `${path}/g`, size: 3, data: new TextEncoder().encode("gg\n") },
      );
      shell.say("cat f; stat -c %s f; ls; stat -c %Y .; cat g");
      expect(await next(shell, 6)).toEqual(["a longer text", "14", "f", "g", "1700000000", "gg"]);
      // Of the same size, so that only the contents tell.
      await apply({ ...file, path: `${path}/f`, size: 14, data: new TextEncoder().encode("another text!\n") });
      shell.say("cat f; echo done");
      expect(await next(shell, 2)).toEqual(["another text!", "done"]);
      await apply({ kind: "delete", path: `${path}/f` }, { kind: "dir", path: `${path}/f`, mode: 0o755, mtime: 1 });
      shell.say("ls -F");
      expect(await next(shell, 2)).toEqual(["f/", "g"]);
    });

    test("U-09 reach a reader that follows the file", async () => {
      await sh(dir, "echo one > f");
      await using tail = start(dir, "tail -f -s 0.05 f");
      expect(await tail.line()).toBe("one");
      const data = new TextEncoder().encode("one\ntwo\n");
      await apply({ kind: "file", path: `${path}/f`, mode: 0o644, mtime: Date.now(), size: 8, chunks: [], data });
      expect(await tail.line()).toBe("two");
    });

    test("come back from the mount as changes to carry", async () => {
      await sh(dir, "mkdir d; echo x > d/f; ln -s f d/l; ln d/f d/h; mkfifo d/p; mv d e");
      const { there, gone } = await carried();
      expect(there).toEqual(["e", "e/f", "e/h", "e/l"]);
      expect(gone).not.toContain("e");
      const entry = await mount.store.entry(`${path}/e/f`);
      expect(entry).toMatchObject({ kind: "file", size: 2, mode: 0o644, data: new Uint8Array([120, 10]) });
    });
  });

  describe("contents that are not here", () => {
    test("are waited for by who reads them and by nobody else", async () => {
      const { bytes, chunks, entry } = remote(`${path}/far`);
      await apply(entry);
      const asked = Promise.withResolvers<void>();
      const arrive = Promise.withResolvers<void>();
      const requests: number[] = [];
      fetchAbsent = async (hashes) => {
        requests.push(hashes.length);
        asked.resolve();
        await arrive.promise;
        return chunks.filter(({ hash }) => hashes.some((wanted) => hash.equals(wanted)));
      };
      const reading = sh(dir, "sha256sum < far | cut -c1-64");
      await asked.promise;
      expect(await sh(dir, "echo near > near; cat near; stat -c %s far")).toBe("near\n300000\n");
      arrive.resolve();
      expect(await reading).toBe(`${sha256(bytes).toString("hex")}\n`);
      const fetched = requests.length;
      expect(await sh(dir, "tail -c 5 far | wc -c")).toBe("5\n");
      expect(requests.length).toBe(fetched);
    });

    test("that cannot be had are an error of the read, and the file can still be replaced or removed", async () => {
      await apply(remote(`${path}/far`).entry, remote(`${path}/gone`).entry);
      const logged = vi.spyOn(console, "error").mockImplementation(() => {});
      fetchAbsent = async () => {
        throw new Error("no connection");
      };
      await expect(sh(dir, "cat far > /dev/null")).rejects.toThrow(/Input\/output error/);
      fetchAbsent = async () => [];
      await expect(sh(dir, "cat far > /dev/null")).rejects.toThrow(/Input\/output error/);
      logged.mockRestore();
      expect(await sh(dir, "echo new > far; cat far; rm gone; ls")).toBe("new\nfar\n");
    });

    test("are fetched for a write and a cut in the middle of a chunk", async () => {
      const { bytes, chunks, entry } = remote(`${path}/far`);
      fetchAbsent = async () => chunks;
      await apply(entry, { ...entry, path: `${path}/cut` });
      await sh(dir, "printf xyz | dd of=far bs=1 seek=100000 conv=notrunc status=none; truncate -s 299999 cut");
      const written = Buffer.from(bytes);
      written.write("xyz", 100_000);
      expect(await sh(dir, "sha256sum < far | cut -c1-64; sha256sum < cut | cut -c1-64")).toBe(
        `${sha256(written).toString("hex")}\n${sha256(bytes.subarray(0, 299_999)).toString("hex")}\n`,
      );
    });
  });

  describe("limits of the driver", () => {
    test("nanoseconds", async () => {
      await sh(dir, "touch -d '2001-02-03 04:05:06.123456789 UTC' f");
      expect(await sh(dir, "stat -c %.9Y f")).toBe(
        has("nanoseconds") ? "981173106.123000000\n" : "981173106.123456789\n",
      );
    });

    test("rename flags", async () => {
      await sh(dir, "echo a > a; echo b > b");
      const exchange = `perl -e 'my ($a, $b) = ("a", "b"); print syscall(316, -100, $a, -100, $b, 2) == 0 ? "done" : $!'`;
      expect(await sh(dir, exchange)).toBe(has("rename flags") ? "Invalid argument" : "done");
      expect(await sh(dir, "cat a b")).toBe(has("rename flags") ? "a\nb\n" : "b\na\n");
    });

    test("extended attributes", async () => {
      const set = `perl -e 'my ($f, $n, $v) = ("f", "user.a", "v"); print syscall(188, $f, $n, $v, 1, 0) == 0 ? "done" : $!'`;
      expect(await sh(dir, `: > f; ${set}`)).toBe(has("extended attributes") ? "Operation not supported" : "done");
    });

    test("names of any bytes", async () => {
      const listed = await sh(dir, `: > "$(printf 'x\\377')"; ls | od -An -tx1 | tr -d ' \\n'`);
      expect(listed).toBe(has("names of any bytes") ? "78efbfbd0a" : "78ff0a");
    });

    test("owners", async () => {
      const made = await sh(
        dir,
        "chmod 777 .; setpriv --reuid=65534 --regid=65534 --clear-groups sh -c ': > f'; stat -c %u:%g f",
      );
      expect(made).toBe(has("owners") ? "0:0\n" : "65534:65534\n");
      expect(await sh(dir, "chown 7:8 f; stat -c %u:%g f")).toBe("7:8\n");
      const refused = "chmod 600 f; setpriv --reuid=65534 --regid=65534 --clear-groups cat f 2>&1 || echo refused";
      expect(await sh(dir, refused)).toMatch(/Permission denied\nrefused/);
    });

    test("files of removed directories", async () => {
      const seen = await js(
        dir,
        `fs.mkdirSync("d");
         const fd = fs.openSync("d/f", "wx+");
         fs.rmSync("d", { recursive: true });
         try { return fs.writeSync(fd, "x"); } catch (error) { return error.code; }`,
      );
      expect(seen).toBe(has("files of removed directories") ? "ENOENT" : 1);
      expect((await carried()).there).toEqual([]);
    });

    test("single times", async () => {
      await sh(dir, "touch -d 2001-01-01 f; touch -m -d 2002-02-02 f");
      expect(await sh(dir, "stat -c %Y f")).toBe(has("single times") ? "978307200\n" : "1012608000\n");
    });
  });

  test("once closed, nothing is mounted and nothing hangs", async () => {
    const other = await driver.mount({ root: ROOT, mountPoint: join(scratch, "other"), name: "computer-test" });
    await sh(other.mountPoint, "echo x > f");
    await other.close();
    await other.close();
    expect(await readdir(other.mountPoint)).toEqual([]);
    expect(await readFile("/proc/self/mounts", "utf8")).not.toContain(other.mountPoint);
  });
}

type Unrevised = ChangeEntry extends infer Entry ? (Entry extends ChangeEntry ? Omit<Entry, "rev"> : never) : never;

/** A file of two chunks that its entry only names. */
function remote(path: string): { bytes: Buffer; chunks: (Chunk & { hash: Buffer })[]; entry: Unrevised } {
  const bytes = randomBytes(300_000);
  const pieces = [bytes.subarray(0, 262_144), bytes.subarray(262_144)];
  const chunks = pieces.map((piece) => ({ hash: sha256(piece), bytes: new Uint8Array(piece) }));
  const named = chunks.map(({ hash, bytes: { length } }) => ({ hash, size: length }));
  return { bytes, chunks, entry: { kind: "file", path, mode: 0o644, mtime: 1000, size: bytes.length, chunks: named } };
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

async function next(shell: { line(): Promise<string> }, lines: number): Promise<string[]> {
  const said: string[] = [];
  while (said.length < lines) said.push(await shell.line());
  return said;
}
