/** What is left of a run when it has ended. */

import type { ChangeCursor } from "@cloudflare/dofs";
import type {
  ExecEncoding,
  RuntimeChunk,
  ScriptReport,
  WorkspaceRuntimeTruncation,
  WorkspaceRuntimeValue,
} from "./event.ts";

/** A change of a computer that the workspace did not take, because its path is read-only there. */
export interface SkippedEntry {
  path: string;
  /** The read-only root. */
  mountRoot: string;
  op: "write" | "delete";
  reason: "read-only";
}

/** What applying changes came to. */
export interface ApplyResult {
  applied: number;
  skipped: SkippedEntry[];
  minted?: number | undefined;
}

/** Both sides changed `path`: the computer's version stands, the workspace's is kept at `kept`. */
export interface SyncConflict {
  path: string;
  kept?: string;
}

/** A path that did not come across, and why. */
export interface SyncLeftOut {
  path: string;
  reason: string;
}

/**
 * Whether the files a run changed are in the workspace. `pending`: not yet all of them; the next `pull()` or run goes on
 * from where it stopped.
 */
export type ExecSyncResult =
  | {
      status: "complete";
      applied: number;
      skipped: SkippedEntry[];
      conflicts?: SyncConflict[];
      leftOut?: SyncLeftOut[];
      mount?: "fuse" | "files";
    }
  | {
      status: "pending";
      applied: number;
      skipped: SkippedEntry[];
      error?: string;
      backend?: string;
      runtimeId?: string;
      targetCursor?: ChangeCursor;
    };

/** How a run ended: with exit code 0, with another one, or killed or out of time. */
export type WorkspaceRuntimeStatus = "completed" | "failed" | "cancelled";

/** A run that has ended. A command that fails is a result too. */
export interface WorkspaceRuntimeResult<E extends ExecEncoding = undefined> {
  status: WorkspaceRuntimeStatus;
  exitCode: number;
  stdout: RuntimeChunk<E>;
  stderr: RuntimeChunk<E>;
  /** What a module's default export returned. */
  value?: WorkspaceRuntimeValue;
  /** Set where an output was longer than the limits: the result then has its end. */
  truncated?: WorkspaceRuntimeTruncation;
  /** Of a run of the JavaScript computer. */
  script?: ScriptReport;
  /** Changes sent to the computer before the run. */
  pushed: number;
  /** Changes taken from the computer after the run. */
  pulled: number;
  skipped: SkippedEntry[];
  sync: ExecSyncResult;
}
