/// <reference types="@cloudflare/vitest-pool-workers/types" />

declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import("./worker.ts");
    durableNamespaces: "BareObject" | "OwnShellObject" | "ContainedObject" | "SleepyObject" | "WorkspaceObject";
  }
  interface Env {
    BARE: DurableObjectNamespace<import("./worker.ts").BareObject>;
    SLEEPY: DurableObjectNamespace<import("./worker.ts").SleepyObject>;
    CONTAINED: DurableObjectNamespace<import("./worker.ts").ContainedObject>;
    /** Only in the project `host`. */
    CONTAINER_YARD: string;
    /** Only in the project `host`: containers of an image in Docker, not daemons of this machine. */
    CONTAINERS_ARE_REAL: boolean;
    BUCKET: R2Bucket;
    /** Only in the project `host`. */
    COMPUTER_HOST: { url: string; token: string };
    /** Only in the project `host`. */
    LONE_DAEMON: { url: string; control: string; scratch: string };
    LOADER: WorkerLoader;
    OWN_SHELL: DurableObjectNamespace<import("./worker.ts").OwnShellObject>;
    WORKSPACE: DurableObjectNamespace<import("./worker.ts").WorkspaceObject>;
  }
}
