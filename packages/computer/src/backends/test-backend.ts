/** A computer whose daemon is reached straight by its address, for tests. */

import { CBOR_PROTOCOL, ComputerError, carrierOf, connectDaemon, socketTransport } from "@cloudflare/computer-rpc";
import { z } from "zod";
import type { BackendHandle, WorkspaceBackend } from "../computer/backend.ts";
import { checkOptions } from "../options/check-options.ts";

export interface TestBackendOptions {
  /** A daemon's address, e.g. `http://127.0.0.1:8080`; with a secret `http://:SECRET@127.0.0.1:8080`. */
  url: string;
  /** Default `test`. */
  id?: string | undefined;
}

const options = z.strictObject({
  url: z.url({ protocol: /^(https?|wss?)$/, error: "it must be an http or ws address" }),
  id: z.string().min(1).optional(),
});

/**
 * Speaks with a `computerd` that already runs.
 *
 * @example
 * const workspace = new Workspace({ storage, backends: [new TestBackend({ url: "http://127.0.0.1:8080" })] });
 */
export class TestBackend implements WorkspaceBackend {
  readonly type = "test" as const;
  readonly id: string;
  readonly #url: URL;

  constructor(given: TestBackendOptions) {
    checkOptions(options, given, "TestBackend");
    this.id = given.id ?? "test";
    this.#url = new URL(given.url.replace(/^ws/, "http"));
  }

  /** `EUNAUTHORIZED` for a wrong secret, `EUNREACHABLE` where no daemon answers. */
  async connect(): Promise<BackendHandle> {
    const { origin, pathname, password } = this.#url;
    const headers = new Headers({ Upgrade: "websocket", "Sec-WebSocket-Protocol": CBOR_PROTOCOL });
    if (password !== "") headers.set("Authorization", `Bearer ${decodeURIComponent(password)}`);
    const response = await fetch(`${origin}${pathname === "/" ? "/api" : pathname}`, { headers });
    const socket = response.webSocket;
    if (socket === null) {
      if (response.status === 401 || response.status === 403) {
        throw new ComputerError(
          "EUNAUTHORIZED",
          `${origin} refused the secret: put the daemon's into the url of TestBackend, as in http://:SECRET@HOST.`,
        );
      }
      throw new ComputerError(
        "EUNREACHABLE",
        `${origin} answered ${response.status} to a WebSocket: is it a computerd?`,
      );
    }
    socket.accept();
    const carrier = carrierOf(response.headers.get("Sec-WebSocket-Protocol"));
    const session = await connectDaemon(socketTransport(socket, carrier));
    return {
      rpc: session.rpc,
      runtimeId: session.hello.runtimeId,
      mount: session.hello.mount,
      tellsEnd: true,
      closed: session.closed,
      close: async () => session.close(),
    };
  }
}
