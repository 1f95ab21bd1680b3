/** A Durable Object's own container, as a backend wants it. */

import { RpcTarget } from "cloudflare:workers";
import { ComputerError } from "@cloudflare/computer-rpc";
import { equalTokens } from "../../proxy/egress-token.ts";
import type {
  ContainerExitInfo,
  ContainerLaunchSpec,
  ContainerRuntimeInfo,
  IWorkspaceContainerAPI,
  WorkspaceRef,
} from "./container-api.ts";
import { type ContainerLife, type ContainerRecord, ContainerRecords } from "./container-record.ts";
import { IdleClock } from "./idle-clock.ts";
import { launchDigest } from "./launch-digest.ts";
import { outboundBinding } from "./outbound-binding.ts";
import { startOptions } from "./start-options.ts";

/** A container that nobody uses is stopped after ten minutes, unless `setInactivityTimeout` says another time. */
const INACTIVITY_MS = 10 * 60_000;
const STOP_PATIENCE_MS = 15_000;
const ANY_HOST = "*";

/** What is used of the object's state. */
export type ContainerState = Pick<DurableObjectState, "container" | "exports"> & {
  readonly storage: Pick<DurableObjectStorage, "get" | "put">;
};

/** What else hears of the container, such as a base class that counts its use too. */
export interface ContainerHooks {
  readonly started?: () => void;
  readonly used?: () => void;
}

/**
 * Starts and stops the container of `ctx`, and reaches its ports. Every start of it has a secret and an identity of its own, which the
 * object remembers: an object that was restarted finds its container again, unless it is to be started with other settings by then.
 *
 * Here and over Workers RPC it is the same, except that a WebSocket does not travel over RPC: see `withWorkspaceContainer`.
 */
export class WorkspaceContainerAPI extends RpcTarget implements IWorkspaceContainerAPI {
  readonly #container: Container;
  readonly #exports: object;
  readonly #records: ContainerRecords;
  readonly #hooks: ContainerHooks;
  readonly #idle: IdleClock = new IdleClock(() => void this.#inTurn(() => this.#stop("idle")).catch(() => {}));
  #turn: Promise<unknown> = Promise.resolve();
  /** Of the container that runs; settles after its end was noted. */
  #ended: Promise<void> | undefined;
  /** Why it is being ended, where this object does it. */
  #reason: string | undefined;

  /** Whether `given` is the secret of the container that runs. Not a method, which could be called over RPC. */
  static async admits(api: WorkspaceContainerAPI, given: string): Promise<boolean> {
    const { life } = await api.#records.read();
    return api.#container.running && life !== undefined && equalTokens(given, life.clientSecret);
  }

