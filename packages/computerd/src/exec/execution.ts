/** One run of a command: its process, its clock, and the log of what it says. */

import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import type { KillSignal } from "@cloudflare/computer-rpc";
import type { EventLog } from "./event-log.ts";
import type { Ended } from "./log-reader.ts";
import { signalGroup } from "./process-group.ts";

/** The exit code of a run that its timeout ended, as coreutils' `timeout` gives it. */
const TIMED_OUT = 124;

/** Waits in milliseconds. */
export interface Patience {
  /** How long the pipes are read after the shell has ended, where a background child holds them open. */
  readonly drainMs: number;
  /** How long a group that was told to terminate has before it is killed. */
  readonly killMs: number;
}

export const DEFAULT_PATIENCE: Patience = { drainMs: 1000, killMs: 1000 };

export interface ExecutionOptions {
  readonly child: ChildProcess;
  readonly log: EventLog;
  readonly stdin?: Uint8Array | undefined;
  /** Milliseconds until the whole process group is ended. */
  readonly timeoutMs?: number | undefined;
  readonly patience?: Patience;
}

/**
 * Follows a child that has just been started.
 *
 * The run ends when its shell does and its pipes are read out. Children that the shell left in the background live on; what they say
 * after that is thrown away, but read, so that they do not die of a broken pipe.
 */
export class Execution {
  readonly log: EventLog;
  /** Resolves after the exit event was logged. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #outputs: Readable[];
  readonly #patience: Patience;
  readonly #timeout: NodeJS.Timeout | undefined;
  #ended: Ended | undefined;
  /** The exit code where the run was ended from here, whatever the shell makes of the signal. */
  #verdict: number | undefined;
  #shellEnded = false;
  #drain: { timer: NodeJS.Timeout | undefined; since: number; leftMs: number; end: () => void } | undefined;

  constructor({ child, log, stdin, timeoutMs, patience = DEFAULT_PATIENCE }: ExecutionOptions) {
    this.log = log;
    this.#child = child;
    this.#patience = patience;
    this.#outputs = [child.stdout, child.stderr].filter((stream) => stream !== null);
    child.stdout?.on("data", (bytes: Uint8Array) => this.#say("stdout", bytes));
    child.stderr?.on("data", (bytes: Uint8Array) => this.#say("stderr", bytes));
    log.onRoom = () => this.#resume();
    // A command that does not read its input closes the pipe early; that is its right.
    child.stdin?.on("error", () => {});
    child.stdin?.end(stdin);
    if (timeoutMs !== undefined) this.#timeout = setTimeout(() => this.#timeOut(timeoutMs), timeoutMs);
    this.ended = new Promise((resolve) => {
      child.once("exit", (code, signal) => this.#onExit(code, signal, resolve));
    });
  }

  /** Signals the whole process group; TERM is followed by KILL. Does nothing once the shell has ended. */
  kill(signal: KillSignal): void {
    if (this.#shellEnded) return;
    this.#ended ??= "killed";
    if (signal === "SIGTERM" || signal === "SIGKILL") this.#verdict ??= 128 + signalNumber(signal);
    if (signal === "SIGTERM") this.#terminate();
    else this.#signal(signal);
  }

  #say(name: "stdout" | "stderr", bytes: Uint8Array): void {
    this.log.append(name, bytes);
    if (this.log.full) this.#pause();
  }

  #timeOut(timeoutMs: number): void {
    this.#ended = "timeout";
    this.#verdict = TIMED_OUT;
    this.log.append("stderr", Buffer.from(`computerd: timed out after ${timeoutMs} ms and was ended\n`));
    this.#terminate();
  }

  #terminate(): void {
    this.#signal("SIGTERM");
    setTimeout(() => {
      if (!this.#shellEnded && this.#verdict !== TIMED_OUT) this.#verdict = 128 + constants.signals.SIGKILL;
      this.#signal("SIGKILL");
    }, this.#patience.killMs);
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#child.pid !== undefined) signalGroup(this.#child.pid, signal, this.#shellEnded);
  }

  #onExit(code: number | null, signal: NodeJS.Signals | null, resolve: () => void): void {
    this.#shellEnded = true;
    // A command may answer a signal and go on to its own end.
    const ended = this.#verdict === undefined && signal === null ? undefined : this.#ended;
    clearTimeout(this.#timeout);
    const end = () => {
      if (this.log.ended) return;
      clearTimeout(this.#drain?.timer);
      this.#drain = undefined;
      for (const output of this.#outputs) output.removeAllListeners("data").resume();
      this.log.end(this.#verdict ?? code ?? 128 + signalNumber(signal), ended);
      resolve();
    };
    void Promise.all(this.#outputs.map(isClosed)).then(end);
    this.#drain = { timer: undefined, since: 0, leftMs: this.#patience.drainMs, end };
    if (!this.log.full) this.#resume();
  }

  #pause(): void {
    for (const output of this.#outputs) output.pause();
    // Time in which the output waits for a slow listener is not time in which it was read.
    if (this.#drain?.timer !== undefined) {
      clearTimeout(this.#drain.timer);
      this.#drain.timer = undefined;
      this.#drain.leftMs -= performance.now() - this.#drain.since;
    }
  }

  #resume(): void {
    for (const output of this.#outputs) output.resume();
    if (this.#drain !== undefined && this.#drain.timer === undefined) {
      this.#drain.since = performance.now();
      this.#drain.timer = setTimeout(this.#drain.end, Math.max(0, this.#drain.leftMs));
    }
  }
}

// Of the streams themselves, since those of some launchers are none that the child's own "close" waits for.
function isClosed(stream: Readable): Promise<void> {
  return new Promise((resolve) => (stream.closed ? resolve() : void stream.once("close", resolve)));
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal];
}
