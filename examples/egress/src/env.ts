/** What the Worker is configured with. */

import type { Agent } from "./agent.ts";

export interface Env {
  readonly AGENT: DurableObjectNamespace<Agent>;
  readonly API_KEY: string;
  /** Empty where there are containers. */
  readonly COMPUTER_HOST_URL: string;
  readonly COMPUTER_HOST_TOKEN: string;
}

declare global {
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: typeof import("./worker.ts");
      durableNamespaces: "Agent";
    }
  }
}
