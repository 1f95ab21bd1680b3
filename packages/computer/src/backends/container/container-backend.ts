/** The container computer: Linux with `computerd` in it, whoever hosts it. */

import {
  ComputerError,
  type ConnectOptions,
  type ContentsRPC,
  type DaemonSession,
  isComputerError,
} from "@cloudflare/computer-rpc";
import type { BackendHandle, WorkspaceBackend } from "../../computer/backend.ts";
import { checkOptions } from "../../options/check-options.ts";
import { EGRESS_TOKEN_HEADER, equalTokens } from "../../proxy/egress-token.ts";
import { OutboundRequests } from "../../proxy/outbound-requests.ts";
import type { ContainerLaunchSpec, ContainerRuntimeInfo, IWorkspaceContainerAPI } from "./container-api.ts";
import { type ContainerBackendOptions, containerOptions } from "./container-options.ts";
import { type ContainerReach, reachContainer } from "./container-reach.ts";
import { dialDaemon, waitForHealth } from "./dial-daemon.ts";
import { heartbeat } from "./heartbeat.ts";

/** How long one call to the daemon may go without an answer, in milliseconds. */
const ANSWER_TIMEOUT_MS = 60_000;
const HEARTBEAT_MS = 20_000;
const DAEMON_PORT = 8080;

export class ContainerBackend implements WorkspaceBackend {
  readonly type = "cloudflare-container" as const;
  readonly description: string =
    "A full Linux computer with a real file system: runs any program it has or can install, such as node, python, git and compilers. Slower to start than the others, the only one that runs binaries.";
  readonly id: string;
  readonly #options: ContainerBackendOptions;
  readonly #egressToken: string = crypto.randomUUID();

  /** `EOPTION` for an option that there is not. */
  constructor(options: ContainerBackendOptions) {
    checkOptions(containerOptions, options, "ContainerBackend");
    this.#options = options;
    this.id = options.id ?? "container-shell";
  }

  /**
   * Starts the container where it does not run, waits for its daemon and opens a session with it.
   *
   * @throws ComputerError `EUNREACHABLE`, `EUNAUTHORIZED`, `EUNAVAILABLE`; the message says what to do.
   */
  async connect(): Promise<BackendHandle> {
    const container = await reachContainer(await this.#options.container());
    try {
      return await this.#dial(container);
    } catch (error) {
      container.release();
      throw error;
    }
  }

  async #dial(container: ContainerReach): Promise<BackendHandle> {
    let source: ContentsRPC | undefined;
    const contents: ContentsRPC = { getChunks: async (hashes) => source?.getChunks(hashes) ?? [] };
    const { egress } = this.#options;
    // Where the host has no way of its own to the gateway, the daemon asks for it over the session.
    const outbound = egress?.mode === "http-gateway" ? new OutboundRequests(egress.gateway) : undefined;
    const session = await this.#session(container, { contents, ...(outbound && { outbound }) });
    const { containerPort: port = DAEMON_PORT, heartbeatIntervalMs: intervalMs = HEARTBEAT_MS, ignore } = this.#options;
    // A running command is use of the container, and every request to it counts as that to its host.
    const inUse = (): void =>
      void container.api
        .fetchPort(port, "http://computer/health")
        .then((response) => response.body?.cancel())
        .catch(() => {});
    const stop = heartbeat(session, { intervalMs, inUse });
    const release = (): void => {
      container.release();
      outbound?.close();
    };
    session.closed.then(release, release);
    return {
      rpc: session.rpc,
      runtimeId: session.hello.runtimeId,
      mount: session.hello.mount,
      tellsEnd: true,
      ...(ignore !== undefined && {
        ignore: { patterns: ignore, root: undefined, supported: session.hello.ignores === true },
      }),
      ...(session.hello.fetches === true && {
        fetchFrom: (contents) => {
          source = contents;
        },
      }),
      closed: session.closed,
      close: async () => {
        stop();
        session.close();
      },
    };
  }

