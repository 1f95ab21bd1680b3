import { expect, test } from "vitest";
import jq from "../src/shell/jq.ts";
import { type ShellUnderTest, withShell } from "./shell-workspace.ts";

function on(title: string, body: (under: ShellUnderTest) => Promise<void>): void {
  test(title, { timeout: 120_000 }, () => withShell(body, { commands: [jq] }));
}

on("S-01 grep -e -e", async ({ sh }) => {
  expect(await sh("printf 'aaa Q1\\nbbb\\nccc Q4\\n' | grep -e Q1 -e Q4")).toMatchObject({
    stdout: "aaa Q1\nccc Q4\n",
    code: 0,
  });
});

on("S-02 grep's files of patterns, its longer options and its exit codes", async ({ sh, workspace }) => {
  await workspace.fs.mkdir("/workspace/w");
  await workspace.fs.writeFile("/workspace/w/a.ts", "hello\n");
  await workspace.fs.writeFile("/workspace/w/a.js", "hello\n");
  await workspace.fs.writeFile("/workspace/pats", "hel\n");
  expect(await sh("grep -f pats w/a.ts")).toMatchObject({ stdout: "hello\n", code: 0 });
  const found = await sh("grep -rn --binary-files=without-match --include '*.ts' -- hello w");
  expect(found).toMatchObject({ stdout: "w/a.ts:1:hello\n", code: 0 });
  expect(await sh("grep --frobnicate x pats")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--frobnicate"),
  });
  expect(await sh("grep nothing pats")).toMatchObject({ code: 1, stdout: "", stderr: "" });
  expect(await sh("grep '[' pats")).toMatchObject({ code: 2, stderr: expect.stringMatching(/./) });
});

on("S-03 text that is not ASCII goes through pipes, files and substitutions as it is", async ({ sh, workspace }) => {
  await workspace.fs.writeFile("/workspace/a", "東京—é");
  await workspace.fs.writeFile("/workspace/a.json", '{"a":"東京—é"}');
  await sh("cat a > b");
  expect(await workspace.fs.readFile("/workspace/b", "utf8")).toBe("東京—é");
  expect(await sh("cat a.json | jq -r .a")).toMatchObject({ stdout: "東京—é\n" });
  expect(await sh('echo "你好: $(cat a)"')).toMatchObject({ stdout: "你好: 東京—é\n" });
});

on("S-04 bytes stay bytes", async ({ sh, workspace }) => {
  expect(await sh("printf '\\xff\\x00\\x80\\xfe' > raw; wc -c < raw")).toMatchObject({ stdout: "4\n" });
  using handle = await workspace.runtime.exec("head -c 4 raw");
  expect([...(await handle.result()).stdout]).toEqual([0xff, 0, 0x80, 0xfe]);
  expect(await sh("cat raw raw | wc -c")).toMatchObject({ stdout: "8\n" });
  await sh("{ cat raw; printf é; } | cat > copy; cat copy >&2 2> err");
  const copy = new Uint8Array(await new Response(await workspace.fs.readFile("/workspace/copy")).arrayBuffer());
  expect([...copy]).toEqual([0xff, 0, 0x80, 0xfe, 0xc3, 0xa9]);
});

on("S-06 defaults under set -u", async ({ sh }) => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a script
  const script = 'set -euo pipefail; if [ -n "${N:-}" ]; then X="$N"; else echo not; fi; echo end';
  expect(await sh(script)).toMatchObject({ stdout: "not\nend\n", code: 0, stderr: "" });
});

on("S-07 a trap in a substitution is its own", async ({ sh }) => {
  expect(await sh('r=$(trap "echo bye" EXIT; echo hi); echo "<$r>"')).toMatchObject({ stdout: "<hi\nbye>\n", code: 0 });
});

on("S-09 a quoted here-document, and the run after it", async ({ sh }) => {
  const result = await sh("cat > h <<'EOF'\n$x `y` \\n\nEOF\nls\ncat h");
  expect(result).toMatchObject({ stdout: "h\n$x `y` \\n\n", code: 0 });
  expect(await sh("cat h")).toMatchObject({ stdout: "$x `y` \\n\n" });
});

on("S-10 exit codes, and each time the next run", async ({ sh, workspace }) => {
  await workspace.fs.writeFile("/workspace/plain", "echo x\n");
  const ends: [string, number][] = [
    ["echo a; exit 3", 3],
    ["exec echo x", 0],
    ["kill -9 $$", 137],
    ["no-such-command", 127],
    ["./plain", 126],
  ];
  for (const [script, code] of ends) {
    expect(await sh(script)).toMatchObject({ code });
    expect(await sh("echo ok")).toMatchObject({ stdout: "ok\n", code: 0 });
  }
});

on("S-12 scripts that run away end with a limit", async ({ sh, workspace }) => {
  await workspace.fs.writeFile("/workspace/self", ". ./self\n");
  const nested = `echo ${"$(echo ".repeat(200)}x${")".repeat(200)}`;
  const scripts = ["while :; do :; done", `echo ${"{a,b}".repeat(40)}`, nested, "yes", ". ./self"];
  for (const script of scripts) {
    const { code, stderr } = await sh(script, { timeoutMs: 60_000 });
    expect([script.slice(0, 20), code !== 0, stderr !== ""]).toEqual([script.slice(0, 20), true, true]);
    expect(await sh("echo ok")).toMatchObject({ stdout: "ok\n" });
  }
});

