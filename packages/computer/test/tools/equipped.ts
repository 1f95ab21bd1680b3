/** A workspace with everything that tools need: a shell, and a place to publish. */

import { env, runInDurableObject } from "cloudflare:test";
import { WorkerShellBackend } from "../../src/backends/worker-shell/index.ts";
import { Workspace, type WorkspaceModuleBackend } from "../../src/index.ts";
import type { CreateToolsOptions } from "../../src/tools/core/index.ts";

export interface Equipped {
  /** What the tools are given. */
  readonly workspace: CreateToolsOptions["workspace"];
  readonly whole: Workspace;
  /** What was published, by its link. */
  readonly published: ReadonlyMap<string, string>;
}

/** `more` makes a further backend, of which the tools may be a part: what it is given can be called once the workspace is there. */
export async function equipped(
  test: (equipped: Equipped) => Promise<void>,
  more: (workspace: () => Equipped["workspace"]) => WorkspaceModuleBackend[] = () => [],
): Promise<void> {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage, id }) => {
    const shell = new WorkerShellBackend({ loader: env.LOADER, workspace: { binding: "BARE", id: id.toString() } });
    const whole: Workspace = new Workspace({ storage, backends: [shell, ...more(() => workspace)] });
    await whole.fs.mkdir("/workspace", { recursive: true });
    const published = new Map<string, string>();
    const assets = {
      share: async (path: string, { expiresAfter }: { expiresAfter: number }) => {
        const link = `https://links.example/${published.size}?for=${expiresAfter}`;
        published.set(link, await whole.fs.readFile(path, "utf8"));
        return link;
      },
    };
    const { fs, runtime, sessionId } = whole;
    const workspace = { fs, runtime, sessionId, assets };
    await test({ workspace, whole, published });
    await whole.close();
  });
}
