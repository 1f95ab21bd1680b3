/** What a container backend is made with. */

import { z } from "zod";
import { functionOption } from "../../options/check-options.ts";
import type {
  ContainerHostHolder,
  ContainerInstanceSize,
  ContainerLaunchSpec,
  WorkspaceEgressPolicy,
  WorkspaceRef,
} from "./container-api.ts";

/** Times in milliseconds. */
export interface ContainerBackendOptions {
  /** What hosts the container: this object, a stub of another one, or `computerdHost({ … })`. Asked on each connect. */
  container: () => ContainerHostHolder | Promise<ContainerHostHolder>;
  /** The object that has the workspace. */
  workspace: WorkspaceRef;
  /** Default `{ mode: "direct" }`. */
  egress?: WorkspaceEgressPolicy | undefined;
  /** A host name of your choice: what commands ask of it over HTTP comes to the `fetch` of the workspace's object, whatever the policy. */
  egressHost?: string | undefined;
  /** The daemon's port in the container. Default 8080. */
  containerPort?: number | undefined;
  /** The environment of the daemon; `COMPUTER_VAR_NAME` becomes `NAME` in every command. */
  containerEnv?: Record<string, string> | undefined;
  /** How long a start and a dial may take together. Default 60,000. */
  connectTimeoutMs?: number | undefined;
  /** How often the daemon is asked whether it is still there. Default 20,000; 0 turns it off. */
  heartbeatIntervalMs?: number | undefined;
  /**
   * Patterns as in a `.gitignore` in `/workspace`, e.g. `node_modules/`: what the container does at such paths stays in it, and is gone with it.
   * What the workspace itself has there, the container gets. A large file that no command has read yet is taken over all the same.
   */
  ignore?: readonly string[] | undefined;
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
  /** Names the container to its host, and chooses the image of that name where there is one. */
  name?: string | undefined;
  /** The container's size; the platform's default where it is left out. */
  instance?: ContainerInstanceSize | undefined;
  /** More of what the container is started with: its image, entrypoint, labels, snapshots. */
  launch?: Omit<ContainerLaunchSpec, "instance" | "env" | "enableInternet" | "name"> | undefined;
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
  egressHost: z.string().min(1).optional(),
  containerPort: z.int().min(1).max(65_535).optional(),
  containerEnv: z.record(z.string(), z.string()).optional(),
  connectTimeoutMs: z.int().positive().optional(),
  heartbeatIntervalMs: ms.optional(),
  ignore: z.array(z.string().min(1)).optional(),
  restartAttempts: ms.optional(),
  healthProbeTimeoutMs: z.int().positive().optional(),
  healthRetryInitialDelayMs: ms.optional(),
  healthRetryMaxDelayMs: ms.optional(),
  id: z.string().min(1).optional(),
  name: z.string().min(1).optional(),
  instance: z
    .union([
      z.enum(["lite", "basic", "standard-1", "standard-2", "standard-3", "standard-4"]),
      z.strictObject({ vcpu: z.number(), memoryMib: z.number(), diskMb: z.number() }),
    ])
    .optional(),
  launch: z
    .strictObject({
      image: z.string().min(1).optional(),
      entrypoint: z.array(z.string()).optional(),
      labels: z.record(z.string(), z.string()).optional(),
      directorySnapshots: z.array(z.custom()).optional(),
      containerSnapshot: z.custom().optional(),
      egress: z.never("it is what the option egress says").optional(),
    })
    .optional(),
});
