/** Where a shell comes from: a Dynamic Worker that a loader makes, or a Worker of the user's own. */

import type { KillSignal } from "@cloudflare/computer-rpc";
import type { WorkspaceServiceProxyProps } from "../../proxy/workspace-service-proxy.ts";
import type { WorkspaceEgressPolicy } from "../container/container-api.ts";

/** Code for a Dynamic Worker. */
export interface WorkerLoaderCode {
  compatibilityDate: string;
  compatibilityFlags?: string[] | undefined;
  mainModule: string;
  modules: Record<string, string | { js?: string; cjs?: string; text?: string }>;
  env?: Record<string, unknown> | undefined;
  globalOutbound?: unknown;
}

/** A `worker_loaders` binding. */
export interface WorkerShellLoader {
  get(
    name: string,
    getCode: () => WorkerLoaderCode | Promise<WorkerLoaderCode>,
  ): { getEntrypoint(name?: string): unknown; [Symbol.dispose]?: () => void };
}

/** A shell's Worker, or a stub of one. Events are lines of JSON, see `decodeExecEvents`. */
export interface WorkerShellRuntime {
  exec(input: {
    command: string;
    cwd?: string;
    id?: string;
    timeoutMs?: number;
    env?: Record<string, string>;
    stdin?: Uint8Array;
  }): Promise<{ id: string; events: ReadableStream<Uint8Array> }>;
  getExec(input: { id: string; after?: number | "tail" }): Promise<{ id: string; events: ReadableStream<Uint8Array> }>;
  killExec(input: { id: string; signal?: KillSignal }): Promise<void>;
}

/** Where the shell comes from. */
export type WorkerShellSource =
  | { type: "loader"; loader: WorkerShellLoader; workspace: WorkspaceServiceProxyProps; ctx: unknown }
  | {
      type: "external-runtime";
      connect(options: { egress: WorkspaceEgressPolicy }): WorkerShellRuntime | Promise<WorkerShellRuntime>;
    };
