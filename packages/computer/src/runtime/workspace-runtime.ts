/** What can be done with the computers of a workspace. */

import type { WorkspaceBackendInfo } from "../computer/backend-info.ts";
import type { ExecEncoding } from "./event.ts";
import type { WorkspaceRuntimeExecHandle } from "./exec-handle.ts";
import type {
  WorkspaceRuntimeDisposeOptions,
  WorkspaceRuntimeExecOptions,
  WorkspaceRuntimeGetOptions,
  WorkspaceRuntimeKillOptions,
} from "./exec-options.ts";

export interface WorkspaceRuntime {
  /** Whether this computer takes `input` and returns a value; `EOPTION` where there is none of this id. */
  isCallable(id: string): boolean;
  /** The computers there are, the default first. */
  backends(): WorkspaceBackendInfo[];
  /**
   * Starts `source`; resolves once it runs. A command that fails is a result, not an error.
   *
   * @throws ComputerError `EOPTION` for an option or a computer that there is not; `ESYNC` where the files could not be brought to the
   * computer: nothing was started; `EEXEC_UNCERTAIN` where it may have been.
   * @example
   * using run = await workspace.runtime.exec("ls -l", { encoding: "utf8" });
   * const { stdout } = await run.result();
   */
  exec(source: string): Promise<WorkspaceRuntimeExecHandle<undefined>>;
  exec(source: string, options: WorkspaceRuntimeExecOptions<"utf8">): Promise<WorkspaceRuntimeExecHandle<"utf8">>;
  exec(source: string, options: WorkspaceRuntimeExecOptions<undefined>): Promise<WorkspaceRuntimeExecHandle<undefined>>;
  exec(source: string, options: WorkspaceRuntimeExecOptions): Promise<WorkspaceRuntimeExecHandle<ExecEncoding>>;
  /** A run that was started before, by id. `EEXEC_LOST` where its computer was replaced since. */
  getExec(id: string): Promise<WorkspaceRuntimeExecHandle<undefined>>;
  getExec(id: string, options: WorkspaceRuntimeGetOptions<"utf8">): Promise<WorkspaceRuntimeExecHandle<"utf8">>;
  getExec(id: string, options: WorkspaceRuntimeGetOptions<undefined>): Promise<WorkspaceRuntimeExecHandle<undefined>>;
  getExec(id: string, options: WorkspaceRuntimeGetOptions): Promise<WorkspaceRuntimeExecHandle<ExecEncoding>>;
  /** Ends a run, SIGTERM unless another signal is given. Does nothing to one that has ended. */
  killExec(id: string, options?: WorkspaceRuntimeKillOptions): Promise<void>;
  /** Makes the computer forget a run and what it said. */
  disposeExec(id: string, options?: WorkspaceRuntimeDisposeOptions): Promise<void>;
}
