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
    /** Only in the project `host`. */
    LONE_DAEMON: { url: string; control: string; scratch: string };
    LOADER: WorkerLoader;
    WORKSPACE: DurableObjectNamespace<import("./worker.ts").WorkspaceObject>;
  }
}
