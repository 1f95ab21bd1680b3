/** The main module of the shell's Worker. */

export { type BashFactory, ShellWorker, ShellWorker as default, type ShellWorkerOptions } from "./shell-worker.ts";
export { WorkspaceFsAdapter } from "./workspace-fs-adapter.ts";
