/** The container computer: Linux with `computerd` in it, whoever hosts it. */

import { ComputerError, type ContentsRPC } from "@cloudflare/computer-rpc";
import type { BackendHandle, WorkspaceBackend } from "../../computer/backend.ts";
import { checkOptions } from "../../options/check-options.ts";
import { EGRESS_TOKEN_HEADER, equalTokens } from "../../proxy/egress-token.ts";
import type { ContainerLaunchSpec, ContainerRuntimeInfo, IWorkspaceContainerAPI } from "./container-api.ts";
import { type ContainerBackendOptions, containerOptions } from "./container-options.ts";
import { dialDaemon, waitForHealth } from "./dial-daemon.ts";
import { heartbeat } from "./heartbeat.ts";

/** How long one call to the daemon may go without an answer, in milliseconds. */
const ANSWER_TIMEOUT_MS = 60_000;
const HEARTBEAT_MS = 20_000;

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
    const holder = await this.#options.container();
    const api = await holder.getWorkspaceContainer();
    const { containerPort: port = 8080 } = this.#options;
    const { clientSecret } = await this.#start(api, port);
    const { egress, workspace } = this.#options;
    if (egress?.mode === "http-gateway") await api.interceptAllOutboundHttp(workspace, this.#egressToken);
    let source: ContentsRPC | undefined;
    const session = await dialDaemon(api, {
      port,
      secret: clientSecret,
      answerTimeoutMs: ANSWER_TIMEOUT_MS,
      contents: { getChunks: async (hashes) => source?.getChunks(hashes) ?? [] },
    });
    const stop = heartbeat(session, this.#options.heartbeatIntervalMs ?? HEARTBEAT_MS);
    return {
      rpc: session.rpc,
      runtimeId: session.hello.runtimeId,
      mount: session.hello.mount,
      tellsEnd: true,
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

  /** A container whose daemon is healthy; one whose daemon does not come up is started anew as often as allowed. */
  async #start(api: IWorkspaceContainerAPI, port: number): Promise<ContainerRuntimeInfo> {
    const { connectTimeoutMs = 60_000, restartAttempts = 1, healthProbeTimeoutMs = 2000 } = this.#options;
    const { healthRetryInitialDelayMs = 50, healthRetryMaxDelayMs = 1000 } = this.#options;
    const spec = this.#spec();
    for (let attempt = 0; ; attempt++) {
      const info = await (attempt === 0 ? api.start(spec) : api.restart(spec));
      try {
        await waitForHealth(api, {
          port,
          probeTimeoutMs: healthProbeTimeoutMs,
          retryInitialDelayMs: healthRetryInitialDelayMs,
          retryMaxDelayMs: healthRetryMaxDelayMs,
          deadline: Date.now() + connectTimeoutMs / (restartAttempts + 1),
        });
        return info;
      } catch (error) {
        if (attempt >= restartAttempts) throw await this.#explained(api, error);
      }
    }
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

  #spec(): ContainerLaunchSpec {
    const { containerEnv = {}, egress = { mode: "direct" }, name, launch } = this.#options;
    const enableInternet = egress.mode === "direct";
    return { ...launch, env: { ...containerEnv }, enableInternet, ...(name === undefined ? {} : { name }) };
  }

  /** The failure with how the container ended, where its host knows that. */
  async #explained(api: IWorkspaceContainerAPI, error: unknown): Promise<unknown> {
    const exit = await api.exitInfo().catch(() => null);
    if (exit === null || !(error instanceof ComputerError)) return error;
    return new ComputerError("EUNREACHABLE", `The container ended: ${exit.reason}.`, { cause: error });
  }
}
