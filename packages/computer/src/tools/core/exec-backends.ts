/** Which backends `exec` offers, and how a model is told of them. */

import type { WorkspaceBackendInfo } from "../../computer/backend-info.ts";
import type { ExecBackends, ExecWorkspaceLike } from "./exec-types.ts";

export interface OfferedBackend {
  readonly id: string;
  readonly description?: string | undefined;
  /** Undefined where only its id is known. */
  readonly protocol?: WorkspaceBackendInfo["protocol"] | undefined;
  readonly callable?: boolean | undefined;
}

/** Those chosen, in their order, or all of the workspace; none are known of a workspace in another isolate. */
export function offeredBackends(workspace: ExecWorkspaceLike, chosen: ExecBackends | undefined): OfferedBackend[] {
  const known = knownBackends(workspace);
  if (chosen === undefined) return known;
  return Object.entries(chosen).map(([id, { description }]) => {
    const { protocol, callable, description: own } = known.find((backend) => backend.id === id) ?? {};
    return { id, protocol, callable, description: description ?? own };
  });
}

function knownBackends(workspace: ExecWorkspaceLike): OfferedBackend[] {
  try {
    return [...(workspace.runtime.backends?.() ?? [])];
  } catch {
    // From another isolate the list can only be awaited, and a tool is described before that.
    return [];
  }
}

/** What the description of the tool says of them. */
export function describeBackends(backends: readonly OfferedBackend[]): string {
  if (backends.length === 0) return "";
  const lines = backends.map(({ id, description, protocol, callable }, index) => {
    const takes = protocol === "module" ? " It takes an ES module, not shell commands." : "";
    const input = callable === true ? " It takes `input`." : "";
    return `- ${id}${index === 0 ? " (default)" : ""}: ${description ?? "runs commands."}${takes}${input}`;
  });
  return `\nBackends:\n${lines.join("\n")}`;
}