on("S-14 a move is all or nothing", async ({ sh, workspace }) => {
  await workspace.fs.mkdir("/workspace/big");
  for (let file = 0; file < 1000; file++) await workspace.fs.writeFile(`/workspace/big/f${file}`, `${file}\n`);
  expect(await sh("mv big moved; ls moved | wc -l; ls -d big")).toMatchObject({ stdout: "1000\n", code: 2 });
  await workspace.fs.mkdir("/read-only/kept", { recursive: true });
  workspace.fs.store.setReadOnlyRoots(["/read-only"]);
  const refused = await sh("mv moved /read-only/");
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/./) });
  expect(await sh("ls moved | wc -l; ls /read-only")).toMatchObject({ stdout: "1000\nkept\n" });
});

on("S-15 substituted processes", async ({ sh, workspace }) => {
  await workspace.fs.writeFile("/workspace/a", "b\na\n");
  await workspace.fs.writeFile("/workspace/b", "a\nc\n");
  expect(await sh("cat <(echo hi)")).toMatchObject({ stdout: "hi\n" });
  expect(await sh("diff <(sort a) <(sort b)")).toMatchObject({ stdout: "2c2\n< b\n---\n> c\n", code: 1 });
  expect(await sh("diff <(sort a) <(sort a)")).toMatchObject({ stdout: "", code: 0 });
});

on("S-16 rg answers or refuses", async ({ sh, workspace }) => {
  await workspace.fs.mkdir("/workspace/src");
  await workspace.fs.writeFile("/workspace/src/a.txt", "x\ny\n");
  expect(await sh("rg --files")).toMatchObject({ stdout: "src/a.txt\n", code: 0 });
  expect(await sh("rg -n x src")).toMatchObject({ stdout: "src/a.txt:1:x\n", code: 0 });
  expect(await sh("rg --json x src | jq -r 'select(.type == \"match\") | .data.line_number'")).toMatchObject({
    stdout: "1\n",
  });
  expect(await sh("rg nothing")).toMatchObject({ code: 1, stdout: "" });
  for (const script of ["rg --frobnicate x", "rg x nowhere", "rg -P '(?<=a)x'", "rg -P '(x)\\1'"]) {
    const { code, stdout, stderr } = await sh(script);
    expect([script, code === 2 ? stderr !== "" : code === 1 && stdout === ""]).toEqual([script, true]);
  }
  expect(await sh("rg x nowhere")).toMatchObject({ code: 2, stderr: expect.stringMatching(/./) });
  expect(await sh("rg --frobnicate x")).toMatchObject({ code: 2, stderr: expect.stringMatching(/./) });
});

on("output comes in the order in which it is said, while the script runs", async ({ workspace }) => {
  using handle = await workspace.runtime.exec(
    "echo one; echo two >&2; sleep 0.2; { echo three; echo four >&2; } 2>&1; echo five",
    {
      encoding: "utf8",
    },
  );
  const said: string[] = [];
  for await (const event of handle) if (event.name !== "exit") said.push(`${event.name} ${event.value}`);
  expect(said).toEqual(["stdout one\n", "stderr two\n", "stdout three\nfour\nfive\n"]);
});

on("a kill bites inside a loop without a wait, and nothing is written afterwards", async ({ workspace, sh }) => {
  using handle = await workspace.runtime.exec("echo ready; while :; do echo x >> log; done", {
    encoding: "utf8",
    id: "loop",
  });
  const result = handle.result();
  while (!(await workspace.fs.exists("/workspace/log"))) await scheduler.wait(5);
  await workspace.runtime.killExec("loop");
  expect(await result).toMatchObject({ status: "cancelled", exitCode: 143 });
  const size = (await workspace.fs.stat("/workspace/log")).size;
  await sh("sleep 0.1");
  expect((await workspace.fs.stat("/workspace/log")).size).toBe(size);
});

on("a kill bites inside of one command that is long at work", async ({ workspace, sh }) => {
  await workspace.fs.writeFile("/workspace/long", "a line\n".repeat(600_000));
  for (const command of ["sed -n s/x/y/p", "awk '/x/'", "grep x"]) {
    using handle = await workspace.runtime.exec(`echo ready; cat long | ${command}; ${command} long; echo done`, {
      encoding: "utf8",
    });
    for await (const event of await workspace.runtime.getExec(handle.id)) if (event.name === "stdout") break;
    // Another run in the same isolate has its turns meanwhile.
    expect(await sh("echo beside")).toMatchObject({ stdout: "beside\n" });
    await handle.kill();
    expect(await handle.result()).toMatchObject({ status: "cancelled", exitCode: 143, stdout: "ready\n" });
  }
});

on("what others write is seen by a script that waits for it", async ({ workspace }) => {
  using handle = await workspace.runtime.exec("until [ -f flag ]; do sleep 0.02; done; cat flag", { encoding: "utf8" });
  await scheduler.wait(100);
  await workspace.fs.writeFile("/workspace/flag", "up\n");
  expect(await handle.result()).toMatchObject({ stdout: "up\n", exitCode: 0 });
});
