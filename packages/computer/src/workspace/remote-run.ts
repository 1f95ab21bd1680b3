/** A run in another isolate, as a handle here. */

import type { KillSignal } from "@cloudflare/computer-rpc";
import type { ExecEncoding, WorkspaceRuntimeEvent } from "../runtime/event.ts";
import { decodeRuntimeEvents } from "../runtime/event-codec.ts";
import { ExecHandle, type WorkspaceRuntimeExecHandle } from "../runtime/exec-handle.ts";
import type { WorkspaceRuntimeResult } from "../runtime/result.ts";
import { revivedError } from "../stubs/revived-error.ts";
import type { PendingRun, RemoteRun } from "./remote-workspace.ts";

/** The handle of a run that was asked for; one round trip brings it and its id. */
export async function remoteHandle(pending: PendingRun): Promise<WorkspaceRuntimeExecHandle<ExecEncoding>> {
  const [run, id, backend] = await Promise.all([pending, pending.id, pending.backend]);
  const held = new HeldRun(run);
  return new ExecHandle<ExecEncoding>({
    id,
    backend,
    events: () => held.events(),
    result: () => held.result(),
    kill: (signal) => held.kill(signal),
    dispose: () => held.letGo(),
  });
}

/** Holds the stub of a run until the caller lets go or everything was had of it. */
class HeldRun {
  readonly #run: RemoteRun;
  #released = false;

  constructor(run: RemoteRun) {
    this.#run = run;
  }

  events(): ReadableStream<WorkspaceRuntimeEvent<ExecEncoding>> {
    let reader: ReadableStreamDefaultReader<WorkspaceRuntimeEvent<ExecEncoding>> | undefined;
    return new ReadableStream<WorkspaceRuntimeEvent<ExecEncoding>>(
      {
        pull: async (controller) => {
          reader ??= decodeRuntimeEvents(await this.#run.stream()).getReader();
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
          this.letGo();
        },
        cancel: async (reason) => {
          await reader?.cancel(reason);
          this.letGo();
        },
      },
      { highWaterMark: 0 },
    );
  }

  async result(): Promise<WorkspaceRuntimeResult<ExecEncoding>> {
    try {
      const result = await this.#run.result();
      result[Symbol.dispose]?.();
      return result;
    } catch (error) {
      throw revivedError(error);
    } finally {
      this.letGo();
    }
  }

  async kill(signal: KillSignal | undefined): Promise<void> {
    if (this.#released) return;
    try {
      await this.#run.kill(signal);
    } catch (error) {
      throw revivedError(error);
    }
  }

  letGo(): void {
    if (this.#released) return;
    this.#released = true;
    this.#run[Symbol.dispose]();
  }
}
