/** What hosts a container, to the backend that speaks with the daemon in it. */

/** How much of the network what runs in a computer reaches: none, all, or what a gateway of the user's lets through. */
export type WorkspaceEgressPolicy =
  | { mode: "none" }
  | { mode: "direct" }
  | { mode: "http-gateway"; gateway: Fetcher; revision?: string };

/** The object that has the workspace: a Durable Object binding's name, and the object's id. */
export interface WorkspaceRef {
  binding: string;
  id: string;
  name?: string | undefined;
}

/** How large a container is: one of the platform's sizes, or its processors, memory and disk. */
export type ContainerInstanceSize = NonNullable<ContainerStartupOptions["instance"]>;

/** What a container is started with. A running one that was started with other settings is replaced. */
export interface ContainerLaunchSpec {
  env: Record<string, string>;
  enableInternet: boolean;
  /** A label of the container, and where `images` of `wrangler.jsonc` has an image of this name and `image` says none, that image. */
  name?: string | undefined;
  instance?: ContainerInstanceSize;
  /** One of `images` of `wrangler.jsonc` by its name, or a reference. */
  image?: string;
  /** The program to start instead of the image's own, with its arguments. */
  entrypoint?: string[];
  labels?: Record<string, string>;
  directorySnapshots?: ContainerDirectorySnapshotRestoreParams[];
  containerSnapshot?: ContainerSnapshotRestoreParams;
  /** Told where it is neither all of the network nor none: a container that was let through another gateway is replaced. */
  egress?: { mode: "http-gateway"; revision?: string };
}

/** A container that runs. */
export interface ContainerRuntimeInfo {
  /** A UUID for this life of the container. */
  runtimeId: string;
  /** What its daemon wants to be shown. */
  clientSecret: string;
  /** Started now, found running, or started anew after it had ended. */
  outcome: "launched" | "adopted" | "relaunched";
}

export interface ContainerExitInfo {
  /** Milliseconds since 1970. */
  exitedAt: number;
  reason: string;
}

/** The port between what speaks with the daemon and what hosts it. */
export interface IWorkspaceContainerAPI {
  /** Starts the container, or finds it running. */
  start(spec: ContainerLaunchSpec): Promise<ContainerRuntimeInfo>;
  /** Sends what the container asks of `host` over HTTP to the object. */
  interceptOutboundHttp(host: string, workspace: WorkspaceRef): Promise<void>;
  /** Sends everything that the container asks for over HTTP to the object, marked with the token. */
  interceptAllOutboundHttp(workspace: WorkspaceRef, token: string): Promise<void>;
  /** An HTTP request, or a WebSocket upgrade, to a port of the container. */
  fetchPort(port: number, input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  port(port: number): Fetcher;
  /** Ends the container and starts it anew; its files are gone. */
  restart(spec: ContainerLaunchSpec): Promise<ContainerRuntimeInfo>;
  /** Milliseconds without use after which the host may end the container. */
  setInactivityTimeout(durationMs: number): Promise<void>;
  status(): Promise<{ running: boolean; exit: ContainerExitInfo | null }>;
  /** How the container last ended; null where it has not. */
  exitInfo(): Promise<ContainerExitInfo | null>;
}

/** Something that has a container. */
export interface ContainerHostHolder {
  getWorkspaceContainer(): IWorkspaceContainerAPI | Promise<IWorkspaceContainerAPI>;
}
