/** How a client finds the workspace of an object: by a symbol in its own isolate, by a method from another one. */

import type { WorkspaceStub } from "../stubs/workspace-stub.ts";
import type { Workspace } from "./workspace.ts";

/** Where an object with a workspace has it. */
export const WORKSPACE: unique symbol = Symbol.for("@cloudflare/computer.workspace") as never;

/** An object whose workspace is in this isolate. */
export interface WorkspaceLocalHost {
  readonly [WORKSPACE]: Workspace;
}

/** An object that hands its workspace out over Workers RPC. */
export interface WorkspaceStubHost {
  __getWorkspaceStub(): Promise<WorkspaceStub>;
}

/** An object with a workspace, here or behind a stub of a Durable Object. */
export type WorkspaceHandle = { [WORKSPACE]?: unknown } | { __getWorkspaceStub(): PromiseLike<unknown> };

/** Where a client gets a workspace from: an object that has one, or a function that gives such an object each time one is needed. */
export type WorkspaceSource = WorkspaceHandle | (() => WorkspaceHandle | PromiseLike<WorkspaceHandle>);
