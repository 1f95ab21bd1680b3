/// <reference types="@cloudflare/vitest-pool-workers/types" />

declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import("./worker.ts");
    durableNamespaces: "BareObject" | "WorkspaceObject";
  }
  interface Env {
    BARE: DurableObjectNamespace<import("./worker.ts").BareObject>;
    /** Only in the project `host`. */
    COMPUTER_HOST: { url: string; token: string };
    LOADER: WorkerLoader;
    WORKSPACE: DurableObjectNamespace<import("./worker.ts").WorkspaceObject>;
  }
}
