/** What the JavaScript computer is made with, and the limits of what runs there. */

import { ComputerError } from "@cloudflare/computer-rpc";
import { z } from "zod";
import { checkOptions, objectWith } from "../../options/check-options.ts";
import type { WorkspaceEgressPolicy } from "../container/container-api.ts";
import type { WorkspaceModule, WorkspaceRuntimeAccess } from "./module-types.ts";

/** The Worker Loader binding, as far as it is used. */
export interface WorkspaceRuntimeLoader {
  load(code: {
    compatibilityDate: string;
    compatibilityFlags?: string[];
    limits?: { cpuMs?: number };
    mainModule: string;
    modules: Record<string, string | { js?: string }>;
    globalOutbound?: Fetcher | null;
  }): { getEntrypoint(name?: string, options?: { limits?: { cpuMs?: number } }): unknown };
}

/** What becomes of a run that a restart of the object cut off. Only `"fail"` is there yet. */
export type WorkspaceRuntimeInterruptPolicy = "fail" | "restart" | "replay";

/** Sizes are bytes, times milliseconds. */
export interface WorkerJavaScriptBackendOptions {
  /** The Worker Loader binding: `env.LOADER`. */
  loader: WorkspaceRuntimeLoader;
  /** Default `worker-javascript`. */
  id?: string | undefined;
  /** The directory that scripts do not leave. Default `/workspace`. */
  root?: string | undefined;
  /** `"read"` refuses every change of files with `EROFS`. Default `"read-write"`. */
  access?: WorkspaceRuntimeAccess | undefined;
  /** Modules by what a script imports them as. */
  modules?: Record<string, WorkspaceModule> | undefined;
  /** How long a run may take that does not say. Default 60,000. */
  defaultTimeoutMs?: number | undefined;
  /** The longest that a run may ask for. Default 180,000. */
  maxTimeoutMs?: number | undefined;
  /** CPU time of a run, which the platform enforces. Default 30,000. */
  maxCpuMs?: number | undefined;
  /** Default `"fail"`; the others are refused so far. */
  onInterrupt?: WorkspaceRuntimeInterruptPolicy | undefined;
  /** The script and all it imports from files. Default 8 MiB. */
  maxSourceBytes?: number | undefined;
  /** `input` as JSON. Default 1 MiB. */
  maxInputBytes?: number | undefined;
  /** Default 8 MiB. */
  maxStdinBytes?: number | undefined;
  /** Names and values together. Default 64 KiB. */
  maxEnvBytes?: number | undefined;
  /** The result as JSON. Default 1 MiB. */
  maxResultBytes?: number | undefined;
  /** Both outputs together. Default 16 MiB. */
  maxStdioBytes?: number | undefined;
  /** What all host calls of a run carry together, both ways. Default 256 MiB. */
  maxCapabilityBytes?: number | undefined;
  /** How long one call of a host module may take. Default 30,000. */
  maxHostCallMs?: number | undefined;
  /** Host calls under way at once. Default 32. */
  maxConcurrentCapabilityCalls?: number | undefined;
  /** Host calls of a run, each operation on files one. Default 20,000. */
  maxCapabilityCalls?: number | undefined;
  /** What one host call carries in. Default 16 MiB. */
  maxCapabilityRequestBytes?: number | undefined;
  /** What one host call carries out. Default 16 MiB. */
  maxCapabilityResponseBytes?: number | undefined;
  /** Entries of a directory in one answer; longer ones take more calls. Default 1,024. */
  maxDirectoryEntries?: number | undefined;
  /** Readers of one run at once. Default 8. */
  maxExecutionSubscribers?: number | undefined;
  /** How long a run that has ended is kept. Default 3,600,000. */
  retentionMs?: number | undefined;
  /** How many runs that have ended are kept. Default 100. */
  maxRetainedExecutions?: number | undefined;
  /** Of the isolate. Default `2026-10-01`. */
  compatibilityDate?: string | undefined;
  /** Of the isolate, beside those it needs. */
  compatibilityFlags?: string[] | undefined;
  /** Default `{ mode: "none" }`. */
  egress?: WorkspaceEgressPolicy | undefined;
  /** What `fetch` in the isolate goes to, in place of a policy; null for nothing. */
  globalOutbound?: Fetcher | null | undefined;
}

const MIB = 1024 * 1024;

