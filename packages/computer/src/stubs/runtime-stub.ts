/** The runtime of a workspace, for another isolate. */

import { RpcTarget } from "cloudflare:workers";
import type { WorkspaceBackendInfo } from "../computer/backend-info.ts";
import type { ExecEncoding } from "../runtime/event.ts";
import type {
  WorkspaceRuntimeExecOptions,
  WorkspaceRuntimeGetOptions,
  WorkspaceRuntimeKillOptions,
} from "../runtime/exec-options.ts";
import type { WorkspaceRuntime } from "../runtime/workspace-runtime.ts";
import { WorkspaceRuntimeExecHandleStub } from "./exec-handle-stub.ts";
import type { ServedWorkspace } from "./served-workspace.ts";

/** Passes each call on; a run comes back as a stub of its handle, to be disposed by who asked for it. */
export class WorkspaceRuntimeStub extends RpcTarget {
  readonly #runtime: WorkspaceRuntime;

  constructor(ws: ServedWorkspace) {
    super();
    this.#runtime = ws.runtime;
  }

  backends(): WorkspaceBackendInfo[] {
    return this.#runtime.backends();
  }

  exec(source: string): Promise<WorkspaceRuntimeExecHandleStub<undefined>>;
  exec(source: string, options: WorkspaceRuntimeExecOptions<"utf8">): Promise<WorkspaceRuntimeExecHandleStub<"utf8">>;
  exec(
    source: string,
    options: WorkspaceRuntimeExecOptions<undefined>,
  ): Promise<WorkspaceRuntimeExecHandleStub<undefined>>;
  async exec(
    source: string,
    options: WorkspaceRuntimeExecOptions = {},
  ): Promise<WorkspaceRuntimeExecHandleStub<ExecEncoding>> {
    return new WorkspaceRuntimeExecHandleStub(await this.#runtime.exec(source, options));
  }

  getExec(id: string): Promise<WorkspaceRuntimeExecHandleStub<undefined>>;
  getExec(id: string, options: WorkspaceRuntimeGetOptions<"utf8">): Promise<WorkspaceRuntimeExecHandleStub<"utf8">>;
  getExec(
    id: string,
    options: WorkspaceRuntimeGetOptions<undefined>,
  ): Promise<WorkspaceRuntimeExecHandleStub<undefined>>;
  async getExec(
    id: string,
    options: WorkspaceRuntimeGetOptions = {},
  ): Promise<WorkspaceRuntimeExecHandleStub<ExecEncoding>> {
    return new WorkspaceRuntimeExecHandleStub(await this.#runtime.getExec(id, options));
  }

  killExec(id: string, options?: WorkspaceRuntimeKillOptions): Promise<void> {
    return this.#runtime.killExec(id, options);
  }

  disposeExec(id: string, options?: { backend?: string }): Promise<void> {
    return this.#runtime.disposeExec(id, options);
  }

  /** A part of its workspace's stub, which is what counts. */
  [Symbol.dispose](): void {}
}
