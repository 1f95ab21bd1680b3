import { env, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { WorkerJavaScriptBackend } from "../../src/backends/worker-javascript/index.ts";
import { Workspace, type WorkspaceRuntimeValue } from "../../src/index.ts";
import { type ContainerModuleOptions, createContainerModule } from "../../src/modules/container.ts";
import { type MemoryCommand, MemoryComputer } from "../../src/testing/index.ts";

const commands: Record<string, MemoryCommand> = {
  pwd: ({ cwd, stdout }) => stdout(`${cwd}\n`),
  count: ({ stdout }) => stdout("1\n2\n3\n"),
  show: ({ env: given, stdin, stdout, stderr }) => {
    stdout(`${given.NAME} ${new TextDecoder().decode(stdin)}`);
    stderr("told\n");
    return 3;
  },
  hang: ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(1), { once: true })),
};

async function inWorkspace(
  check: (value: (source: string, options?: object) => Promise<WorkspaceRuntimeValue | undefined>) => Promise<void>,
  options: ContainerModuleOptions = { backend: "memory" },
): Promise<void> {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage }) => {
    const modules = { "ws:container": createContainerModule(options) };
    const linux = new MemoryComputer({ commands, otherwise: ({ source, stdout }) => stdout(source) });
    const backends = [new WorkerJavaScriptBackend({ loader: env.LOADER, modules }), linux];
    const workspace = new Workspace({ storage, backends });
    await workspace.fs.mkdir("/workspace/d", { recursive: true });
    await check(async (source, given = {}) => {
      using run = await workspace.runtime.exec(`import { exec } from "ws:container"; ${source}`, {
        encoding: "utf8",
        ...given,
      });
      const { value, stderr, status } = await run.result();
      return status === "completed" ? value : { status, stderr };
    });
    await workspace.close();
  });
}

test("a script runs a command on another computer and is told how it ended", async () => {
  await inWorkspace(async (value) => {
    const ended = await value(
      'export default () => exec("show", { env: { NAME: "Ada" }, stdin: "in", timeoutMs: 5000 });',
    );
    expect(ended).toEqual({ status: "failed", exitCode: 3, stdout: "Ada in", stderr: "told\n" });
    const places = 'export default async () => [(await exec("pwd")).stdout, (await exec("pwd", { cwd: "d" })).stdout];';
    expect(await value(places)).toEqual(["/workspace\n", "/workspace/d\n"]);
  });
});

test("output is cut to its end, and the prelude comes first", async () => {
  await inWorkspace(
    async (value) => {
      expect(await value('export default () => exec("anything");')).toMatchObject({
        stdout: "anything",
        truncated: { stdout: { totalLines: 2 } },
      });
    },
    { backend: "memory", maxOutputLines: 1, prelude: "set -e" },
  );
});

test("what is no command, leads out of the root or asks for a computer that there is not is refused", async () => {
  const told = 'const told = (error) => (error.code ?? error.name) + ": " + error.message;';
  await inWorkspace(async (value) => {
    const source = `${told} export default async () => [await exec().catch(told), await exec("pwd", { where: "d" }).catch(told), await exec("pwd", { cwd: "/" }).catch(told)];`;
    const [nothing, option, outside] = (await value(source)) as string[];
    expect(nothing).toMatch(/^TypeError: exec\(command, options\?\) of ws:container takes a command/);
    expect(option).toContain("where");
    expect(outside).toMatch(/^EACCES/);
  });
  await inWorkspace(async (value) => {
    const answer = await value(`${told} export default () => exec("pwd").catch(told);`);
    expect(answer).toEqual(expect.stringMatching(/^E[A-Z]+: .*container-shell.*memory/));
  }, {});
  expect(() => createContainerModule({ backends: "memory" } as ContainerModuleOptions)).toThrow(
    "createContainerModule has no option backends. Did you mean backend?",
  );
});

test("a command ends with the script that waits for it", async () => {
  await inWorkspace(async (value) => {
    expect(await value('export default () => exec("hang");', { timeoutMs: 300 })).toMatchObject({
      status: "cancelled",
    });
    // The computer takes the next command, and the script before is no longer waited for.
    expect(await value('export default async () => (await exec("count")).stdout;')).toBe("1\n2\n3\n");
  });
});
