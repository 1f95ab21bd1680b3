import { env, runInDurableObject } from "cloudflare:test";
import { afterAll, describe, expect, test } from "vitest";
import { ContainerBackend, WorkspaceContainerAPI } from "../src/backends/container/index.ts";
import { Workspace } from "../src/index.ts";
import { describeComputer, shellSources } from "../src/testing/suite/index.ts";
import { FakeContainer } from "./fake-container.ts";

// Where there are real containers, each way of having the files is tried in one; a daemon of this machine is tried with real files alone,
// for other tests mount.
const modes = env.CONTAINERS_ARE_REAL ? (["fuse", "files"] as const) : (["files"] as const);

describe.each(modes)("the container computer, a daemon with FUSE_MOUNT=%s,", (mode) => {
  const stub = env.BARE.get(env.BARE.newUniqueId());
  // One container for the whole suite. Its files are cleared between tests.
  let container: FakeContainer | undefined;

  async function inObject(body: (workspace: Workspace) => Promise<void>): Promise<void> {
    await runInDurableObject(stub, async (_object, { storage, exports, id }) => {
      container ??= new FakeContainer(env.CONTAINER_YARD);
      const api = new WorkspaceContainerAPI({ storage, exports, container });
      const backend = new ContainerBackend({
        container: () => ({ getWorkspaceContainer: () => api }),
        workspace: { binding: "BARE", id: id.toString() },
        // So that commands of a daemon of this machine find their files in /workspace too.
        containerEnv: { FUSE_MOUNT: mode, ...(!env.CONTAINERS_ARE_REAL && { SANDBOX: "bubblewrap" }) },
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

  describeComputer("as any computer", async (body) => {
    await inObject((workspace) => body({ workspace, script: shellSources }));
  });

  test("says in each result how it had the files", async () => {
    await inObject(async (workspace) => {
      await workspace.fs.mkdir("/workspace");
      await workspace.fs.writeFile("/workspace/a", "of the workspace");
      using handle = await workspace.runtime.exec("cat a; mv a b; git init -q .; stat -f -c ' %T' .", {
        encoding: "utf8",
      });
      const { stdout, sync } = await handle.result();
      expect(stdout.startsWith("of the workspace ")).toBe(true);
      expect(stdout.includes("fuse")).toBe(mode === "fuse");
      expect(sync).toMatchObject({ status: "complete", mount: mode });
      expect(await workspace.fs.readFile("/workspace/b", "utf8")).toBe("of the workspace");
      expect(await workspace.fs.exists("/workspace/.git/HEAD")).toBe(true);
      expect(container?.starts).toHaveLength(1);
    });
  });
});
