/** What the Worker is configured with. */

import type { WorkerShellLoader } from "@cloudflare/computer/backends/worker-shell";
import type { ChatAgent } from "./chat-agent.ts";

export interface Env {
  readonly AGENT: DurableObjectNamespace<ChatAgent>;
  /** Where the shell and the scripts run. */
  readonly LOADER: WorkerLoader & WorkerShellLoader;
  /** The address of the `computerd host` that runs the Linux computers; empty where each object has a container. */
  readonly COMPUTER_HOST_URL: string;
  /** The token that the host was started with. */
  readonly COMPUTER_HOST_TOKEN: string;
  /** Workers AI, where the Worker has an account to use it with. */
  readonly AI?: Ai;
}
