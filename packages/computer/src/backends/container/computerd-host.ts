/** A computer on any Linux machine where `computerd host` runs, reached by URL. */

import { ComputerError } from "@cloudflare/computer-rpc";
import { z } from "zod";
import { checkOptions } from "../../options/check-options.ts";
import type {
  ContainerExitInfo,
  ContainerHostHolder,
  ContainerLaunchSpec,
  ContainerRuntimeInfo,
  IWorkspaceContainerAPI,
} from "./container-api.ts";

export interface ComputerdHostOptions {
  /** Where the host listens, e.g. `http://127.0.0.1:8790`. */
  url: string;
  /** The token that the host was started with. Keep it in a secret, not in code. */
  token: string;
  /** Which computer of the host; made when it is first started. 1 to 128 of A-Z a-z 0-9 . _ -. */
  id: string;
}

const HOST_TOKEN = "Computer-Host-Token";

const options = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: "it must be an http or https address" }),
  token: z.string().min(1, { error: "it must not be empty" }),
  id: z.string().regex(/^[A-Za-z0-9][\w.-]{0,127}$/, {
    error: "it must be 1 to 128 of A-Z a-z 0-9 . _ - and begin with a letter or digit",
  }),
});

const runtimeInfo = z.object({
  runtimeId: z.string(),
  clientSecret: z.string(),
  outcome: z.enum(["launched", "adopted", "relaunched"]),
});

const statusInfo = z.object({
  running: z.boolean(),
  exit: z.object({ exitedAt: z.number(), reason: z.string() }).nullable(),
});

/**
 * The computer `id` of a `computerd host`, for a `ContainerBackend`.
 *
 * @example
 * new ContainerBackend({
 *   workspace: { binding: "AGENT", id: ctx.id.toString() },
 *   container: () => computerdHost({ url: env.COMPUTER_HOST_URL, token: env.COMPUTER_HOST_TOKEN, id: ctx.id.toString() }),
 * })
 */
export function computerdHost(given: ComputerdHostOptions): ContainerHostHolder {
  checkOptions(options, given, "computerdHost");
  const api = new HostedContainer(given);
  return { getWorkspaceContainer: () => api };
}

class HostedContainer implements IWorkspaceContainerAPI {
  readonly #computer: string;
  readonly #token: string;

  constructor({ url, token, id }: ComputerdHostOptions) {
    this.#computer = `${url.replace(/\/+$/, "")}/computers/${id}`;
    this.#token = token;
  }

  async start(spec: ContainerLaunchSpec): Promise<ContainerRuntimeInfo> {
    return this.#read(runtimeInfo, await this.#ask("POST", "", spec));
  }

  async restart(spec: ContainerLaunchSpec): Promise<ContainerRuntimeInfo> {
    return this.#read(runtimeInfo, await this.#ask("POST", "/restart", spec));
  }

  fetchPort(port: number, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set(HOST_TOKEN, this.#token);
    return this.#fetch(
      new Request(`${this.#computer}/port/${port}${pathname}${search}`, new Request(request, { headers })),
    );
  }

  port(port: number): Fetcher {
    return {
      fetch: (input: RequestInfo | URL, init?: RequestInit) => this.fetchPort(port, input, init),
      connect: () => {
        throw new ComputerError("EUNAVAILABLE", "A computer behind a URL can be reached over HTTP and WebSocket only.");
      },
    } as Fetcher;
  }

  async setInactivityTimeout(durationMs: number): Promise<void> {
    await this.#ask("PUT", "/inactivity", { ms: durationMs });
  }

  async status(): Promise<{ running: boolean; exit: ContainerExitInfo | null }> {
    return this.#read(statusInfo, await this.#ask("GET", ""));
  }

  async exitInfo(): Promise<ContainerExitInfo | null> {
    return (await this.status()).exit;
  }

  async interceptOutboundHttp(): Promise<void> {
    throw noInterception();
  }

  /** Nothing is left to do: the host was told at the start, and asks for the gateway over the session. */
  async interceptAllOutboundHttp(): Promise<void> {}

  async #ask(method: string, action: string, body?: object): Promise<Response> {
    const headers = { [HOST_TOKEN]: this.#token, "Content-Type": "application/json" };
    const sent = body === undefined ? null : JSON.stringify(body);
    const response = await this.#fetch(new Request(`${this.#computer}${action}`, { method, headers, body: sent }));
    if (response.ok) return response;
    const words = saidBy(await response.text());
    if (response.status === 401 || response.status === 403) {
      throw new ComputerError(
        "EUNAUTHORIZED",
        `The computer host refused the token (${words}): give computerdHost the one that \`computerd host\` was started with.`,
      );
    }
    throw new ComputerError("EUNAVAILABLE", `The computer host answered ${response.status}: ${words}`);
  }

  async #fetch(request: Request): Promise<Response> {
    try {
      return await fetch(request);
    } catch (error) {
      throw new ComputerError(
        "EUNREACHABLE",
        `No computer host answers at ${new URL(this.#computer).origin}: start one with \`computerd host\`, or correct the url of computerdHost.`,
        { cause: error },
      );
    }
  }

  async #read<T>(schema: z.ZodType<T>, response: Response): Promise<T> {
    const result = schema.safeParse(await response.json().catch(() => undefined));
    if (result.success) return result.data;
    throw new ComputerError("EPROTOCOL", `${new URL(this.#computer).origin} does not answer as a computer host does.`);
  }
}

/** The message of a host's error, or the beginning of whatever else it said. */
function saidBy(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === "string") return message;
  } catch {
    // Not a host's own answer.
  }
  return text.slice(0, 500);
}

function noInterception(): ComputerError {
  return new ComputerError(
    "EOPTION",
    'A computer behind a URL has no egressHost: let its commands ask a gateway, with egress { mode: "http-gateway" }.',
  );
}
