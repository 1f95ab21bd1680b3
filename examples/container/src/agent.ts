/** The agent: a Durable Object with a workspace, whose computer is the container of another object. */

import { DurableObject } from "cloudflare:workers";
import { getWorkspace, withWorkspace } from "@cloudflare/computer";
import { ContainerBackend, computerdHost, withWorkspaceContainer } from "@cloudflare/computer/backends/container";

export interface Env {
  readonly AGENT: DurableObjectNamespace<Agent>;
  readonly SANDBOX: DurableObjectNamespace<Sandbox>;
  /** Empty where there are containers. */
  readonly COMPUTER_HOST_URL: string;
  readonly COMPUTER_HOST_TOKEN: string;
}

/** What became of a script. */
export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether the script saw the files through a mount, or as real ones. */
  readonly mount: "fuse" | "files" | null;
}

const TIMEOUT_MS = 300_000;
const SLEEP_AFTER_MS = 5 * 60_000;

/** Has a container, and nothing else. */
export class Sandbox extends withWorkspaceContainer(DurableObject<Env>) {}

export class Agent extends withWorkspace(DurableObject<Env>, ({ ctx, env }) => ({
  storage: ctx.storage,
  backends: [
    new ContainerBackend({
      workspace: { binding: "AGENT", id: ctx.id.toString() },
      container: async () => {
        const [id, url, token] = [ctx.id.toString(), env.COMPUTER_HOST_URL, env.COMPUTER_HOST_TOKEN];
        if (url !== "") return computerdHost({ url, token, id });
        const sandbox = env.SANDBOX.getByName(id);
        // A running script is use, so this is how long it lies idle before it is stopped.
        using container = await sandbox.getWorkspaceContainer();
        await container.setInactivityTimeout(SLEEP_AFTER_MS);
        return sandbox;
      },
      containerEnv: { COMPUTER_VAR_PROJECT: ctx.id.name ?? "unnamed" },
      egress: { mode: "none" },
    }),
  ],
})) {
  async run(script: string): Promise<Ran> {
    using workspace = getWorkspace(this);
    await workspace.fs.mkdir("/workspace", { recursive: true });
    using run = await workspace.runtime.exec(script, { encoding: "utf8", timeoutMs: TIMEOUT_MS });
    const { exitCode, stdout, stderr, sync } = await run.result();
    if (sync.status === "pending") throw new Error(`the script has run, but its files are not here yet: ${sync.error}`);
    return { exitCode, stdout, stderr, mount: sync.mount ?? null };
  }
}