/** The limits of a computer, each with its value. Sizes are bytes, times milliseconds. */
export interface JavaScriptLimits {
  readonly defaultTimeoutMs: number;
  readonly maxTimeoutMs: number;
  readonly maxCpuMs: number;
  readonly maxSourceBytes: number;
  readonly maxInputBytes: number;
  readonly maxStdinBytes: number;
  readonly maxEnvBytes: number;
  readonly maxResultBytes: number;
  readonly maxStdioBytes: number;
  readonly maxCapabilityBytes: number;
  readonly maxHostCallMs: number;
  readonly maxConcurrentCapabilityCalls: number;
  readonly maxCapabilityCalls: number;
  readonly maxCapabilityRequestBytes: number;
  readonly maxCapabilityResponseBytes: number;
  readonly maxDirectoryEntries: number;
  readonly maxExecutionSubscribers: number;
  readonly retentionMs: number;
  readonly maxRetainedExecutions: number;
}

const DEFAULTS: JavaScriptLimits = {
  defaultTimeoutMs: 60_000,
  maxTimeoutMs: 180_000,
  maxCpuMs: 30_000,
  maxSourceBytes: 8 * MIB,
  maxInputBytes: MIB,
  maxStdinBytes: 8 * MIB,
  maxEnvBytes: 64 * 1024,
  maxResultBytes: MIB,
  maxStdioBytes: 16 * MIB,
  maxCapabilityBytes: 256 * MIB,
  maxHostCallMs: 30_000,
  maxConcurrentCapabilityCalls: 32,
  maxCapabilityCalls: 20_000,
  maxCapabilityRequestBytes: 16 * MIB,
  maxCapabilityResponseBytes: 16 * MIB,
  maxDirectoryEntries: 1024,
  maxExecutionSubscribers: 8,
  retentionMs: 3_600_000,
  maxRetainedExecutions: 100,
};

const limit = z.int().positive().optional();

const options: z.ZodObject = z.strictObject({
  loader: objectWith("load"),
  id: z.string().min(1).optional(),
  root: z
    .string()
    .startsWith("/", { error: "it must be an absolute path" })
    .refine((path) => !path.includes("\0"), { error: "it must not have a NUL byte" })
    .optional(),
  access: z.enum(["read-write", "read"]).optional(),
  modules: z.record(z.string().min(1), z.unknown()).optional(),
  ...Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, limit])),
  onInterrupt: z
    .literal("fail", { error: 'only "fail" is there yet: a run that a restart cuts off is settled as failed' })
    .optional(),
  compatibilityDate: z.iso.date().optional(),
  compatibilityFlags: z.array(z.string()).optional(),
  egress: z
    .discriminatedUnion("mode", [
      z.strictObject({ mode: z.literal("none") }),
      z.strictObject({ mode: z.literal("direct") }),
      z.strictObject({
        mode: z.literal("http-gateway"),
        gateway: objectWith("fetch"),
        revision: z.string().optional(),
      }),
    ])
    .optional(),
  globalOutbound: z.custom().optional(),
});

/** `EOPTION` for what is wrong, before anything is made. */
export function checkJavaScriptOptions(given: WorkerJavaScriptBackendOptions): void {
  checkOptions(options, given, "WorkerJavaScriptBackend");
  if (given.egress !== undefined && given.globalOutbound !== undefined) {
    throw new ComputerError(
      "EOPTION",
      "WorkerJavaScriptBackend takes egress or globalOutbound, not both: they say the same thing.",
    );
  }
  const { defaultTimeoutMs, maxTimeoutMs } = limitsOf(given);
  if (defaultTimeoutMs > maxTimeoutMs) {
    throw new ComputerError(
      "EOPTION",
      `WorkerJavaScriptBackend's defaultTimeoutMs ${defaultTimeoutMs} is longer than its maxTimeoutMs ${maxTimeoutMs}.`,
    );
  }
}

/** The limits given, the defaults where none are. */
export function limitsOf(given: WorkerJavaScriptBackendOptions): JavaScriptLimits {
  const limits: { -readonly [K in keyof JavaScriptLimits]: number } = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS) as (keyof JavaScriptLimits)[]) limits[name] = given[name] ?? DEFAULTS[name];
  limits.defaultTimeoutMs = given.defaultTimeoutMs ?? Math.min(DEFAULTS.defaultTimeoutMs, limits.maxTimeoutMs);
  return limits;
}

/** What the isolate's `fetch` goes to: null for nothing, undefined for the network of the Worker. */
export function outboundOf({ egress, globalOutbound }: WorkerJavaScriptBackendOptions): Fetcher | null | undefined {
  if (egress === undefined) return globalOutbound ?? null;
  if (egress.mode === "http-gateway") return egress.gateway;
  return egress.mode === "direct" ? undefined : null;
}
