/** A run followed to its end, as a result. */

import { ComputerError } from "@cloudflare/computer-rpc";
import type { ModuleExecutionEnvelope, SyncOutcome } from "../computer/run.ts";
import type { ExecEncoding, RunExit, RuntimeChunk, WorkspaceRuntimeEvent } from "./event.ts";
import type { WorkspaceRuntimeResult, WorkspaceRuntimeStatus } from "./result.ts";
import type { RunOutput } from "./run-output.ts";

const NO_SYNC: SyncOutcome = { applied: 0, skipped: [], sync: { status: "complete", applied: 0, skipped: [] } };

/** Reads `events` to the exit. They must have gone through `output`. */
export async function readResult<E extends ExecEncoding>(
  run: ModuleExecutionEnvelope,
  events: ReadableStream<WorkspaceRuntimeEvent>,
  output: RunOutput,
  encoding: E,
): Promise<WorkspaceRuntimeResult<E>> {
  const exit = await lastOf(events, run.id);
  const outcome = (await run.sync?.outcome) ?? NO_SYNC;
  const result: WorkspaceRuntimeResult<E> = {
    status: statusOf(exit),
    exitCode: exit.code,
    stdout: chunk(output.bytes("stdout"), encoding),
    stderr: chunk(output.bytes("stderr"), encoding),
    pushed: run.sync?.pushed ?? 0,
    pulled: outcome.applied,
    skipped: outcome.skipped,
    sync: outcome.sync,
  };
  if (exit.result !== undefined) result.value = exit.result;
  if (exit.script !== undefined) result.script = exit.script;
  if (exit.truncated !== undefined) result.truncated = exit.truncated;
  return result;
}

function statusOf({ code, ended }: RunExit): WorkspaceRuntimeStatus {
  if (ended !== undefined) return "cancelled";
  return code === 0 ? "completed" : "failed";
}

async function lastOf(events: ReadableStream<WorkspaceRuntimeEvent>, id: string): Promise<RunExit> {
  let exit: RunExit | undefined;
  for await (const event of events) if (event.name === "exit") exit = event;
  if (exit !== undefined) return exit;
  throw new ComputerError("EEXEC_LOST", `Run ${id} ended without saying how: its computer forgot it, or was replaced.`);
}

function chunk<E extends ExecEncoding>(bytes: Uint8Array, encoding: E): RuntimeChunk<E> {
  return (encoding === "utf8" ? new TextDecoder().decode(bytes) : bytes) as RuntimeChunk<E>;
}
