/** The way of a container's requests to the object that has the workspace, as the platform wants it. */

import { ComputerError } from "@cloudflare/computer-rpc";
import type { WorkspaceProxyProps } from "../../proxy/workspace-proxy.ts";

/** A Fetcher that goes through this Worker's own `WorkspaceProxy`; `EOPTION` where its main module exports none. */
export function outboundBinding(exports: object, props: WorkspaceProxyProps): Fetcher {
  const make: unknown = Reflect.get(exports, "WorkspaceProxy");
  if (typeof make !== "function") {
    throw new ComputerError(
      "EOPTION",
      'What a container asks for comes through WorkspaceProxy: write export { WorkspaceProxy } from "@cloudflare/computer" in the Worker\'s main module.',
    );
  }
  return make({ props });
}
