import { env, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { describeComputer, shellSources } from "../src/testing/suite/index.ts";
import { WORKSPACE } from "../src/workspace/workspace-host.ts";

describeComputer("a shell in a Worker of the user's own", async (test) => {
  await runInDurableObject(env.OWN_SHELL.get(env.OWN_SHELL.newUniqueId()), (object) =>
    test({ workspace: object[WORKSPACE], script: shellSources }),
  );
});

test("a command of the user's own takes part in scripts, and its files are the workspace's", async () => {
  await runInDurableObject(env.OWN_SHELL.get(env.OWN_SHELL.newUniqueId()), async (object) => {
    const { [WORKSPACE]: workspace, connections } = object;
    await workspace.fs.mkdir("/workspace", { recursive: true });
    await workspace.fs.writeFile("/workspace/a", "from a file\n");
    const script = "shout /workspace/a; echo from a pipe | shout | tee b; rm a; mkdir d; ls";
    using handle = await workspace.runtime.exec(script, { encoding: "utf8" });
    const stdout = "FROM A FILE\nFROM A PIPE\nb\nd\n";
    expect(await handle.result()).toMatchObject({ stdout, stderr: "", exitCode: 0 });
    expect(await workspace.fs.readFile("/workspace/b", "utf8")).toBe("FROM A PIPE\n");
    expect(await workspace.fs.exists("/workspace/a")).toBe(false);
    expect(connections).toEqual([{ egress: { mode: "direct" } }]);
  });
});
