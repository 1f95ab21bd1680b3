/** What a caller may say about a run. */

import type { KillSignal } from "@cloudflare/computer-rpc";
import { z } from "zod";
import type { ExecEncoding, WorkspaceRuntimeValue } from "./event.ts";

/** Limits of one run's result, for each stream. */
export interface WorkspaceRuntimeOutputOptions {
  /** Lines that a stream of a result has at most, its last ones. Default 2000. */
  readonly maxLines?: number | undefined;
  /** Bytes that a stream of a result has at most, its last ones. Default 65,536. */
  readonly maxBytes?: number | undefined;
}

export interface WorkspaceRuntimeExecOptions<E extends ExecEncoding = ExecEncoding> {
  /** Names the run, so that it can be found again; default a UUID. */
  id?: string | undefined;
  /** The computer to run on; default the first configured. */
  backend?: string | undefined;
  /** Where to run: absolute, or relative to the workspace's root, which is the default. */
  cwd?: string | undefined;
  /** `"utf8"` gives text, nothing gives bytes. */
  encoding?: E | undefined;
  /** Data for the module's default export; only for callable computers. */
  input?: WorkspaceRuntimeValue | undefined;
  /** Environment variables of this run only. */
  env?: Record<string, string> | undefined;
  stdin?: string | Uint8Array | undefined;
  /** Milliseconds until the run is cancelled with exit code 124. In a container it gets SIGTERM then, and SIGKILL one second later. */
  timeoutMs?: number | undefined;
  /** `"defer"` leaves the run's changes to the next `pull()` or run. */
  sync?: "wait" | "defer" | undefined;
  /** `false` keeps all of the output in the result and saves nothing. */
  output?: false | WorkspaceRuntimeOutputOptions | undefined;
}

export interface WorkspaceRuntimeGetOptions<E extends ExecEncoding = ExecEncoding> {
  backend?: string | undefined;
  encoding?: E | undefined;
  /** `"full"`, the default, from the first event; a number only events after that `seq`; `"tail"` only what is yet to come. */
  resume?: number | "tail" | "full" | undefined;
  output?: false | WorkspaceRuntimeOutputOptions | undefined;
}

export interface WorkspaceRuntimeKillOptions {
  backend?: string | undefined;
  /** Default SIGTERM. */
  signal?: KillSignal | undefined;
}

export interface WorkspaceRuntimeDisposeOptions {
  backend?: string | undefined;
}

const id = z
  .string()
  .min(1)
  .max(256)
  .refine((text) => !text.includes("\0"), { error: "it must not have a NUL byte" });
const encoding = z.literal("utf8", { error: 'it must be "utf8" or left out' }).optional();
const positive = z.int().positive();
const env = z.record(
  z.string().refine((name) => name !== "" && !/[=\0]/.test(name), {
    error: "a variable's name must not be empty or have = or NUL",
  }),
  z.string().refine((value) => !value.includes("\0"), { error: "a variable's value must not have a NUL byte" }),
);

/** The shape of output limits. */
export const outputLimits: z.ZodType = z
  .union([z.literal(false), z.strictObject({ maxLines: positive.optional(), maxBytes: positive.optional() })])
  .optional();

const signal = z.enum(["SIGTERM", "SIGKILL", "SIGINT", "SIGHUP"]).optional();

export const execOptions: z.ZodObject = z.strictObject({
  id: id.optional(),
  backend: id.optional(),
  cwd: z.string().min(1).optional(),
  encoding,
  input: z.json().optional(),
  env: env.optional(),
  stdin: z.union([z.string(), z.instanceof(Uint8Array)], { error: "it must be a string or bytes" }).optional(),
  timeoutMs: positive.optional(),
  sync: z.enum(["wait", "defer"]).optional(),
  output: outputLimits,
});

export const getOptions: z.ZodObject = z.strictObject({
  backend: id.optional(),
  encoding,
  resume: z.union([z.int().min(-1), z.enum(["tail", "full"])]).optional(),
  output: outputLimits,
});

export const killOptions: z.ZodObject = z.strictObject({ backend: id.optional(), signal });

export const disposeOptions: z.ZodObject = z.strictObject({ backend: id.optional() });
