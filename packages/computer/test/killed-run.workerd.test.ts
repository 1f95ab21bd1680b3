import { env, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { Workspace, type WorkspaceModuleBackend, type WorkspaceRuntimeEvent } from "../src/index.ts";

/** A module backend as 0.8.0 has them, whose events cannot say that a run was killed: each ends with the code it is killed with. */
function killable(code: number): WorkspaceModuleBackend {
  const { promise, resolve } = Promise.withResolvers<void>();
  const events = (id: string): ReadableStream<WorkspaceRuntimeEvent> =>
    new ReadableStream<WorkspaceRuntimeEvent>({
      async pull(controller) {
        await promise;
        controller.enqueue({ id, seq: 0, name: "exit", code });
        controller.close();
      },
    });
  const start = async ({ id = "run" }: { id?: string | undefined }) => ({ id, events: events(id) });
  return {
    id: "killable",
    type: "killable",
    protocol: "module",
    connect: async () => ({
      exec: start,
      getExec: start,
      killExec: async () => resolve(),
      disposeExec: async () => {},
    }),
  };
}

async function statusAfterKill(code: number): Promise<string> {
  let status = "";
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage }) => {
    const workspace = new Workspace({ storage, backends: [killable(code)] });
    using run = await workspace.runtime.exec("x");
    const result = run.result();
    await run.kill();
    status = (await result).status;
  });
  return status;
}

test("a run of a user's own computer that was killed is cancelled, whatever its events can say", async () => {
  expect(await statusAfterKill(143)).toBe("cancelled");
});

test("one that came to its end all the same is not", async () => {
  expect(await statusAfterKill(0)).toBe("completed");
  expect(await statusAfterKill(1)).toBe("failed");
});
