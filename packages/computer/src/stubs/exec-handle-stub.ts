/** A run's handle, for another isolate. */

import { RpcTarget } from "cloudflare:workers";
import type { KillSignal } from "@cloudflare/computer-rpc";
import type { ExecEncoding } from "../runtime/event.ts";
import { encodeRuntimeEvents } from "../runtime/event-codec.ts";
import type { WorkspaceRuntimeExecHandle } from "../runtime/exec-handle.ts";
import type { WorkspaceRuntimeResult } from "../runtime/result.ts";
import { liveTargets } from "./live-targets.ts";

/** Holds one handle, and lets go of it when the other side has. */
export class WorkspaceRuntimeExecHandleStub<E extends ExecEncoding = undefined> extends RpcTarget {
  readonly #handle: WorkspaceRuntimeExecHandle<E>;

  constructor(handle: WorkspaceRuntimeExecHandle<E>) {
    super();
    this.#handle = handle;
    liveTargets.add(this);
  }

  get id(): string {
    return this.#handle.id;
  }

  get backend(): string {
    return this.#handle.backend;
  }

  result(): Promise<WorkspaceRuntimeResult<E>> {
    return this.#handle.result();
  }

  /** The events as newline-delimited JSON, for `decodeRuntimeEvents`. */
  stream(): ReadableStream<Uint8Array> {
    return encodeRuntimeEvents(this.#handle);
  }

  kill(signal?: KillSignal): Promise<void> {
    return this.#handle.kill(signal);
  }

  [Symbol.dispose](): void {
    if (liveTargets.remove(this)) this.#handle[Symbol.dispose]();
  }
}
