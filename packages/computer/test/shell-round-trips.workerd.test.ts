import { expect, onTestFinished, test, vi } from "vitest";
import { ShellFiles } from "../src/backends/worker-shell/shell-files.ts";
import { type ShellUnderTest, withShell } from "./shell-workspace.ts";

const CALLS = [
  "look",
  "tree",
  "search",
  "read",
  "write",
  "append",
  "mkdir",
  "rm",
  "rename",
  "chmod",
  "utimes",
  "symlink",
  "link",
] as const;

/** How many calls for files a script makes. */
async function calls({ sh }: ShellUnderTest, script: string): Promise<{ calls: number; stdout: string }> {
  const spies = CALLS.map((name) => vi.spyOn(ShellFiles.prototype, name));
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const { stdout, stderr } = await sh(script);
  expect(stderr).toBe("");
  const count = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  vi.restoreAllMocks();
  return { calls: count, stdout };
}

test("a search of 2,000 files is a few calls", { timeout: 120_000 }, () =>
  withShell(async (under) => {
    const { workspace } = under;
    for (let folder = 0; folder < 20; folder++) {
      await workspace.fs.mkdir(`/workspace/d${folder}`);
      for (let file = 0; file < 100; file++) {
        const text = file === 50 ? "one\nneedle x\n" : `nothing here ${folder}.${file}\n`.repeat(20);
        await workspace.fs.writeFile(`/workspace/d${folder}/f${file}.txt`, text);
      }
    }
    const grep = await calls(under, "grep -rn needle /workspace | wc -l");
    expect(grep).toEqual({ calls: 1, stdout: "20\n" });
    const every = await calls(under, "grep -rn x /workspace | wc -l");
    expect(every).toEqual({ calls: 1, stdout: "20\n" });
    expect(await calls(under, "grep -rc h.re . | wc -l")).toEqual({ calls: 1, stdout: "2000\n" });
    expect(await calls(under, "find . -name 'f50*' | wc -l")).toEqual({ calls: 1, stdout: "20\n" });
    expect(await calls(under, "ls -R | wc -l")).toEqual({ calls: 2, stdout: "2061\n" });
    expect(await calls(under, "cat d1/*.txt | wc -l")).toEqual({ calls: 2, stdout: "1982\n" });
  }),
);

test(
  "a search goes through large files too, and through what is more than one answer tells",
  { timeout: 120_000 },
  () =>
    withShell(async (under) => {
      const { workspace } = under;
      await workspace.fs.mkdir("/workspace/a/b", { recursive: true });
      const text = "0123456789abcde\n".repeat(70_000);
      await workspace.fs.writeFile("/workspace/a/plain", text);
      // Across the border between two pieces.
      await workspace.fs.writeFile("/workspace/a/b/large", `${text.slice(0, 1024 * 1024 - 3)}needle${text}`);
      expect(await calls(under, "grep -rl needle .")).toMatchObject({ stdout: "./a/b/large\n" });
      const filled = `needle ${"x".repeat(200_000)}\n`;
      for (let file = 0; file < 70; file++) await workspace.fs.writeFile(`/workspace/a/b/f${file}`, filled);
      expect(await calls(under, "grep -rl needle . | sort -V | sed -n '1p;$p'; grep -rl needle a | wc -l")).toEqual({
        calls: 6,
        stdout: "./a/b/f0\n./a/b/large\n71\n",
      });
    }),
);

test("small things are few calls", () =>
  withShell(async (under) => {
    const { workspace } = under;
    await workspace.fs.writeFile("/workspace/a", "x\n");
    expect(await calls(under, "ls")).toEqual({ calls: 1, stdout: "a\n" });
    expect(await calls(under, "true")).toEqual({ calls: 0, stdout: "" });
    expect(await calls(under, "cat a | sed s/x/y/ > b")).toEqual({ calls: 3, stdout: "" });
    expect(await calls(under, "for i in 1 2 3 4 5; do cat a; done | wc -l")).toEqual({ calls: 1, stdout: "5\n" });
    expect(await calls(under, "mkdir -p p/q; mv a p/q/a; ls p/q")).toEqual({ calls: 4, stdout: "a\n" });
  }));

test("what is remembered is not what others have changed", () =>
  withShell(async (under) => {
    const { workspace, sh } = under;
    await workspace.fs.writeFile("/workspace/a", "old");
    const spy = vi.spyOn(ShellFiles.prototype, "write");
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    spy.mockImplementation(async function (this: ShellFiles, path, content) {
      spy.mockRestore();
      await workspace.fs.writeFile("/workspace/a", "new");
      return this.write(path, content);
    });
    expect(await sh("cat a; echo; echo x > b; cat a")).toMatchObject({ stdout: "old\nnew" });
  }));
