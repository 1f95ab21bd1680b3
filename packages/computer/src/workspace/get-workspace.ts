/** A client for a workspace, in the object that has it or anywhere else. */

import type { WorkspaceFilesystem } from "@cloudflare/dofs";
import { RuntimeClient } from "./runtime-client.ts";
import type { AsyncMethods, LazyWorkspaceClient } from "./workspace-client.ts";
import type { WorkspaceSource } from "./workspace-host.ts";
import { WorkspaceLink } from "./workspace-link.ts";

type RemoteFs = AsyncMethods<WorkspaceFilesystem>;

/** The methods of the files; a type test holds the list complete. */
const METHODS = [
  "chmod",
  "exists",
  "find",
  "grep",
  "ls",
  "lstat",
  "lstatOrNull",
  "mkdir",
  "readFile",
  "readdir",
  "readlink",
  "rename",
  "rm",
  "stat",
  "statOrNull",
  "symlink",
  "writeFile",
] as const satisfies readonly (keyof RemoteFs)[];

/** Larger contents go as a stream: a call of Workers RPC carries 32 MiB. */
const LARGEST_IN_CALL = 8 * 1024 * 1024;

/**
 * A client for the workspace of an object made with `withWorkspace`: of `this` within the object, of its stub from a Worker. It connects
 * when it is first used. Errors come as the classes they were.
 *
 * @example
 * using workspace = getWorkspace(env.AGENT.getByName("alice"));
 * await workspace.fs.writeFile("/workspace/notes.md", "# Notes");
 * using run = await workspace.runtime.exec`wc -l ${"notes.md"}`;
 */
export function getWorkspace(source: WorkspaceSource): LazyWorkspaceClient {
  const link = new WorkspaceLink(source);
  return {
    fs: filesystem(link),
    runtime: new RuntimeClient(link),
    [Symbol.dispose]: () => link.dispose(),
  };
}

function filesystem(link: WorkspaceLink): RemoteFs {
  const call =
    (method: (typeof METHODS)[number]) =>
    (...args: unknown[]): Promise<unknown> =>
      link.use((found) => {
        const fs = "local" in found ? found.local.fs : found.remote.fs;
        const sent = method === "writeFile" && "remote" in found ? streamed(args) : args;
        return (fs[method] as (...args: unknown[]) => Promise<unknown>).apply(fs, sent);
      });
  return Object.fromEntries(METHODS.map((method) => [method, call(method)])) as unknown as RemoteFs;
}

function streamed([path, content, ...rest]: unknown[]): unknown[] {
  const large =
    (typeof content === "string" || content instanceof Uint8Array) && content.length > LARGEST_IN_CALL
      ? new Blob([content as string | Uint8Array<ArrayBuffer>]).stream()
      : content;
  return [path, large, ...rest];
}
