/** What `exec` takes, gives, and needs of a workspace. */

import type { z } from "zod";
import type { WorkspaceBackendInfo } from "../../computer/backend-info.ts";
import type { WorkspaceRuntimeTruncation, WorkspaceRuntimeValue } from "../../runtime/event.ts";
import type { ToolContent, ToolDefinition } from "./definition.ts";

/** What a model is told of a backend instead of its own description. */
export interface ExecBackendOptions {
  readonly description?: string | undefined;
}

/** The backends that a tool offers, by id. */
export type ExecBackends = Readonly<Record<string, ExecBackendOptions>>;

export type ExecStreamEvent =
  | { name: "stdout"; value: string }
  | { name: "stderr"; value: string }
  | { name: "exit"; code: number; result?: unknown; truncated?: WorkspaceRuntimeTruncation };

/** A run that has started. One whose events can be read is followed as it goes; of another the result is waited for. */
export interface ExecRuntimeHandle extends Partial<AsyncIterable<ExecStreamEvent>> {
  result(): Promise<{
    exitCode: number;
    stdout: string;
    stderr: string;
    value?: unknown;
    truncated?: WorkspaceRuntimeTruncation;
  }>;
  kill?(): Promise<void>;
}

/** The part of a workspace or its client that is used. */
export interface ExecWorkspaceLike {
  runtime: {
    exec(
      command: string,
      options: {
        cwd?: string;
        encoding: "utf8";
        backend?: string;
        env?: Record<string, string>;
        input?: WorkspaceRuntimeValue;
        output?: { maxBytes: number; maxLines: number };
        /** Milliseconds until the run is cancelled with exit code 124. */
        timeoutMs?: number;
      },
    ): Promise<ExecRuntimeHandle>;
    backends?(): readonly WorkspaceBackendInfo[];
  };
}

export interface ExecToolOptions {
  workspace: ExecWorkspaceLike;
  /** The backends to offer, the first being the default; all there are unless given. */
  backends?: ExecBackends | undefined;
  /** Bytes of each output, 64 KiB unless given. */
  maxBytes?: number | undefined;
  /** Lines of each output, 2,000 unless given. */
  maxLines?: number | undefined;
  /** Length of each output that is shown while a command runs, 16 KiB unless given. */
  streamMaxBytes?: number | undefined;
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined;
}

export interface ExecCallContext {
  abortSignal?: AbortSignal | undefined;
}

export interface ExecInput {
  command: string;
  cwd?: string | undefined;
  backend?: string | undefined;
  env?: Record<string, string> | undefined;
  /** Structured input, for a backend that takes it. */
  input?: { [key: string]: WorkspaceRuntimeValue } | undefined;
  /** Seconds until the command is ended. */
  timeout?: number | undefined;
}

/** How a command ended, or how far it is: `exitCode` is null while it runs. */
export type ExecToolOutput =
  | {
      command: string;
      cwd: string | null;
      backend: string;
      exitCode: number | null;
      /** Its end, where it is longer than the limits. */
      stdout: string;
      stderr: string;
      result?: unknown;
      /** Which outputs were cut, and where the whole of them is. */
      truncated?: WorkspaceRuntimeTruncation;
    }
  | { command: string; cwd: string | null; backend: string; error: string };

/** The tool `exec`. */
export interface ExecDefinition extends ToolDefinition<ExecInput, ExecToolOutput> {
  readonly name: "exec";
  readonly description: string;
  readonly inputSchema: z.ZodType<ExecInput, unknown>;
  prepareArguments(args: unknown): unknown;
  /** Gives outputs while the command runs, and last how it ended. Leaving the loop, or aborting, ends the command. */
  execute(input: ExecInput, context?: ExecCallContext): AsyncGenerator<ExecToolOutput>;
  describe(output: ExecToolOutput): readonly ToolContent[];
}
