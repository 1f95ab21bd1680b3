/** The events of a run, all of them. */

import type { ExecEncoding, WorkspaceRuntimeEvent } from "../../runtime/event.ts";
import type { WorkspaceRuntimeExecHandle } from "../../runtime/exec-handle.ts";

export async function eventsOf<E extends ExecEncoding>(
  handle: WorkspaceRuntimeExecHandle<E>,
): Promise<WorkspaceRuntimeEvent<E>[]> {
  const events: WorkspaceRuntimeEvent<E>[] = [];
  for await (const event of handle) events.push(event);
  return events;
}