  /** `EUNAVAILABLE` where the object's class has no container. */
  constructor(ctx: ContainerState, hooks: ContainerHooks = {}) {
    super();
    if (ctx.container === undefined) {
      throw new ComputerError(
        "EUNAVAILABLE",
        "This Durable Object has no container: name its class under containers in wrangler.jsonc, and let `wrangler dev` have Docker.",
      );
    }
    this.#container = ctx.container;
    this.#exports = ctx.exports;
    this.#records = new ContainerRecords(ctx.storage);
    this.#hooks = hooks;
    if (this.#container.running) this.#watch();
  }

  /** The container that runs where it was started with these settings, else a new one. Two calls at once are one start. */
  start(spec: ContainerLaunchSpec): Promise<ContainerRuntimeInfo> {
    return this.#inTurn(async () => {
      const { life, inactivityMs } = await this.#records.read();
      const options = startOptions(this.#container, spec);
      const digest = await launchDigest({ ...spec, ...options });
      const runs = this.#container.running;
      if (runs && life?.digest === digest) {
        this.#hooks.used?.();
        this.#idle.start(inactivityMs ?? INACTIVITY_MS);
        return runtimeInfo(life, "adopted");
      }
      await this.#stop("replaced");
      return runtimeInfo(await this.#launch(options, digest), runs ? "relaunched" : "launched");
    });
  }

  restart(spec: ContainerLaunchSpec): Promise<ContainerRuntimeInfo> {
    return this.#inTurn(async () => {
      const options = startOptions(this.#container, spec);
      const digest = await launchDigest({ ...spec, ...options });
      await this.#stop("restarted");
      return runtimeInfo(await this.#launch(options, digest), "relaunched");
    });
  }

  /** `EOPTION` for what is no time. It holds for later containers of this object too. */
  async setInactivityTimeout(durationMs: number): Promise<void> {
    if (!Number.isFinite(durationMs) || durationMs <= 0) {
      throw new ComputerError("EOPTION", "setInactivityTimeout takes the milliseconds without use, more than 0.");
    }
    await this.#records.change({ inactivityMs: durationMs });
    if (this.#container.running) await this.#limitIdleness(durationMs);
  }

  async status(): Promise<{ running: boolean; exit: ContainerExitInfo | null }> {
    if (this.#container.running) return { running: true, exit: null };
    return { running: false, exit: await this.exitInfo() };
  }

  async exitInfo(): Promise<ContainerExitInfo | null> {
    if (!this.#container.running) await this.#ended;
    return (await this.#records.read()).exit ?? null;
  }

  async interceptOutboundHttp(host: string, ref: WorkspaceRef): Promise<void> {
    await this.#container.interceptOutboundHttp(host, outboundBinding(this.#exports, ref));
  }

  /** HTTPS too, which the container sees with certificates of the platform's own authority. */
  async interceptAllOutboundHttp(ref: WorkspaceRef, token: string): Promise<void> {
    const binding = outboundBinding(this.#exports, { ...ref, egressToken: token });
    await this.#container.interceptAllOutboundHttp(binding);
    // Not every local runtime opens HTTPS.
    await this.#container.interceptOutboundHttps?.(ANY_HOST, binding);
  }

  async fetchPort(port: number, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    this.#hooks.used?.();
    // The platform knows no TLS to a port of a container.
    const url = new URL(input instanceof Request ? input.url : input);
    url.protocol = "http:";
    const request = input instanceof Request ? new Request(input, init) : init;
    return this.#idle.during(this.#container.getTcpPort(port).fetch(url.href, request));
  }

  port(port: number): ContainerPort {
    return new ContainerPort((input, init) => this.fetchPort(port, input, init), this.#container.getTcpPort(port));
  }

  async #launch(options: ContainerStartupOptions, digest: string): Promise<ContainerLife> {
    const { inactivityMs = INACTIVITY_MS } = await this.#records.read();
    const life = { runtimeId: crypto.randomUUID(), clientSecret: freshSecret(), digest };
    // Noted first: a container that runs and that nobody has the secret of would be of no use.
    await this.#records.change({ life });
    const env = { ...options.env, RPC_CLIENT_SECRET: life.clientSecret, RUNTIME_ID: life.runtimeId };
    this.#container.start({ ...options, env });
    this.#watch();
    this.#hooks.started?.();
    await this.#limitIdleness(inactivityMs);
    return life;
  }

  async #limitIdleness(ms: number): Promise<void> {
    this.#idle.start(ms);
    // The platform's own clock runs only while this object is out of memory, and this one only while it is in.
    await this.#container.setInactivityTimeout(ms).catch(() => {});
  }

  async #stop(reason: string): Promise<void> {
    if (!this.#container.running) return void (await this.#ended);
    this.#reason = reason;
    this.#idle.stop();
    await this.#container.destroy();
    const deadline = Date.now() + STOP_PATIENCE_MS;
    while (this.#container.running && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
    if (this.#container.running)
      throw new ComputerError("EUNAVAILABLE", "The container does not stop; try again later.");
    await this.#ended;
  }

  /** Notes how the container ends. */
  #watch(): void {
    const end = async (reason: string): Promise<void> => {
      this.#idle.stop();
      const exit = { exitedAt: Date.now(), reason: this.#reason ?? reason };
      this.#reason = undefined;
      await this.#records.change({ exit } satisfies ContainerRecord);
    };
    this.#ended = this.#container.monitor().then(
      () => end("exited"),
      (error: unknown) => end(`crashed: ${error instanceof Error ? error.message : error}`),
    );
    this.#ended.catch(() => {});
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(act, act);
    this.#turn = turn.catch(() => {});
    return turn;
  }
}

type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/** A port of a container. */
export class ContainerPort extends RpcTarget {
  readonly #fetch: Fetch;
  readonly #port: Fetcher;

  constructor(fetch: Fetch, port: Fetcher) {
    super();
    this.#fetch = fetch;
    this.#port = port;
  }

  fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    return this.#fetch(input, init);
  }

  /** A raw TCP connection; only in the object's own isolate. */
  connect(address: SocketAddress | string, options?: SocketOptions): Socket {
    return this.#port.connect(address, options);
  }
}

function freshSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function runtimeInfo(
  { runtimeId, clientSecret }: ContainerLife,
  outcome: ContainerRuntimeInfo["outcome"],
): ContainerRuntimeInfo {
  return { runtimeId, clientSecret, outcome };
}
