/** One run of a command: its process, its clock, and the log of what it says. */

import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { type KillSignal, TIMED_OUT } from "@cloudflare/computer-rpc";
import type { EventLog } from "./event-log.ts";
import type { Ended } from "./log-reader.ts";
import { signalGroup } from "./process-group.ts";

/** Waits in milliseconds. */
export interface Patience {
  /** How long the pipes are read after the shell has ended, where a background child holds them open. */
  readonly drainMs: number;
  /** How long a group that `kill` told to terminate has before it is killed. */
  readonly killMs: number;
  /** The same for a group that is out of time: shorter, since its caller was promised an end by then. */
  readonly timeoutKillMs: number;
}

export const DEFAULT_PATIENCE: Patience = { drainMs: 1000, killMs: 5000, timeoutKillMs: 1000 };

export interface ExecutionOptions {
  readonly child: ChildProcess;
  readonly log: EventLog;
  readonly stdin?: Uint8Array | undefined;
  /** Milliseconds until the whole process group gets TERM, and KILL one second later; the exit code is then 124. */
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
  /** Whether it was told to end, by a signal that is for nothing else. */
  #toEnd = false;
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

  /**
   * Signals the whole process group; TERM is followed by KILL five seconds later. Does nothing once the shell has ended. The exit code
   * is the command's own where it exits, 128 and the signal's number where a signal ended it.
   */
  kill(signal: KillSignal): void {
    if (this.#shellEnded) return;
    this.#ended ??= "killed";
    if (signal === "SIGTERM" || signal === "SIGKILL") this.#toEnd = true;
    if (signal === "SIGTERM") this.#terminate(this.#patience.killMs);
    else this.#signal(signal);
  }

  #say(name: "stdout" | "stderr", bytes: Uint8Array): void {
    this.log.append(name, bytes);
    if (this.log.full) this.#pause();
  }

  #timeOut(timeoutMs: number): void {
    this.#ended = "timeout";
    this.#toEnd = true;
    this.log.append("stderr", Buffer.from(`computerd: timed out after ${timeoutMs} ms and was ended\n`));
    this.#terminate(this.#patience.timeoutKillMs);
  }

  #terminate(graceMs: number): void {
    this.#signal("SIGTERM");
    setTimeout(() => this.#signal("SIGKILL"), graceMs);
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#child.pid !== undefined) signalGroup(this.#child.pid, signal, this.#shellEnded);
  }

  #onExit(code: number | null, signal: NodeJS.Signals | null, resolve: () => void): void {
    this.#shellEnded = true;
    // A command may answer an interrupt and go on to its own end.
    const ended = this.#toEnd || signal !== null ? this.#ended : undefined;
    const ownCode = code ?? 128 + signalNumber(signal);
    clearTimeout(this.#timeout);
    const end = () => {
      if (this.log.ended) return;
      clearTimeout(this.#drain?.timer);
      this.#drain = undefined;
      for (const output of this.#outputs) output.removeAllListeners("data").resume();
      this.log.end(ended === "timeout" ? TIMED_OUT : ownCode, ended);
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
