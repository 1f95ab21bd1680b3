/** One live connection to a computer that speaks `WorkspaceRPC`, with what keeps its files in step. */

import {
  isComputerError,
  LazyContents,
  SyncDriver,
  type SyncLimits,
  type WorkspaceRPC,
} from "@cloudflare/computer-rpc";
import type { BackendHandle } from "./backend.ts";
import type { ComputerHost } from "./computer.ts";
import { meetRuntime } from "./known-runtimes.ts";
import { withPages } from "./sync-pages.ts";

export class Line {
  readonly rpc: WorkspaceRPC;
  readonly runtimeId: string | undefined;
  /** Whether an exit that does not say that its run was cut short means that it was not. */
  readonly tellsEnd: boolean;
  readonly mount: "fuse" | "files" | undefined;
  /** Absent where the computer works on the workspace's own files. */
  readonly driver: SyncDriver | undefined;
  readonly #handle: BackendHandle;
  #lost = false;

  constructor(handle: BackendHandle, computer: string, host: ComputerHost, limits: Partial<SyncLimits> = {}) {
    this.#handle = handle;
    this.rpc = handle.rpc;
    this.runtimeId = handle.runtimeId;
    this.tellsEnd = handle.tellsEnd === true;
    this.mount = handle.mount;
    const contents = handle.fetchFrom === undefined ? undefined : new LazyContents(host.store);
    if (contents !== undefined) handle.fetchFrom?.(contents);
    const gone = (): void => {
      this.#lost = true;
      contents?.release();
    };
    handle.closed?.then(gone, gone);
    if (handle.sync !== "none") {
      // Without an identity the computer's files cannot be trusted to be those of last time.
      const runtimeId = handle.runtimeId ?? crypto.randomUUID();
      meetRuntime(host.db, host.store, computer, runtimeId);
      const rpc = withPages(handle.rpc.sync);
      const { ignore } = handle;
      this.driver = new SyncDriver({ store: host.store, rpc, runtimeId, backend: computer, contents, ignore, limits });
    }
  }

  get lost(): boolean {
    return this.#lost;
  }

  /** Whether a failure means that the connection is gone, and with it the answer. */
  brokenBy(error: unknown): boolean {
    const broken = this.#lost || isComputerError(error, "ECONNECTION_LOST") || isComputerError(error, "ETIMEOUT");
    if (broken) this.#lost = true;
    return broken;
  }

  async close(): Promise<void> {
    this.#lost = true;
    await this.#handle.close();
  }
}
