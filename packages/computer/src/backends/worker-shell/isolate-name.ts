/** The name of an isolate: another for everything that must not be shared. */

import { Buffer } from "node:buffer";
import type { WorkspaceServiceProxyProps } from "../../proxy/workspace-service-proxy.ts";
import type { WorkspaceEgressPolicy } from "../container/container-api.ts";
import type { ShellModuleGroup } from "./modules.ts";

export interface IsolateTraits {
  readonly prefix: string;
  readonly workspace: WorkspaceServiceProxyProps;
  readonly egress: WorkspaceEgressPolicy;
  readonly modules: ShellModuleGroup;
  readonly compatibilityDate: string;
  readonly flags: readonly string[];
}

/** Gateways that say no revision of themselves: each object that stands for one has a number of its own. */
const gateways = new WeakMap<object, string>();

/** An isolate is used again only for the same workspace, network policy and code. */
export async function isolateName({
  prefix,
  workspace,
  egress,
  modules,
  compatibilityDate,
  flags,
}: IsolateTraits): Promise<string> {
  const { binding, id } = workspace;
  const traits = JSON.stringify([binding, id, policyOf(egress), compatibilityDate, flags, modules]);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(traits));
  return `${prefix}:${Buffer.from(digest).toString("hex")}`;
}

function policyOf(egress: WorkspaceEgressPolicy): readonly string[] {
  if (egress.mode !== "http-gateway") return [egress.mode];
  if (egress.revision !== undefined) return [egress.mode, egress.revision];
  const number = gateways.get(egress.gateway) ?? crypto.randomUUID();
  gateways.set(egress.gateway, number);
  return [egress.mode, "gateway", number];
}
