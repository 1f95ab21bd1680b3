import { env, runInDurableObject } from "cloudflare:test";
import { afterAll, expect, test } from "vitest";
import { ContainerBackend, WorkspaceContainerAPI } from "../src/backends/container/index.ts";
import { Workspace } from "../src/index.ts";
import { describeComputer, shellSources } from "../src/testing/suite/index.ts";
import { FakeContainer } from "./fake-container.ts";

const stub = env.BARE.get(env.BARE.newUniqueId());
// One container for the whole suite, as a machine without FUSE would run it. Its files are cleared between tests.
let container: FakeContainer | undefined;

async function inObject(body: (workspace: Workspace) => Promise<void>): Promise<void> {
  await runInDurableObject(stub, async (_object, { storage, exports, id }) => {
    container ??= new FakeContainer(env.CONTAINER_YARD);
    const api = new WorkspaceContainerAPI({ storage, exports, container });
    const backend = new ContainerBackend({
      container: () => ({ getWorkspaceContainer: () => api }),
      workspace: { binding: "BARE", id: id.toString() },
      containerEnv: { FUSE_MOUNT: "files", SANDBOX: "bubblewrap" },
    });
    const workspace = new Workspace({ storage, backends: [backend] });
    try {
      await workspace.fs.rm("/workspace", { recursive: true, force: true });
      await body(workspace);
    } finally {
      await workspace.close();
    }
  });
}

afterAll(async () => {
  await runInDurableObject(stub, () => container?.destroy());
});

describeComputer("the container computer with real files instead of a mount", async (body) => {
  await inObject((workspace) => body({ workspace, script: shellSources }));
});

test("a result says that the files were real ones", async () => {
  await inObject(async (workspace) => {
    await workspace.fs.mkdir("/workspace");
    await workspace.fs.writeFile("/workspace/a", "of the workspace");
    using handle = await workspace.runtime.exec("cat a; mv a b; git init -q .; stat -f -c %T .", { encoding: "utf8" });
    const { stdout, sync } = await handle.result();
    expect(stdout).toMatch(/^of the workspace/);
    expect(stdout).not.toMatch(/fuse/);
    expect(sync).toMatchObject({ status: "complete", mount: "files" });
    expect(await workspace.fs.readFile("/workspace/b", "utf8")).toBe("of the workspace");
    expect(await workspace.fs.exists("/workspace/.git/HEAD")).toBe(true);
    expect(container?.starts).toHaveLength(1);
  });
});
