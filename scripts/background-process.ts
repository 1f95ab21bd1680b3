/** A process in the background, leader of its own group, whose output is kept and which ends with all its descendants. */

import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const KEPT_OUTPUT = 64 * 1024;
const GRACE_MS = 10_000;

export interface BackgroundOptions {
  /** Said in errors. */
  readonly title: string;
  readonly cwd: string;
  /** The whole environment; nothing of this process's is added. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A folder of its own, removed once it has stopped. */
  readonly scratch?: string;
  /** What it is told to end with; TERM by default. */
  readonly endSignal?: NodeJS.Signals;
  /** Also handed each piece of output as it comes. */
  readonly onOutput?: (text: string) => void;
}

const live = new Set<BackgroundProcess>();

/** Those that were started and not stopped, the newest first. */
export function liveProcesses(): BackgroundProcess[] {
  return [...live].reverse();
}

/** Stops all that still run, the newest first. */
export async function stopProcesses(): Promise<void> {
  for (const running of liveProcesses()) await running.stop();
}

export class BackgroundProcess {
  readonly title: string;
  readonly #scratch: string | undefined;
  readonly #endSignal: NodeJS.Signals;
  readonly #child: ChildProcess;
  readonly #ended: Promise<string>;
  #output = "";
  #hasEnded = false;

  constructor(command: string, args: readonly string[], options: BackgroundOptions) {
    this.title = options.title;
    this.#scratch = options.scratch;
    this.#endSignal = options.endSignal ?? "SIGTERM";
    this.#child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.#output = (this.#output + text).slice(-KEPT_OUTPUT);
        options.onOutput?.(text);
      });
    }
    this.#ended = new Promise((resolve) => {
      const end = (how: string): void => {
        this.#hasEnded = true;
        resolve(how);
      };
      this.#child.once("error", (error) => end(error.message));
      this.#child.once("exit", (code, signal) => end(signal === null ? `exit code ${code}` : signal));
    });
    live.add(this);
  }

  /** The process's id, which is also that of its group. */
  get pid(): number {
    return this.#child.pid ?? Number.NaN;
  }

  /** The last 64 KiB of its output, colours taken out. */
  get output(): string {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours are made of
    return this.#output.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, "");
  }

  /**
   * The first match of `pattern` in the output. Throws with the output's end when the process ends before, or does
   * not say it within `timeoutMs`.
   */
  async says(pattern: RegExp, timeoutMs: number): Promise<RegExpMatchArray> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const match = this.output.match(pattern);
      if (match) return match;
      if (this.#hasEnded) throw new Error(`${this.title} ended early (${await this.#ended}):\n${this.tail()}`);
      if (Date.now() > deadline) throw new Error(`${this.title} is not ready after ${timeoutMs} ms:\n${this.tail()}`);
      await sleep(50);
    }
  }

  /** The last lines of the output. */
  tail(lines = 25): string {
    return this.output.trimEnd().split("\n").slice(-lines).join("\n");
  }

  /** Ends the process and all its group, by force once ten seconds have passed. Twice is once. */
  async stop(): Promise<void> {
    if (this.#child.pid !== undefined) {
      const group = this.#child.pid;
      signal(-group, this.#endSignal);
      const deadline = Date.now() + GRACE_MS;
      while (isAlive(group) && Date.now() < deadline) await sleep(25);
      signal(-group, "SIGKILL");
    }
    await this.#ended;
    if (this.#scratch !== undefined) rmSync(this.#scratch, { recursive: true, force: true });
    live.delete(this);
  }
}

function signal(target: number, name: NodeJS.Signals): void {
  try {
    process.kill(target, name);
  } catch {
    // Nobody is left to hear it.
  }
}

/** Whether a process of the group still runs. Ended ones that nobody waited for do not, though they could still be signalled. */
function isAlive(group: number): boolean {
  return readdirSync("/proc").some((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // After the name in parentheses: state, parent, group.
      const [state, , itsGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return state !== "Z" && Number(itsGroup) === group;
    } catch {
      return false;
    }
  });
}
