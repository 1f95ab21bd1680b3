/** What sync changes, as programs in a mount see it, and what it takes from there. */

import { describe, expect, test } from "vitest";
import { sh, start } from "../mounted.ts";
import type { MountUnderTest } from "./mount-under-test.ts";

export function describeOutsideChanges(on: MountUnderTest): void {
  describe("changes from outside", () => {
    test("U-09 are seen at once by who has looked before, in a shell that runs on", async () => {
      await sh(on.dir, "echo old > f; touch -d 2001-01-01 .");
      await using shell = start(on.dir, 'while read -r line; do eval "$line"; done');
      shell.say("cat f; stat -c %s f; ls; stat -c %Y .; cat g 2>/dev/null || echo no g");
      expect(await next(shell, 5)).toEqual(["old", "4", "f", "978307200", "no g"]);
      const data = new TextEncoder().encode("a longer text\n");
      const file = { kind: "file" as const, mode: 0o644, mtime: 1_000_000, chunks: [] };
      await on.apply(
        { kind: "dir", path: on.path, mode: 0o755, mtime: 1_700_000_000_000 },
        { ...file, path: `${on.path}/f`, size: data.length, data },
        { ...file, path: `${on.path}/g`, size: 3, data: new TextEncoder().encode("gg\n") },
      );
      shell.say("cat f; stat -c %s f; ls; stat -c %Y .; cat g");
      expect(await next(shell, 6)).toEqual(["a longer text", "14", "f", "g", "1700000000", "gg"]);
      // Of the same size, so that only the contents tell.
      await on.apply({ ...file, path: `${on.path}/f`, size: 14, data: new TextEncoder().encode("another text!\n") });
      shell.say("cat f; echo done");
      expect(await next(shell, 2)).toEqual(["another text!", "done"]);
      await on.apply(
        { kind: "delete", path: `${on.path}/f` },
        { kind: "dir", path: `${on.path}/f`, mode: 0o755, mtime: 1 },
      );
      shell.say("ls -F");
      expect(await next(shell, 2)).toEqual(["f/", "g"]);
    });

    test("U-09 reach a reader that follows the file", async () => {
      await sh(on.dir, "echo one > f");
      await using tail = start(on.dir, "tail -f -s 0.05 f");
      expect(await tail.line()).toBe("one");
      const data = new TextEncoder().encode("one\ntwo\n");
      await on.apply({ kind: "file", path: `${on.path}/f`, mode: 0o644, mtime: Date.now(), size: 8, chunks: [], data });
      expect(await tail.line()).toBe("two");
    });

    test("come back from the mount as changes to carry", async () => {
      await sh(on.dir, "mkdir d; echo x > d/f; ln -s f d/l; ln d/f d/h; mkfifo d/p; mv d e");
      const { there, gone } = await on.carried();
      expect(there).toEqual(["e", "e/f", "e/h", "e/l"]);
      expect(gone).not.toContain("e");
      const entry = await on.mount.store.entry(`${on.path}/e/f`);
      expect(entry).toMatchObject({ kind: "file", size: 2, mode: 0o644, data: new Uint8Array([120, 10]) });
    });
  });
}

async function next(shell: { line(): Promise<string> }, lines: number): Promise<string[]> {
  const said: string[] = [];
  while (said.length < lines) said.push(await shell.line());
  return said;
}
