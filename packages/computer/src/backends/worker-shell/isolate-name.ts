/** The name of an isolate: another for everything that must not be shared. */

import { createHash } from "node:crypto";
import type { WorkspaceServiceProxyProps } from "../../proxy/workspace-service-proxy.ts";
import type { WorkspaceEgressPolicy } from "../container/container-api.ts";
import type { ShellModuleGroup } from "./modules.ts";

export interface IsolateTraits {
  readonly prefix: string;
  readonly workspace: WorkspaceServiceProxyProps;
  readonly egress: WorkspaceEgressPolicy;
  /** The core and the groups of commands, in their order. */
  readonly groups: readonly ShellModuleGroup[];
  readonly compatibilityDate: string;
  readonly flags: readonly string[];
}

/** Gateways that say no revision of themselves: each object that stands for one has a number of its own. */
const gateways = new WeakMap<object, string>();

/** What code a group is. It is read once: its megabytes would take longer than most runs. */
const digests = new WeakMap<ShellModuleGroup, string>();

/** An isolate is used again only for the same workspace, network policy and code. */
export function isolateName({ prefix, workspace, egress, groups, compatibilityDate, flags }: IsolateTraits): string {
  const { binding, id } = workspace;
  const code = groups.map(digestOf);
  const traits = JSON.stringify([binding, id, policyOf(egress), compatibilityDate, flags, code]);
  return `${prefix}:${createHash("sha256").update(traits).digest("hex")}`;
}

function digestOf(group: ShellModuleGroup): string {
  const known = digests.get(group);
  if (known !== undefined) return known;
  const hash = createHash("sha256");
  for (const [name, { js }] of Object.entries(group)) hash.update(JSON.stringify([name, js.length])).update(js);
  const digest = hash.digest("hex");
  digests.set(group, digest);
  return digest;
}

function policyOf(egress: WorkspaceEgressPolicy): readonly string[] {
  if (egress.mode !== "http-gateway") return [egress.mode];
  if (egress.revision !== undefined) return [egress.mode, egress.revision];
  const number = gateways.get(egress.gateway) ?? crypto.randomUUID();
  gateways.set(egress.gateway, number);
  return [egress.mode, "gateway", number];
}
