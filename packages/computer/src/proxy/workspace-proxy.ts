/** The way of a container's HTTP requests to the object that has its workspace. */

import { WorkerEntrypoint } from "cloudflare:workers";
import { EGRESS_TOKEN_HEADER } from "./egress-token.ts";
import { type WorkspaceObjectRef, workspaceObject } from "./workspace-object.ts";

/** Which object has the workspace. */
export interface WorkspaceProxyProps extends WorkspaceObjectRef {
  /** Marks what comes through here as the container's own, for `ContainerBackend.handleFetch`. */
  readonly egressToken?: string | undefined;
}

/**
 * A loopback entrypoint that sends each request on to the object's `fetch`. Export it from the Worker's main module.
 *
 * @example
 * export { WorkspaceProxy } from "@cloudflare/computer";
 */
export class WorkspaceProxy extends WorkerEntrypoint<unknown, WorkspaceProxyProps> {
  override async fetch(request: Request): Promise<Response> {
    const { egressToken } = this.ctx.props;
    const headers = new Headers(request.headers);
    // What runs in the container must not be able to say this of itself.
    headers.delete(EGRESS_TOKEN_HEADER);
    if (egressToken !== undefined) headers.set(EGRESS_TOKEN_HEADER, egressToken);
    return workspaceObject(this.env, this.ctx.props, "WorkspaceProxy").fetch(new Request(request, { headers }));
  }
}
