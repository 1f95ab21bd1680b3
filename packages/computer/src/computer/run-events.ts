/** The events of one run over a line that may break: after a new dial they go on where they stopped. */

import type { ExecEvent } from "@cloudflare/computer-rpc";
import type { RunCutShort, WorkspaceRuntimeEvent, WorkspaceRuntimeValue } from "../runtime/event.ts";

export type ShellEvents = ReadableStream<ExecEvent>;

export interface RunEventsOptions {
  readonly events: ShellEvents;
  /** The events after this `seq` over a new line, or the error that ends the run. */
  again(after: number | undefined, cause: unknown): Promise<ShellEvents>;
  /** Called before the exit is told; what it does is done when the exit comes. */
  exited(): Promise<void>;
  /** Why the run was cut short, for computers that do not say so themselves. */
  cutShort(exitCode: number): RunCutShort | undefined;
}

export function runEvents({
  events,
  again,
  exited,
  cutShort,
}: RunEventsOptions): ReadableStream<WorkspaceRuntimeEvent> {
  let reader = events.getReader();
  let last: number | undefined;

  const next = async (): Promise<ExecEvent | undefined> => {
    try {
      return (await reader.read()).value;
    } catch (error) {
      // One new dial for each break; a line that breaks before it brought anything is not dialled again.
      reader = (await again(last, error)).getReader();
      return (await reader.read()).value;
    }
  };

  return new ReadableStream<WorkspaceRuntimeEvent>(
    {
      async pull(controller) {
        let event = await next();
        while (event !== undefined && last !== undefined && event.seq <= last) event = await next();
        if (event === undefined) return controller.close();
        last = event.seq;
        if (event.name !== "exit") return controller.enqueue(event);
        await exited();
        controller.enqueue(exitEvent(event, cutShort));
        controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function exitEvent(
  event: Extract<ExecEvent, { name: "exit" }>,
  cutShort: RunEventsOptions["cutShort"],
): WorkspaceRuntimeEvent {
  const { id, seq, code, result } = event;
  const ended = event.ended ?? cutShort(code);
  return {
    id,
    seq,
    name: "exit",
    code,
    ...(result === undefined ? {} : { result: result as WorkspaceRuntimeValue }),
    ...(ended === undefined ? {} : { ended }),
  };
}
