/** Programs that work in a mount: git, databases, package managers. */

import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { js, sh } from "../mounted.ts";
import { type MountUnderTest, ROOT } from "./mount-under-test.ts";

export function describePrograms(on: MountUnderTest): void {
  describe("programs", () => {
    test("U-04 git makes commits, packs them and finds nothing wrong", async () => {
      const git = "git -c user.name=T -c user.email=t@example.org";
      await sh(
        on.dir,
        `mkdir repo; cd repo; git init -q; for n in 1 2 3; do
        echo $n > file$n; head -c ${300_000} /dev/urandom > big$n; ${git} add .; ${git} commit -qm "number $n"; done
        git gc -q; git repack -qad`,
      );
      expect(
        await sh(on.dir, "cd repo; git fsck --full --strict 2>&1; git status --porcelain; wc -l < .git/logs/HEAD"),
      ).toBe("3\n");
      expect(await sh(on.dir, "cd repo; git log --format=%s; git count-objects -v | grep -E '^(count|in-pack):'")).toBe(
        "number 3\nnumber 2\nnumber 1\ncount: 0\nin-pack: 12\n",
      );
      await sh(
        on.dir,
        `git clone -q repo copy; cd copy; ${git} checkout -q -b side HEAD~1; ${git} merge -q ${"$"}(git -C ../repo rev-parse HEAD)`,
      );
      expect(await sh(on.dir, "cd copy; git diff --stat HEAD; cmp big3 ../repo/big3; git fsck --full 2>&1")).toBe("");
    });

    test("U-04 copying a large file over a small one and back leaves the right sizes", async () => {
      await sh(
        on.dir,
        "head -c 700000 /dev/zero > big; echo small > small; cp big a; cp small a; cp small b; cp big b",
      );
      expect(await sh(on.dir, "stat -c %s a b; cat a; cmp b big")).toBe("6\n700000\nsmall\n");
    });

    test("U-04 sizes are right at another mount that sync has filled", async () => {
      await sh(
        on.dir,
        "head -c 700000 /dev/urandom > big; echo small > small; cp big a; cp small a; cp small b; cp big b",
      );
      const { store } = on.mount;
      const { entries } = await store.changes({ rev: 0, path: null }, { entries: 100, root: on.path });
      const other = await on.driver.mount({ root: ROOT, mountPoint: join(on.scratch, "again"), name: "computer-test" });
      for (const { hash } of entries.flatMap((entry) => (entry.kind === "file" ? entry.chunks : []))) {
        await other.store.putChunks(await store.getChunks([hash]));
      }
      expect(await other.store.apply(entries, { peer: "host" })).toMatchObject({ refused: [] });
      const name = basename(on.path);
      expect(await sh(other.mountPoint, `cd ${name}; stat -c %s a b; cat a; cmp b big; cmp b ${on.dir}/b`)).toBe(
        "6\n700000\nsmall\n",
      );
      await other.close();
    });

    test("U-05 two processes share a database in WAL mode, whose index is a shared mapping", async () => {
      const open = `const { DatabaseSync } = await import("node:sqlite");
        const db = new DatabaseSync("db"); db.exec("PRAGMA busy_timeout = 30000");`;
      const mode = await js<string>(
        on.dir,
        `${open} db.exec("CREATE TABLE t (who TEXT, n INTEGER)");
         return db.prepare("PRAGMA journal_mode = WAL").get().journal_mode;`,
      );
      expect(mode).toBe("wal");
      const insert = (who: string): string =>
        `${open} const add = db.prepare("INSERT INTO t VALUES (?, ?)"); for (let n = 0; n < 500; n++) add.run("${who}", n);`;
      await Promise.all([js(on.dir, insert("a")), js(on.dir, insert("b"))]);
      const seen = await js(
        on.dir,
        `${open} return [db.prepare("PRAGMA integrity_check").get().integrity_check,
          db.prepare("SELECT count(*) AS c, count(DISTINCT who || n) AS d FROM t").get()];`,
      );
      expect(seen).toEqual(["ok", { c: 1000, d: 1000 }]);
    });

    test("U-11 hard links are made, and free space is not zero", async () => {
      expect(await sh(on.dir, "echo x > a; ln a b; stat -c %h b")).toBe("2\n");
      const [size, free] = (await sh(on.dir, "df --output=size,avail . | tail -1")).trim().split(/\s+/).map(Number);
      expect(free).toBeGreaterThan(1_000_000);
      expect(size).toBeGreaterThanOrEqual(free ?? 0);
      expect(await sh(on.dir, "stat -f -c '%l %a' .")).toMatch(/^255 [1-9]\d+\n$/);
    });

    test("U-11 npm installs a package from beside", async () => {
      await sh(
        on.dir,
        `mkdir app dep; echo '{"name":"dep","version":"1.0.0","bin":"cli.js"}' > dep/package.json
        printf '#!/usr/bin/env node\\nconsole.log("from dep")\\n' > dep/cli.js
        echo '{"name":"app","dependencies":{"dep":"file:../dep"}}' > app/package.json
        cd app; npm install --offline --no-audit --no-fund --cache ../cache >/dev/null`,
      );
      expect(await sh(on.dir, "cd app; ./node_modules/.bin/dep; readlink node_modules/dep")).toBe(
        "from dep\n../../dep\n",
      );
    });
  });
}
