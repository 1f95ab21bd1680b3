/** What the Worker is configured with. */

import type { Publisher } from "./publisher.ts";

export interface Env {
  readonly PUBLISHER: DurableObjectNamespace<Publisher>;
  /** Where repositories are published. */
  readonly ARTIFACTS: Artifacts;
  /** The address of the `computerd host` that runs the computers; empty where each object has a container. */
  readonly COMPUTER_HOST_URL: string;
  /** The token that the host was started with. */
  readonly COMPUTER_HOST_TOKEN: string;
  /** Workers AI, where the Worker has an account to use it with. */
  readonly AI?: Ai;
}
