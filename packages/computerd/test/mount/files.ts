/** Files of a mount: their contents, names that are gone, modes and times. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { js, sh, start } from "../mounted.ts";
import type { MountUnderTest } from "./mount-under-test.ts";
import { writeMapped } from "./system-calls.ts";

export function describeFiles(on: MountUnderTest): void {
  describe("files", () => {
    test("U-01 a file that is open lives on without its name, and leaves nothing behind", async () => {
      const seen = await js(
        on.dir,
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
      expect((await on.carried()).there).toEqual([]);
      expect(await sh(on.dir, "ls -A")).toBe("");
    });

    test("U-01 a file that another replaces keeps its contents for who has it open", async () => {
      const seen = await js(
        on.dir,
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
        on.dir,
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
        on.dir,
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
      await Promise.all([sh(on.dir, writer("a")), sh(on.dir, writer("b"))]);
      const lines = (await readFile(join(on.dir, "log"), "utf8")).trim().split("\n").sort();
      const want = ["a", "b"].flatMap((mark) => Array.from({ length: 200 }, (_, n) => `${mark}${n + 1}`)).sort();
      expect(lines).toEqual(want);
    });

    test("modes, the umask and times are kept", async () => {
      await sh(on.dir, "umask 027; echo > f; mkdir d; chmod 4711 f; touch -d '2001-02-03 04:05:06.789 UTC' f d");
      expect(await sh(on.dir, "stat -c '%n %a %Y' f d")).toBe("f 4711 981173106\nd 750 981173106\n");
      expect(await sh(on.dir, "TZ=UTC stat -c %y f")).toMatch(/^2001-02-03 04:05:06\.789000000/);
    });

    test("a file that is empty and emptied again has changed", async () => {
      expect(await sh(on.dir, "touch -d 2001-01-01 f; : > f; find f -newermt 2002-01-01")).toBe("f\n");
    });

    test("a file that never had a name leaves the time of its directory", async () => {
      const nameless = `perl -MFcntl=:DEFAULT -e 'sysopen F, ".", O_RDWR | O_DIRECTORY | 020000000, 0600'`;
      expect(await sh(on.dir, `touch -d 2001-01-01 .; ${nameless}; stat -c %Y .`)).toBe("978307200\n");
    });

    test("a new owner does not get the right to act as the old one, of whatever kind it is", async () => {
      const modes = ": > f; mkfifo p; chmod 6755 f p; chown 7:8 f p; stat -c %a f p";
      expect(await sh(on.dir, modes)).toBe("755\n755\n");
    });

    test("an access time that differs from the modification time stays apart from it", async () => {
      const seen = await js(
        on.dir,
        `fs.writeFileSync("f", ""); fs.utimesSync("f", 1000.5, 2000.25);
         const { atimeMs, mtimeMs } = fs.statSync("f"); return [atimeMs, mtimeMs];`,
      );
      expect(seen).toEqual([1_000_500, 2_000_250]);
    });

    test("a fifo passes what is written to it", async () => {
      expect(await sh(on.dir, "mkfifo p; echo through > p & cat p; stat -c %F p; ls")).toBe("through\nfifo\np\n");
    });

    test("a file of more than 4 GiB has its bytes where they were written", async () => {
      const seen = await js(
        on.dir,
        `fs.writeFileSync("f", "start");
         fs.truncateSync("f", 5 * 2 ** 30);
         const fd = fs.openSync("f", "r+");
         fs.writeSync(fd, "far out", 4.5 * 2 ** 30 + 1);
         const text = Buffer.alloc(12);
         const length = fs.readSync(fd, text, 0, 12, 4.5 * 2 ** 30 - 1);
         const near = Buffer.alloc(6); fs.readSync(fd, near, 0, 6, 0);
         return [length, text.toString("latin1"), near.toString("latin1"), fs.statSync("f").size, fs.statSync("f").blocks];`,
      );
      // A driver without holes tells them as if they were written.
      const blocks = on.lacks("holes") ? (5 * 2 ** 30) / 512 : 8;
      expect(seen).toEqual([12, "\0\0far out\0\0\0", "start\0", 5 * 2 ** 30, blocks]);
    });

    test("U-05 what is written through a shared mapping is what reads find", async () => {
      await sh(on.dir, "head -c 5000 /dev/zero | tr '\\0' . > f");
      expect(await sh(on.dir, `cat f > /dev/null; printf mapped | ${writeMapped("f")}`)).toBe("0");
      expect(await sh(on.dir, "tail -c +99 f | head -c 10; stat -c ' %s' f")).toBe("..mapped.. 5000\n");
    });

    test("a socket takes connections, and devices and fifos are what they were made as", async () => {
      const socket = `perl -MIO::Socket::UNIX -e '
        my $s = IO::Socket::UNIX->new(Local => "s", Listen => 1) or die $!;
        if (fork) { my $c = $s->accept; print $c "through\\n"; close $c; wait }
        else { my $c = IO::Socket::UNIX->new(Peer => "s") or die $!; print scalar <$c> }'`;
      expect(await sh(on.dir, `${socket}; stat -c %F s`)).toBe("through\nsocket\n");
      expect(await sh(on.dir, "mknod c c 1 3; mknod b b 7 4; stat -c '%F %t:%T' c b")).toBe(
        "character special file 1:3\nblock special file 7:4\n",
      );
    });

    test("a lock that one process holds is refused to another, until it ends", async () => {
      await sh(on.dir, ": > f");
      await using holder = start(on.dir, "flock f -c 'echo held; read -r line; echo over'");
      expect(await holder.line()).toBe("held");
      expect(await sh(on.dir, "flock -n f true || echo refused")).toBe("refused\n");
      holder.say("");
      expect(await holder.line()).toBe("over");
      expect(await sh(on.dir, "flock f echo granted")).toBe("granted\n");
    });
  });
}
