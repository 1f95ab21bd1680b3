/** What the Worker is configured with. */

import type { Agent } from "./agent.ts";

export interface Env {
  readonly AGENT: DurableObjectNamespace<Agent>;
  /** The address of the `computerd host` that runs the computers, such as `http://127.0.0.1:8790`; empty where each object has a container. */
  readonly COMPUTER_HOST_URL: string;
  /** The token that the host was started with. */
  readonly COMPUTER_HOST_TOKEN: string;
  /** Workers AI, where the Worker has an account to use it with. */
  readonly AI?: Ai;
}
