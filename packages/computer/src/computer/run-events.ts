/** The events of one run over a line that may break: after a new dial they go on where they stopped. */

import type { ExecEvent } from "@cloudflare/computer-rpc";
import type { RunCutShort, WorkspaceRuntimeEvent, WorkspaceRuntimeValue } from "../runtime/event.ts";

export type ShellEvents = ReadableStream<ExecEvent>;

/** The events of a run to give: those with a greater `seq`, only those to come, or all. */
export type After = number | "tail" | undefined;

export interface RunEventsOptions {
  readonly events: ShellEvents;
  /** What the events were asked for after. */
  readonly after: After;
  /** The events after this over a new line, or the error that ends the run. */
  again(after: After, cause: unknown): Promise<ShellEvents>;
  /** The error to give where the new line breaks before it brought anything. */
  gaveUp(cause: unknown): unknown;
  /** Called before the exit is told; what it does is done when the exit comes. */
  exited(): Promise<void>;
  /** Why the run was cut short, for computers that do not say so themselves. */
  cutShort(exitCode: number): RunCutShort | undefined;
}

export function runEvents({
  events,
  after,
  again,
  gaveUp,
  exited,
  cutShort,
}: RunEventsOptions): ReadableStream<WorkspaceRuntimeEvent> {
  let reader = events.getReader();
  let last = after;

  const next = async (): Promise<ExecEvent | undefined> => {
    try {
      return (await reader.read()).value;
    } catch (error) {
      // One new dial for each break; a line that breaks before it brought anything is not dialled again.
      reader = (await again(last, error)).getReader();
      try {
        return (await reader.read()).value;
      } catch (again) {
        throw gaveUp(again);
      }
    }
  };

  return new ReadableStream<WorkspaceRuntimeEvent>(
    {
      async pull(controller) {
        let event = await next();
        while (event !== undefined && typeof last === "number" && event.seq <= last) event = await next();
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
