/** A started run as a handle takes it: its events followed for the output limits, then told as text or bytes. */

import type { KillSignal } from "@cloudflare/computer-rpc";
import type { ModuleExecutionEnvelope } from "../computer/run.ts";
import type { ExecEncoding, WorkspaceRuntimeEvent } from "./event.ts";
import type { RunSource } from "./exec-handle.ts";
import { readResult } from "./read-result.ts";
import type { RunOutput } from "./run-output.ts";
import { TextEvents } from "./text-events.ts";

export interface FollowedRunOptions {
  readonly run: ModuleExecutionEnvelope;
  readonly backend: string;
  readonly encoding: ExecEncoding;
  readonly output: RunOutput;
  kill(signal: KillSignal | undefined): Promise<void>;
  /** Whether somebody asked for its end. */
  wasKilled(): boolean;
}

/** Exit codes above this are those of a signal. */
const SIGNALLED = 128;

export function followedRun({
  run,
  backend,
  encoding,
  output,
  kill,
  wasKilled,
}: FollowedRunOptions): RunSource<ExecEncoding> {
  let used = false;
  const followed = (): ReadableStream<WorkspaceRuntimeEvent> => {
    used = true;
    return run.events.pipeThrough(
      new TransformStream<WorkspaceRuntimeEvent, WorkspaceRuntimeEvent>({
        async transform(event, out) {
          out.enqueue(await output.take(told(event)));
        },
        cancel: () => output.abandon(),
      }),
    );
  };
  // A computer of the user's may know how to kill a run and have no way of saying that it did.
  const told = (event: WorkspaceRuntimeEvent): WorkspaceRuntimeEvent =>
    event.name === "exit" && event.ended === undefined && event.code > SIGNALLED && wasKilled()
      ? { ...event, ended: "killed" }
      : event;
  return {
    id: run.id,
    backend,
    kill,
    events: () => {
      output.withoutResult();
      return encoding === "utf8" ? asText(followed()) : followed();
    },
    result: () => readResult(run, followed(), output, encoding),
    dispose() {
      // A stream that was never read would keep the connection's end of it alive.
      if (!used) void run.events.cancel().catch(() => {});
    },
  };
}

function asText(events: ReadableStream<WorkspaceRuntimeEvent>): ReadableStream<WorkspaceRuntimeEvent<"utf8">> {
  const text = new TextEvents();
  return events.pipeThrough(
    new TransformStream<WorkspaceRuntimeEvent, WorkspaceRuntimeEvent<"utf8">>({
      transform(event, out) {
        for (const each of text.take(event)) out.enqueue(each);
      },
    }),
  );
}
