/** Directories of a mount: names, links, moves and listings. */

import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { js, sh, start } from "../mounted.ts";
import type { MountUnderTest } from "./mount-under-test.ts";

export function describeDirectories(on: MountUnderTest): void {
  describe("directories", () => {
    test("errors are those of Linux", async () => {
      const seen = await js(
        on.dir,
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
      await js(on.dir, `for (const name of ${JSON.stringify(names)}) fs.writeFileSync("./" + name, name);`);
      expect((await readdir(on.dir)).sort()).toEqual(names);
    });

    test("links to directories are counted", async () => {
      expect(
        await sh(on.dir, "mkdir -p d/a d/b; touch d/f; stat -c %h d; rmdir d/a; stat -c %h d; mv d/b .; stat -c %h d"),
      ).toBe("4\n3\n2\n");
    });

    test("a moved directory takes its tree with it", async () => {
      expect(
        await sh(
          on.dir,
          "mkdir -p a/b/c other; echo x > a/b/c/f; mv a/b other/moved; find . -type f; cat other/moved/c/f",
        ),
      ).toBe("./other/moved/c/f\nx\n");
    });

    test("U-06 links into other trees are links, and removing them leaves the others", async () => {
      const outside = join(on.scratch, "store");
      await mkdir(outside, { recursive: true });
      await writeFile(join(outside, "kept"), "kept");
      await sh(
        on.dir,
        `mkdir -p node_modules/.pnpm/x@1/node_modules/x; echo > node_modules/.pnpm/x@1/node_modules/x/index.js
        ln -s .pnpm/x@1/node_modules/x node_modules/x; ln -s ${outside} node_modules/outside`,
      );
      const listed = await sh(
        on.dir,
        "ls -l node_modules | tail -n +2 | cut -c1; readlink node_modules/x; ls node_modules/x/",
      );
      expect(listed).toBe("l\nl\n.pnpm/x@1/node_modules/x\nindex.js\n");
      await sh(on.dir, "rm -rf node_modules");
      expect(await readdir(outside)).toEqual(["kept"]);
      expect(await readdir(on.dir)).toEqual([]);
    });

    test("U-08 a listing of 5,000 names skips and doubles none while others come and go, and all can be removed", async () => {
      await js(
        on.dir,
        `fs.mkdirSync("d"); for (let n = 0; n < 5000; n++) fs.writeFileSync("d/keep" + String(n).padStart(4, "0"), "");`,
      );
      const churn = start(on.dir, "echo on; n=0; while :; do : > d/come$n; rm d/come$n; n=$(( (n + 1) % 50 )); done");
      await churn.line();
      for (let round = 0; round < 5; round++) {
        const names = (await sh(on.dir, "ls -U d")).split("\n").filter((name) => name.startsWith("keep"));
        expect(names.length).toBe(5000);
        expect(new Set(names).size).toBe(5000);
      }
      await churn[Symbol.asyncDispose]();
      await sh(on.dir, "rm -rf d");
      expect(await readdir(on.dir)).toEqual([]);
    });
  });
}
