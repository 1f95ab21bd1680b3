/// <reference types="@cloudflare/vitest-pool-workers/types" />

declare namespace Cloudflare {
  interface Env {
    BARE: DurableObjectNamespace<import("./worker.ts").BareObject>;
    WORKSPACE: DurableObjectNamespace<import("./worker.ts").WorkspaceObject>;
  }
}