  /** A session with a container whose daemon is healthy; one that does not come up, or wants another secret, is started anew as often as allowed. */
  async #session(container: ContainerReach, offers: Omit<ConnectOptions, "answerTimeoutMs">): Promise<DaemonSession> {
    const { api } = container;
    const { containerPort: port = DAEMON_PORT, connectTimeoutMs = 60_000, restartAttempts = 1 } = this.#options;
    const { healthProbeTimeoutMs = 2000, healthRetryInitialDelayMs = 50, healthRetryMaxDelayMs = 1000 } = this.#options;
    const spec = this.#spec(port);
    for (let attempt = 0; ; attempt++) {
      const { clientSecret: secret } = await this.#started(api, spec, attempt > 0);
      try {
        await waitForHealth(container, {
          port,
          probeTimeoutMs: healthProbeTimeoutMs,
          retryInitialDelayMs: healthRetryInitialDelayMs,
          retryMaxDelayMs: healthRetryMaxDelayMs,
          deadline: Date.now() + connectTimeoutMs / (restartAttempts + 1),
        });
        return await dialDaemon(container, { port, secret, answerTimeoutMs: ANSWER_TIMEOUT_MS, ...offers });
      } catch (error) {
        const mayHelp = isComputerError(error, "EUNREACHABLE") || isComputerError(error, "EUNAUTHORIZED");
        if (attempt >= restartAttempts || !mayHelp) throw await this.#explained(api, error);
      }
    }
  }

  /** The container with the ways out of it that the policy gives, which the host forgets with each container. */
  async #started(api: IWorkspaceContainerAPI, spec: ContainerLaunchSpec, anew: boolean): Promise<ContainerRuntimeInfo> {
    const { egress, egressHost, workspace } = this.#options;
    const info = await (anew ? api.restart(spec) : api.start(spec));
    if (egressHost !== undefined) await api.interceptOutboundHttp(egressHost, workspace);
    if (egress?.mode === "http-gateway") await api.interceptAllOutboundHttp(workspace, this.#egressToken);
    return info;
  }

  /**
   * Answers a request that the container made, and that its host sent to the object through `WorkspaceProxy`: with the gateway's answer
   * under the policy `http-gateway`, else with 403. Call it from the object's `fetch`.
   */
  async handleFetch(req: Request): Promise<Response> {
    const { egress } = this.#options;
    const given = req.headers.get(EGRESS_TOKEN_HEADER) ?? "";
    if (egress?.mode !== "http-gateway" || !equalTokens(given, this.#egressToken)) {
      return new Response("This computer's egress policy does not allow it.\n", { status: 403 });
    }
    const headers = new Headers(req.headers);
    headers.delete(EGRESS_TOKEN_HEADER);
    return egress.gateway.fetch(new Request(req, { headers }));
  }

  #spec(port: number): ContainerLaunchSpec {
    const { containerEnv = {}, egress = { mode: "direct" }, name, instance, launch } = this.#options;
    return {
      ...launch,
      env: { ...(port !== DAEMON_PORT && { PORT: String(port) }), ...containerEnv },
      enableInternet: egress.mode === "direct",
      ...(name !== undefined && { name }),
      ...(instance !== undefined && { instance }),
      ...(egress.mode === "http-gateway" && {
        egress: { mode: egress.mode, ...(egress.revision !== undefined && { revision: egress.revision }) },
      }),
    };
  }

  /** The failure with how the container ended, where its host knows that. */
  async #explained(api: IWorkspaceContainerAPI, error: unknown): Promise<unknown> {
    const { exit } = await api.status().catch(() => ({ exit: null }));
    if (exit === null || !(error instanceof ComputerError)) return error;
    return new ComputerError("EUNREACHABLE", `The container ended: ${exit.reason}.`, { cause: error });
  }
}
