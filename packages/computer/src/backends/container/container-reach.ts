/** The way to a container, wherever the object is that has it. */

import { RpcStub } from "cloudflare:workers";
import { ComputerError } from "@cloudflare/computer-rpc";
import type { ContainerHostHolder, IWorkspaceContainerAPI } from "./container-api.ts";
import { CONTAINER_PORT_HEADER, CONTAINER_SECRET_HEADER } from "./with-workspace-container.ts";

/** A container that was found. */
export interface ContainerReach {
  readonly api: IWorkspaceContainerAPI;
  /** The answer to a WebSocket upgrade at a port; `secret` is that of the container's life which is meant. */
  upgrade(port: number, secret: string, url: string, headers: Record<string, string>): Promise<Response>;
  /** Lets go of what is held of another object. */
  release(): void;
}

/** Asks the holder for its container. */
export async function reachContainer(holder: ContainerHostHolder): Promise<ContainerReach> {
  const api = await holder.getWorkspaceContainer();
  if (!isRemote(api)) {
    return {
      api,
      upgrade: (port, _secret, url, headers) =>
        api.fetchPort(port, url, { headers: { ...headers, Upgrade: "websocket" } }),
      release: () => {},
    };
  }
  // A WebSocket does not travel over RPC; it does in the answer to a request.
  const fetch: unknown = Reflect.get(holder, "fetch");
  if (typeof fetch !== "function") {
    throw new ComputerError("EOPTION", "container must give a stub of a Durable Object whose class has a container.");
  }
  return {
    api,
    upgrade: (port, secret, url, headers) =>
      Reflect.apply(fetch, holder, [
        new Request(url, {
          headers: {
            ...headers,
            Upgrade: "websocket",
            [CONTAINER_PORT_HEADER]: String(port),
            [CONTAINER_SECRET_HEADER]: secret,
          },
        }),
      ]),
    release: () => api[Symbol.dispose](),
  };
}

function isRemote(api: IWorkspaceContainerAPI): api is IWorkspaceContainerAPI & Disposable {
  return api instanceof RpcStub;
}
