/** What a shell backend is made with. */

import { z } from "zod";
import { objectWith } from "../../options/check-options.ts";
import type { WorkspaceServiceProxyProps } from "../../proxy/workspace-service-proxy.ts";
import type { WorkspaceEgressPolicy } from "../container/container-api.ts";
import type { ShellModuleGroup } from "./modules.ts";
import type { WorkerShellLoader, WorkerShellSource } from "./runtime.ts";

export interface WorkerShellBackendOptions {
  /** Where the shell comes from; `loader` is shorter for the usual one. */
  source?: WorkerShellSource | undefined;
  /** A `worker_loaders` binding. */
  loader?: WorkerShellLoader | undefined;
  /** Which object has the workspace; isolates are shared only within it. */
  workspace?: WorkspaceServiceProxyProps | undefined;
  /** The object's `ctx`. Not needed: files travel with each run. */
  ctx?: unknown;
  /** Begins the names of isolates. Default `worker-shell`. */
  loaderId?: string | undefined;
  /** Of the Dynamic Worker. Default 2026-10-01. */
  compatibilityDate?: string | undefined;
  /** Of the Dynamic Worker, beside `nodejs_compat`. */
  compatibilityFlags?: string[] | undefined;
  /** What `curl` reaches. Default `{ mode: "none" }`. */
  egress?: WorkspaceEgressPolicy | undefined;
  /** Default `worker-shell`. */
  id?: string | undefined;
  /** Groups of commands beside the core, e.g. `[jq, curl]`. */
  commands?: readonly ShellModuleGroup[] | undefined;
}

const workspace = z.looseObject({
  binding: z.string().min(1),
  id: z.string().min(1),
  name: z.string().min(1).optional(),
});

export const workerShellOptions: z.ZodObject = z.strictObject({
  source: z
    .union([
      z.strictObject({
        type: z.literal("loader"),
        loader: objectWith("get"),
        workspace: workspace.optional(),
        ctx: z.unknown().optional(),
      }),
      z.strictObject({
        type: z.literal("external-runtime"),
        connect: z.custom((value) => typeof value === "function"),
      }),
    ])
    .optional(),
  loader: objectWith("get").optional(),
  workspace: workspace.optional(),
  ctx: z.unknown().optional(),
  loaderId: z.string().min(1).optional(),
  compatibilityDate: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional(),
  compatibilityFlags: z.array(z.string().min(1)).optional(),
  egress: z
    .discriminatedUnion("mode", [
      z.strictObject({ mode: z.literal("none") }),
      z.strictObject({ mode: z.literal("direct") }),
      z.strictObject({ mode: z.literal("http-gateway"), gateway: z.custom(), revision: z.string().optional() }),
    ])
    .optional(),
  id: z.string().min(1).optional(),
  commands: z.array(z.record(z.string(), z.looseObject({ js: z.string() }))).optional(),
});
