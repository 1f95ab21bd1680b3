/** One run as a computer takes it and gives it back. */

import type { KillSignal } from "@cloudflare/computer-rpc";
import type { WorkspaceRuntimeEvent, WorkspaceRuntimeValue } from "../runtime/event.ts";
import type { ExecSyncResult, SkippedEntry } from "../runtime/result.ts";

/** A run to start. */
export interface ModuleExecutionInput {
  id?: string | undefined;
  /** A shell command for a `command` computer, the text of an ES module for a `module` computer. */
  source: string;
  cwd?: string | undefined;
  /** What a callable computer hands to the module's default export. */
  input?: WorkspaceRuntimeValue | undefined;
  /** The environment of this run only. */
  env?: Record<string, string> | undefined;
  stdin?: string | Uint8Array | undefined;
  /** Milliseconds after which the run is cancelled with exit code 124. */
  timeoutMs?: number | undefined;
  /** `"defer"` leaves the changes of the run to the next `pull()`; `"wait"`, the default, takes them before the exit is told. */
  sync?: "wait" | "defer" | undefined;
}

/** What came of taking a run's changes over. */
export interface SyncOutcome {
  applied: number;
  skipped: SkippedEntry[];
  sync: ExecSyncResult;
}

/** A run that has started. */
export interface ModuleExecutionEnvelope {
  id: string;
  /** Which life of the computer it runs in: a replaced computer has another. */
  runtimeId?: string | undefined;
  events: ReadableStream<WorkspaceRuntimeEvent<undefined>>;
  /** Absent where the computer works on the workspace's own files. `outcome` settles before the exit event comes. */
  sync?: { pushed: number; outcome: Promise<SyncOutcome> } | undefined;
}

/** Which run, and in which life of the computer. */
export interface RunReference {
  id: string;
  runtimeId?: string | undefined;
}

export interface ReattachInput extends RunReference {
  /** Only events with a `seq` above this; `"tail"` gives only what is yet to come. */
  after?: number | "tail";
}

export interface KillInput extends RunReference {
  signal?: KillSignal;
}
