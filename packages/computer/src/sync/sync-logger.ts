/** Structured log lines about each block and each whole operation of a sync. */

import type { SyncDirection, SyncMode } from "./progress.ts";

/** CPU milliseconds that a Durable Object has for one request, unless its Worker is configured otherwise. */
export const DEFAULT_CPU_LIMIT_MS = 30_000;

/** One block of a sync; times in milliseconds. */
export interface SyncBlockTelemetry {
  readonly backend: string;
  readonly direction: SyncDirection;
  readonly mode: SyncMode;
  readonly operationId: string;
  readonly generation: string;
  readonly entries: number;
  readonly bytes: number;
  readonly skipped: number;
  readonly complete: boolean;
  readonly blockMs: number;
  readonly cursorRev: number;
  readonly targetRev: number;
  readonly cpuLimitMs?: number | undefined;
}

/** One whole sync; times in milliseconds. */
export interface SyncOperationTelemetry {
  readonly backend: string;
  readonly direction: SyncDirection;
  readonly mode: SyncMode;
  readonly operationId: string;
  readonly generation: string;
  readonly blocks: number;
  readonly entries: number;
  readonly bytes: number;
  readonly skipped: number;
  readonly totalMs: number;
  readonly worstBlockMs: number;
  readonly restarts: number;
}

/** A flat record, ready to be logged as JSON. */
export type TelemetryRecord = { [key: string]: string | number | boolean | undefined };

/** Takes what a sync says of itself. */
export interface SyncLogger {
  block(input: SyncBlockTelemetry): void;
  operation(input: SyncOperationTelemetry): void;
}

export interface SyncLoggerOptions {
  /** Default true. */
  readonly enabled?: boolean | undefined;
  /** Takes each line, a JSON object; default `console.log`. */
  readonly log?: ((line: string) => void) | undefined;
}

/** The record of one block, with the share of the CPU limit that it took. */
export function syncBlockLog(input: SyncBlockTelemetry): TelemetryRecord {
  const cpuLimitMs = input.cpuLimitMs ?? DEFAULT_CPU_LIMIT_MS;
  return { event: "sync.block", ...input, cpuLimitMs, cpuLimitShare: share(input.blockMs, cpuLimitMs) };
}

/** The record of a whole sync, with its throughput. */
export function syncOperationLog(input: SyncOperationTelemetry): TelemetryRecord {
  return { event: "sync.operation", ...input, bytesPerSecond: Math.round(share(input.bytes * 1000, input.totalMs)) };
}

/** A logger that writes one JSON line a block and one an operation. */
export function createSyncLogger(options: SyncLoggerOptions = {}): SyncLogger {
  if (options.enabled === false) return { block: () => {}, operation: () => {} };
  const log = options.log ?? ((line: string): void => console.log(line));
  return {
    block: (input) => log(JSON.stringify(syncBlockLog(input))),
    operation: (input) => log(JSON.stringify(syncOperationLog(input))),
  };
}

function share(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.round((part / whole) * 1000) / 1000;
}
