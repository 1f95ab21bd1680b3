/** The way of a Dynamic Worker to the workspace it works for. */

import { WorkerEntrypoint } from "cloudflare:workers";
import type { WorkspaceStub } from "../stubs/workspace-stub.ts";
import { type WorkspaceObjectRef, workspaceObject } from "./workspace-object.ts";

/** Which object has the workspace. */
export interface WorkspaceServiceProxyProps extends WorkspaceObjectRef {}

/**
 * A loopback entrypoint that hands out a stub of one object's workspace, and nothing else of the Worker. Export it from the Worker's main
 * module.
 *
 * @example
 * export { WorkspaceServiceProxy } from "@cloudflare/computer";
 * const host = ctx.exports.WorkspaceServiceProxy({ props: { binding: "AGENT", id: ctx.id.toString() } });
 */
export class WorkspaceServiceProxy extends WorkerEntrypoint<unknown, WorkspaceServiceProxyProps> {
  /** A stub of the workspace, to be disposed by who asked for it. */
  async getWorkspace(): Promise<WorkspaceStub> {
    return workspaceObject(this.env, this.ctx.props, "WorkspaceServiceProxy").__getWorkspaceStub();
  }
}
