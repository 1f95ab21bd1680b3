/** What not every driver does. */

import { describe, expect, test } from "vitest";
import { js, sh } from "../mounted.ts";
import type { MountUnderTest } from "./mount-under-test.ts";
import { CALLS, renameWith } from "./system-calls.ts";

export function describeLimits(on: MountUnderTest): void {
  describe("limits of the driver", () => {
    test("nanoseconds", async () => {
      await sh(on.dir, "touch -d '2001-02-03 04:05:06.123456789 UTC' f");
      expect(await sh(on.dir, "stat -c %.9Y f")).toBe(
        on.lacks("nanoseconds") ? "981173106.123000000\n" : "981173106.123456789\n",
      );
    });

    test("rename flags", async () => {
      await sh(on.dir, "echo a > a; echo b > b");
      expect(await sh(on.dir, renameWith(2))).toBe(on.lacks("rename flags") ? "Invalid argument" : "done");
      expect(await sh(on.dir, "cat a b")).toBe(on.lacks("rename flags") ? "a\nb\n" : "b\na\n");
      expect(await sh(on.dir, renameWith(1))).toBe("File exists");
      expect(await sh(on.dir, `rm b; ${renameWith(1)}; ls`)).toBe(
        on.lacks("rename flags") ? "Invalid argumenta\n" : "doneb\n",
      );
    });

    test("extended attributes", async () => {
      const set = `perl -e 'my ($f, $n, $v) = ("f", "user.a", "v"); print syscall(${CALLS.setxattr}, $f, $n, $v, 1, 0) == 0 ? "done" : $!'`;
      expect(await sh(on.dir, `: > f; ${set}`)).toBe(
        on.lacks("extended attributes") ? "Operation not supported" : "done",
      );
    });

    test("names of any bytes", async () => {
      const listed = await sh(on.dir, `: > "$(printf 'x\\377')"; ls | od -An -tx1 | tr -d ' \\n'`);
      expect(listed).toBe(on.lacks("names of any bytes") ? "78efbfbd0a" : "78ff0a");
    });

    test("owners", async () => {
      const made = await sh(
        on.dir,
        "chmod 777 .; setpriv --reuid=65534 --regid=65534 --clear-groups sh -c ': > f'; stat -c %u:%g f",
      );
      expect(made).toBe(on.lacks("owners") ? "0:0\n" : "65534:65534\n");
      expect(await sh(on.dir, "chown 7:8 f; stat -c %u:%g f")).toBe("7:8\n");
      const refused = "chmod 600 f; setpriv --reuid=65534 --regid=65534 --clear-groups cat f 2>&1 || echo refused";
      expect(await sh(on.dir, refused)).toMatch(/Permission denied\nrefused/);
    });

    test("files of removed directories", async () => {
      const seen = await js(
        on.dir,
        `fs.mkdirSync("d");
         const fd = fs.openSync("d/f", "wx+");
         fs.rmSync("d", { recursive: true });
         try { return fs.writeSync(fd, "x"); } catch (error) { return error.code; }`,
      );
      expect(seen).toBe(on.lacks("files of removed directories") ? "ENOENT" : 1);
      expect((await on.carried()).there).toEqual([]);
    });

    test("holes", async () => {
      const kib = "stat -c '%s %b' f | awk '{ print $1 / 1024, $2 / 2 }'";
      const reserve = await sh(on.dir, `fallocate -l 1M f 2>/dev/null && ${kib} || echo no`);
      expect(reserve).toBe(on.lacks("holes") ? "no\n" : "1024 0\n");
      const seek = (whence: number, from: number): string =>
        `perl -e 'open F, "<", "f"; print sysseek(F, ${from}, ${whence}) + 0, "\\n"'`;
      const found = await sh(
        on.dir,
        `rm -f f; head -c 1048576 /dev/zero | tr '\\0' x > f; fallocate -p -o 262144 -l 524288 f 2>/dev/null || :; ${kib}
        ${seek(4, 0)}; ${seek(3, 300_000)}; ${seek(3, 0)}; tr -d '\\0' < f | wc -c`,
      );
      expect(found).toBe(
        on.lacks("holes") ? "1024 1024\n1048576\n300000\n0\n1048576\n" : "1024 512\n262144\n786432\n0\n524288\n",
      );
    });

    test("single times", async () => {
      await sh(on.dir, "touch -d 2001-01-01 f; touch -m -d 2002-02-02 f");
      expect(await sh(on.dir, "stat -c %Y f")).toBe(on.lacks("single times") ? "978307200\n" : "1012608000\n");
    });
  });
}
