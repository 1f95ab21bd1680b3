/** The shapes that a shell's Worker and what starts runs in it share. */

import type { ArtifactsCLIInput, ArtifactsCLIResult } from "../artifacts/artifact-client.ts";
import type { ShellFileSource } from "./files/wire.ts";
import type { GitCommandLine } from "./host/artifacts-command.ts";
import type { WorkspaceFs } from "./workspace-fs.ts";

/** A run to start. */
export interface ExecInput {
  command: string;
  /** Default `/workspace`. */
  cwd?: string | undefined;
  /** Names the run. */
  id?: string | undefined;
  /** Milliseconds until the run is ended with exit code 124. */
  timeoutMs?: number | undefined;
  env?: Record<string, string> | undefined;
  stdin?: Uint8Array | undefined;
}

/** What commands ask of the workspace beside its files. */
export interface ShellHostSource {
  publish(path: string, options: { expiresAfter: number }): Promise<string>;
  artifacts(input: ArtifactsCLIInput): Promise<ArtifactsCLIResult>;
  git(line: GitCommandLine): Promise<ArtifactsCLIResult>;
}

/** A stub that was given with a call, to be kept by a second one. */
type Given<T> = T & Partial<Disposable> & { dup?(): T & Partial<Disposable> };

/** A run as our own backend starts it: with the workspace's files at hand. */
export interface ExecWithFiles extends ExecInput {
  files?: Given<ShellFileSource> | undefined;
  host?: Given<ShellHostSource> | undefined;
}

/** What a shell's Worker gets of the workspace that it works for, disposed when the run is over. */
export interface HostWorkspaceStub {
  fs: WorkspaceFs;
  artifacts?: { cli(input: ArtifactsCLIInput): Promise<ArtifactsCLIResult> } | undefined;
  git?: { cli(line: GitCommandLine): Promise<ArtifactsCLIResult> } | undefined;
  assets?: { publish(path: string, options: { expiresAfter: number }): Promise<string> } | undefined;
  [Symbol.dispose]?: (() => void) | undefined;
}

/** What hands the workspace out. */
export interface ShellHostFetcher {
  getWorkspace(): Promise<HostWorkspaceStub>;
}

export interface ShellWorkerEnv {
  HOST: ShellHostFetcher;
}

/** An entry of a directory. */
export interface DirentEntry {
  name: string;
  isFile: boolean;
  isDirectory: boolean;
  isSymbolicLink: boolean;
}
