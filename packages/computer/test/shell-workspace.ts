/** A workspace of the tests whose computer is the shell. */

import { env, runInDurableObject } from "cloudflare:test";
import { type ShellModuleGroup, WorkerShellBackend } from "../src/backends/worker-shell/index.ts";
import type { WorkerShellBackendOptions } from "../src/backends/worker-shell/worker-shell-options.ts";
import { Workspace } from "../src/index.ts";

export interface ShellUnderTest {
  readonly workspace: Workspace;
  /** Runs a script to its end. */
  sh(script: string, options?: { stdin?: Uint8Array; timeoutMs?: number }): Promise<ShellResult>;
}

export interface ShellResult {
  readonly status: string;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type ShellOptions = Partial<WorkerShellBackendOptions> & { commands?: readonly ShellModuleGroup[] };

export async function withShell(
  test: (under: ShellUnderTest) => Promise<void>,
  options: ShellOptions | (() => ShellOptions) = {},
): Promise<void> {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage, id }) => {
    const backend = new WorkerShellBackend({
      loader: env.LOADER,
      workspace: { binding: "BARE", id: id.toString() },
      // Stubs among them belong to the object that they are made in.
      ...(typeof options === "function" ? options() : options),
    });
    const workspace = new Workspace({ storage, backends: [backend] });
    await workspace.fs.mkdir("/workspace", { recursive: true });
    const sh: ShellUnderTest["sh"] = async (script, more = {}) => {
      using handle = await workspace.runtime.exec(script, { ...more, encoding: "utf8", output: false });
      const { status, exitCode, stdout, stderr } = await handle.result();
      return { status, code: exitCode, stdout, stderr };
    };
    await test({ workspace, sh });
    await workspace.close();
  });
}
