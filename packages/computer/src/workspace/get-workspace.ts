/** A client for a workspace, in the object that has it or anywhere else. */

import { artifactsClient } from "./artifacts-client.ts";
import { assetsClient } from "./assets-client.ts";
import { FilesystemClient } from "./filesystem-client.ts";
import { gitClient } from "./git-client.ts";
import { RuntimeClient } from "./runtime-client.ts";
import type { LazyWorkspaceClient } from "./workspace-client.ts";
import type { WorkspaceSource } from "./workspace-host.ts";
import { WorkspaceLink } from "./workspace-link.ts";

/**
 * A client for the workspace of an object made with `withWorkspace`: of `this` within the object, of its stub from a Worker. It connects
 * when it is first used. Errors come as the classes they were.
 *
 * @example
 * using workspace = getWorkspace(env.AGENT.getByName("alice"));
 * await workspace.fs.mkdir("/workspace", { recursive: true });
 * await workspace.fs.writeFile("/workspace/notes.md", "# Notes");
 * using run = await workspace.runtime.exec`wc -l ${"notes.md"}`;
 */
export function getWorkspace(source: WorkspaceSource): LazyWorkspaceClient {
  const link = new WorkspaceLink(source);
  return {
    fs: new FilesystemClient(link),
    runtime: new RuntimeClient(link),
    git: gitClient(link),
    artifacts: artifactsClient(link),
    assets: assetsClient(link),
    [Symbol.dispose]: () => link.dispose(),
  };
}
