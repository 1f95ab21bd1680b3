/** A workspace with a JavaScript computer in a fresh Durable Object. */

import { env, runInDurableObject } from "cloudflare:test";
import {
  WorkerJavaScriptBackend,
  type WorkerJavaScriptBackendOptions,
} from "../../src/backends/worker-javascript/index.ts";
import { Workspace, type WorkspaceRuntimeResult, type WorkspaceRuntimeValue } from "../../src/index.ts";

export interface Scripted {
  readonly workspace: Workspace;
  readonly storage: DurableObjectStorage;
  /** Runs a script to its end. */
  run(source: string, options?: object): Promise<WorkspaceRuntimeResult<"utf8">>;
  /** The value of a script that must complete. */
  value(source: string, input?: WorkspaceRuntimeValue): Promise<WorkspaceRuntimeValue | undefined>;
}

export async function scripted(
  test: (scripted: Scripted) => Promise<void>,
  options: Partial<WorkerJavaScriptBackendOptions> = {},
  id: DurableObjectId = env.BARE.newUniqueId(),
): Promise<void> {
  await runInDurableObject(env.BARE.get(id), async (_object, { storage }) => {
    const backend = new WorkerJavaScriptBackend({ loader: env.LOADER, ...options });
    const workspace = new Workspace({ storage, backends: [backend] });
    await workspace.fs.mkdir("/workspace", { recursive: true });
    const run: Scripted["run"] = async (source, given = {}) => {
      using handle = await workspace.runtime.exec(source, { encoding: "utf8", ...given });
      return handle.result();
    };
    const value: Scripted["value"] = async (source, input) => {
      const result = await run(source, input === undefined ? {} : { input });
      if (result.status !== "completed") throw new Error(`the script failed: ${result.stderr}`);
      return result.value;
    };
    await test({ workspace, storage, run, value });
    await workspace.close();
  });
}
