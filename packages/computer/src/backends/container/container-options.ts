/** What a container backend is made with. */

import { z } from "zod";
import { functionOption } from "../../options/check-options.ts";
import type { ContainerHostHolder, ContainerLaunchSpec, WorkspaceEgressPolicy, WorkspaceRef } from "./container-api.ts";

/** Times in milliseconds. */
export interface ContainerBackendOptions {
  /** What hosts the container: `() => computerdHost({ … })`, or an object that has one. Asked on each connect. */
  container: () => ContainerHostHolder | Promise<ContainerHostHolder>;
  /** The object that has the workspace. */
  workspace: WorkspaceRef;
  /** Default `{ mode: "direct" }`. */
  egress?: WorkspaceEgressPolicy | undefined;
  /** The daemon's port in the container. Default 8080. */
  containerPort?: number | undefined;
  /** The environment of the daemon; `COMPUTER_VAR_NAME` becomes `NAME` in every command. */
  containerEnv?: Record<string, string> | undefined;
  /** How long a start and a dial may take together. Default 60,000. */
  connectTimeoutMs?: number | undefined;
  /** How often the daemon is asked whether it is still there. Default 20,000; 0 turns it off. */
  heartbeatIntervalMs?: number | undefined;
  /** How often a container whose daemon does not come up is started anew. Default 1. */
  restartAttempts?: number | undefined;
  /** How long the daemon may take to say that it is healthy, each time it is asked. Default 2,000. */
  healthProbeTimeoutMs?: number | undefined;
  /** The wait after the first unanswered question; it doubles each time. Default 50. */
  healthRetryInitialDelayMs?: number | undefined;
  /** The longest such wait. Default 1,000. */
  healthRetryMaxDelayMs?: number | undefined;
  /** Default `container-shell`. */
  id?: string | undefined;
  /** Names the container to its host. */
  name?: string | undefined;
  /** More of what the container is started with. */
  launch?: Omit<ContainerLaunchSpec, "env" | "enableInternet" | "name"> | undefined;
}

const ms = z.int().min(0);

export const containerOptions: z.ZodObject = z.strictObject({
  container: functionOption(),
  workspace: z.strictObject({
    binding: z.string().min(1),
    id: z.string().min(1),
    name: z.string().min(1).optional(),
  }),
  egress: z
    .discriminatedUnion("mode", [
      z.strictObject({ mode: z.literal("none") }),
      z.strictObject({ mode: z.literal("direct") }),
      z.strictObject({ mode: z.literal("http-gateway"), gateway: z.custom(), revision: z.string().optional() }),
    ])
    .optional(),
  containerPort: z.int().min(1).max(65_535).optional(),
  containerEnv: z.record(z.string(), z.string()).optional(),
  connectTimeoutMs: z.int().positive().optional(),
  heartbeatIntervalMs: ms.optional(),
  restartAttempts: ms.optional(),
  healthProbeTimeoutMs: z.int().positive().optional(),
  healthRetryInitialDelayMs: ms.optional(),
  healthRetryMaxDelayMs: ms.optional(),
  id: z.string().min(1).optional(),
  name: z.string().min(1).optional(),
  launch: z.record(z.string(), z.unknown()).optional(),
});
