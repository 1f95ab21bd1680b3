/** The daemon put together: files at a mount, commands over them, and a server for both. */

import { ContentsFetcher, PROTOCOL_VERSION, SyncServer, WORKSPACE_ROOT } from "@cloudflare/computer-rpc";
import manifest from "../package.json" with { type: "json" };
import type { Config } from "./config.ts";
import { PROXY_ENVIRONMENT, PROXY_PORT, startOutboundProxy } from "./egress/outbound-proxy.ts";
import { platformAuthority } from "./egress/platform-authority.ts";
import { ExecService } from "./exec/exec-service.ts";
import type { Launcher } from "./exec/launcher.ts";
import { PlainLauncher } from "./exec/plain-launcher.ts";
import { openMount } from "./open-mount.ts";
import { startServer } from "./server.ts";

/** A daemon that takes calls. */
export interface Daemon {
  /** Where it listens: a URL, or the path of a Unix socket. */
  readonly address: string;
  readonly mountPoint: string;
  /** Ends all commands, sessions and background children, and unmounts. Twice is once. */
  close(): Promise<void>;
}

/** Starts a daemon with no files in it. Where something cannot be had, nothing is left mounted or running. */
export async function startDaemon(config: Config): Promise<Daemon> {
  const { listen, secret, runtimeId } = config;
  const ending: (() => Promise<void>)[] = [];
  const end = async (): Promise<void> => {
    for (const step of ending.splice(0).reverse()) await step();
  };
  try {
    const contents = new ContentsFetcher();
    const mount = await openMount(config, {
      root: WORKSPACE_ROOT,
      mountPoint: config.mountPoint,
      name: "computer",
      fetchAbsent: (hashes) => contents.fetch(hashes),
    });
    ending.push(() => mount.close());
    const { mode, noteRun } = mount;
    // Real files are read at any time, so their contents have to be there.
    const fetches = mode === "fuse";
    const proxy = config.sandboxNetwork === "gateway" ? await startOutboundProxy() : undefined;
    if (proxy !== undefined) ending.push(() => proxy.close());
    const launcher = await makeLauncher(config, mount.mountPoint, proxy?.path);
    const workspaceRoot = config.sandbox === "none" ? mount.mountPoint : WORKSPACE_ROOT;
    const shell = new ExecService({
      launcher,
      workspaceRoot,
      env: { ...(proxy && PROXY_ENVIRONMENT), ...config.commandEnv },
      ...(config.sandbox === "none" && { envNow: platformAuthority() }),
      runtimeId,
      ...(noteRun && { onRun: noteRun }),
    });
    ending.push(() => shell.close());
    const server = await startServer({
      listen,
      secret,
      daemon: {
        sync: new SyncServer({ store: mount.store, allowAbsent: fetches }),
        shell,
        hello: async () => ({
          protocol: PROTOCOL_VERSION,
          runtimeId,
          mount: mode,
          fetches,
          ignores: true,
          idleMs: shell.idleMs,
        }),
      },
      onSession: (session) => {
        contents.attach(session);
        proxy?.attach(session);
      },
      health: () => ({ status: "ok", runtimeId, mount: mode, version: manifest.version, protocol: PROTOCOL_VERSION }),
    });
    ending.push(() => server.close());
    return { address: server.address, mountPoint: mount.mountPoint, close: end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function makeLauncher(config: Config, mountPoint: string, proxy: string | undefined): Promise<Launcher> {
  if (config.sandbox === "none") return new PlainLauncher();
  // Loaded only here, since it looks for programs that a machine without sandboxes need not have.
  const { createBubblewrapLauncher } = await import("./sandbox/bubblewrap-launcher.ts");
  return createBubblewrapLauncher({
    mountPoint,
    tools: config.sandboxTools,
    enableInternet: config.sandboxNetwork === "host",
    ...(proxy !== undefined && { wayOut: { port: PROXY_PORT, socketPath: proxy } }),
  });
}
