/** What a run says while it runs. */

/** How the bytes of a run are handed out: `"utf8"` as text, left out as bytes. */
export type ExecEncoding = "utf8" | undefined;

/** A piece of output: text with the encoding `"utf8"`, bytes without one. */
export type RuntimeChunk<E extends ExecEncoding> = E extends "utf8" ? string : Uint8Array;

/** Any data that JSON can carry. */
export type WorkspaceRuntimeValue =
  | string
  | number
  | boolean
  | null
  | WorkspaceRuntimeValue[]
  | { [key: string]: WorkspaceRuntimeValue };

/** Where the whole of an output is that was too long for the result, or why it was not kept. */
export type TruncatedOutput =
  | {
      readonly status: "saved";
      /** The file with the whole output. */
      readonly path: string;
      readonly totalBytes: number;
      readonly totalLines: number;
      /** The number, from 1, of the first line that the result has. */
      readonly firstLine: number;
      /** Whether that line's beginning was cut off. */
      readonly partialLine: boolean;
    }
  | {
      readonly status: "not-saved";
      readonly reason: string;
      readonly totalBytes: number;
      readonly totalLines: number;
      readonly firstLine: number;
      readonly partialLine: boolean;
    };

/** Which outputs were cut to their end. */
export interface WorkspaceRuntimeTruncation {
  stdout?: TruncatedOutput;
  stderr?: TruncatedOutput;
}

/** Why a run ended before its own end. */
export type RunCutShort = "killed" | "timeout";

/** How far a run of the JavaScript computer came. */
export interface ScriptReport {
  /** Whether any of the script has run. */
  started: boolean;
  /** Operations on files, and calls of host modules. */
  hostCalls: number;
  /** Messages that those came in. */
  roundTrips: number;
}

/**
 * One event of a run. `seq` rises by one over all three kinds; `exit` is the last. `ended` is on the exit of a run that was killed or
 * ran out of time.
 */
export type WorkspaceRuntimeEvent<E extends ExecEncoding = undefined> =
  | { id: string; seq: number; name: "stdout"; value: RuntimeChunk<E> }
  | { id: string; seq: number; name: "stderr"; value: RuntimeChunk<E> }
  | {
      id: string;
      seq: number;
      name: "exit";
      code: number;
      result?: WorkspaceRuntimeValue;
      truncated?: WorkspaceRuntimeTruncation;
      ended?: RunCutShort;
      script?: ScriptReport;
    };

/** The exit of a run. */
export type RunExit = Extract<WorkspaceRuntimeEvent, { name: "exit" }>;
