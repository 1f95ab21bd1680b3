/** The main module of the shell's Worker. */

export { type ArtifactsCommandHost, defineArtifactsCommand } from "./host/artifacts-command.ts";
export { type AssetsCommandHost, defineAssetsCommand } from "./host/assets-command.ts";
export { defineGitCommand, type GitCommandHost } from "./host/git-command.ts";
export { type BashFactory, ShellWorker, ShellWorker as default, type ShellWorkerOptions } from "./shell-worker.ts";
export { WorkspaceFsAdapter } from "./workspace-fs-adapter.ts";
