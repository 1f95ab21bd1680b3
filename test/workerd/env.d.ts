/// <reference types="@cloudflare/vitest-pool-workers/types" />

declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import("./worker.ts");
    durableNamespaces: "BareObject" | "WorkspaceObject";
  }
  interface Env {
    BARE: DurableObjectNamespace<import("./worker.ts").BareObject>;
    WORKSPACE: DurableObjectNamespace<import("./worker.ts").WorkspaceObject>;
  }
}
