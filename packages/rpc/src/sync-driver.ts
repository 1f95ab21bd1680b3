/** Keeps a workspace's store and one computer in step: pushes, pulls, cursors, and only the chunks that are missing. */

import type { ChangeCursor, InodeStore } from "@cloudflare/dofs";
import { SYNC_LIMITS, type SyncLimits } from "./sync-limits.ts";
import type { SyncProgress, SyncResult, SyncTraffic } from "./sync-progress.ts";
import { type SyncPagesRPC, type SyncRPC, WORKSPACE_ROOT } from "./wire.ts";

/** Where versions that lose a conflict are kept; never synced. */
export const CONFLICT_DIR = "/.computer/conflicts";

export interface SyncDriverOptions {
  /** The workspace's own store, in this thread. */
  readonly store: InodeStore;
  /** The computer, e.g. `session.rpc.sync`. */
  readonly rpc: SyncRPC & SyncPagesRPC;
  /** Whom the cursors belong to: `runtimeId` of the computer's `Hello`. */
  readonly runtimeId: string;
  /** The backend's id, told in progress; default `container-shell`. */
  readonly backend?: string;
  /** What is synced; default {@link WORKSPACE_ROOT}. */
  readonly root?: string;
  /** Default {@link CONFLICT_DIR}. */
  readonly conflictDir?: string;
  readonly limits?: Partial<SyncLimits>;
}

export interface PullOptions {
  /** End once the computer's stream was taken over up to here; default: where it stands at the first answer. */
  readonly through?: ChangeCursor;
}

/** What is common to the steps of both directions. */
export class SyncDriver {
  readonly #options: Required<SyncDriverOptions>;
  readonly traffic: SyncTraffic = {
    entriesPushed: 0,
    entriesPulled: 0,
    chunksPushed: 0,
    chunksPulled: 0,
    bytesPushed: 0,
    bytesPulled: 0,
    roundTrips: 0,
    liveBytes: 0,
    peakLiveBytes: 0,
  };

  constructor(options: SyncDriverOptions) {
    this.#options = {
      backend: "container-shell",
      root: WORKSPACE_ROOT,
      conflictDir: CONFLICT_DIR,
      ...options,
      limits: { ...SYNC_LIMITS, ...options.limits },
    };
  }

  /** Brings the workspace's changes to the computer, a bounded page a step; leaving the loop early loses nothing. */
  async *push(): AsyncGenerator<SyncProgress, SyncResult> {
    throw new Error(`not there yet: ${this.#options.backend}`);
  }

  /** Takes the computer's own changes over, a bounded page a step; leaving the loop early loses nothing. */
  async *pull(_options: PullOptions = {}): AsyncGenerator<SyncProgress, SyncResult> {
    throw new Error(`not there yet: ${this.#options.backend}`);
  }

  /** A whole push. */
  async pushAll(): Promise<SyncResult> {
    return drain(this.push());
  }

  /** A whole pull. */
  async pullAll(options: PullOptions = {}): Promise<SyncResult> {
    return drain(this.pull(options));
  }
}

async function drain(steps: AsyncGenerator<SyncProgress, SyncResult>): Promise<SyncResult> {
  for (;;) {
    const step = await steps.next();
    if (step.done === true) return step.value;
  }
}
