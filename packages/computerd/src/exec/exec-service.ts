/** The shell half of the wire: starts runs, gives their events, ends and forgets them. */

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import {
  ComputerError,
  type ExecEvent,
  type KillSignal,
  type ShellRPC,
  WORKSPACE_ROOT,
} from "@cloudflare/computer-rpc";
import { z } from "zod";
import { type Environment, environmentFault } from "./environment.ts";
import { EventLog, type EventLogLimits } from "./event-log.ts";
import { Execution, type Patience } from "./execution.ts";
import type { Launcher } from "./launcher.ts";
import type { EventReader } from "./log-reader.ts";

/** Ended runs whose logs are kept for a replay, and the ids that are known to have been used. */
const KEPT_RUNS = 100;
const KEPT_IDS = 100_000;
/** An argument of a process may have 128 KiB on Linux; a longer source comes in through stdin. */
const LONGEST_ARGUMENT = 100_000;
const LONGEST_TIMEOUT = 2 ** 31 - 1;

const ExecInput = z.strictObject({
  source: z.string().refine((source) => !source.includes("\0"), "has a NUL byte, which no shell takes"),
  cwd: z.string().min(1).optional(),
  id: z.string().min(1).max(256).optional(),
  input: z.undefined("is only for computers that are callable; give a command its data as stdin or env").optional(),
  timeoutMs: z.number().positive().max(LONGEST_TIMEOUT).optional(),
  env: z.record(z.string(), z.string()).optional(),
  stdin: z.instanceof(Uint8Array).optional(),
});
const GetInput = z.strictObject({
  id: z.string(),
  after: z.union([z.int().min(-1), z.literal("tail")]).optional(),
});
const KillInput = z.strictObject({
  id: z.string(),
  signal: z.enum(["SIGTERM", "SIGKILL", "SIGINT", "SIGHUP"] satisfies KillSignal[]).optional(),
});
const DisposeInput = z.strictObject({ id: z.string() });

export interface ExecServiceOptions {
  readonly launcher: Launcher;
  /** Where commands see the directory that the workspace calls `/workspace`. */
  readonly workspaceRoot: string;
  /** What every command finds in its environment; a call's own variables come on top. */
  readonly env: Environment;
  /** Asked at each run for what comes before `env`. */
  readonly envNow?: () => Environment;
  /** Named in errors, so that it can be told which computer did not know a run. */
  readonly runtimeId: string;
  readonly log?: EventLogLimits;
  readonly patience?: Patience;
  /** Told of each run when it has started and when it has ended, before anybody else hears of either. */
  readonly onRun?: (state: "started" | "ended") => void;
}

/**
 * Runs by id.
 *
 * An id is good for one run, ever. The log of a run is kept until it is disposed or 100 newer runs have ended.
 */
export class ExecService implements ShellRPC {
  readonly #options: ExecServiceOptions;
  readonly #runs = new Map<string, Execution>();
  /** Ids in order of their first use, those of runs no longer kept too. */
  readonly #used = new Set<string>();
  #spool: Promise<string> | undefined;
  #started = 0;
  #running = 0;
  #lastRan: number = performance.now();

  constructor(options: ExecServiceOptions) {
    this.#options = options;
  }

  /**
   * Starts a command and resolves once it runs.
   *
   * `EOPTION` for an argument that is wrong, `EEXEC_EXISTS` for an id that was used before, `EUNAVAILABLE` where no process could be
   * started. In all three cases nothing was run.
   */
  async exec(input: Parameters<ShellRPC["exec"]>[0]): Promise<{ id: string; events: ReadableStream<ExecEvent> }> {
    const { source, cwd, id = randomUUID(), timeoutMs, env = {}, stdin } = parse("exec", ExecInput, input);
    const fault = environmentFault(env);
    if (fault !== undefined) throw new ComputerError("EOPTION", `exec: env: ${fault}.`);
    if (this.#used.has(id)) {
      throw new ComputerError(
        "EEXEC_EXISTS",
        `A run with the id '${id}' was already started here. Attach to it with getExec.`,
      );
    }
    this.#use(id);
    try {
      const spool = await this.#spoolDir();
      const carried = carry(source, stdin);
      const child = this.#options.launcher.launch({
        source: carried.source,
        cwd: this.#place(cwd),
        env: { ...this.#options.envNow?.(), ...this.#options.env, ...env },
        stdin: carried.stdin,
      });
      const log = new EventLog(id, join(spool, String(this.#started++)), this.#options.log);
      const patience = this.#options.patience;
      const execution = new Execution({ child, log, timeoutMs, stdin: carried.stdin, ...(patience && { patience }) });
      await once(child, "spawn");
      this.#runs.set(id, execution);
      this.#running++;
      this.#options.onRun?.("started");
      void execution.ended.then(() => {
        this.#running--;
        this.#lastRan = performance.now();
        this.#options.onRun?.("ended");
        this.#forgetOldRuns();
      });
      return { id, events: eventStream(log.reader(-1)) };
    } catch (error) {
      this.#used.delete(id);
      const words = error instanceof Error ? error.message : String(error);
      throw new ComputerError("EUNAVAILABLE", `The command was not started: ${words}.`, { cause: error });
    }
  }

  /**
   * The events of a run with a `seq` above `after`, then the live ones to the exit; by default all. `"tail"` gives only those yet to
   * come, and of a run that has ended its exit. `EEXEC_LOST` for a run that is not known.
   */
  async getExec(input: Parameters<ShellRPC["getExec"]>[0]): Promise<{ id: string; events: ReadableStream<ExecEvent> }> {
    const { id, after = -1 } = parse("getExec", GetInput, input);
    const { log } = this.#run(id);
    const last = log.nextSeq - 1;
    return { id, events: eventStream(log.reader(after === "tail" ? (log.ended ? last - 1 : last) : after)) };
  }

  /** Signals the run's whole process group; the default TERM is followed by KILL after five seconds. Does nothing to a run that has ended. */
  async killExec(input: { id: string; signal?: KillSignal }): Promise<void> {
    const { id, signal = "SIGTERM" } = parse("killExec", KillInput, input);
    this.#run(id).kill(signal);
  }

  /** Forgets a run and its log, ending it first where it still runs. */
  async disposeExec(input: { id: string }): Promise<void> {
    const { id } = parse("disposeExec", DisposeInput, input);
    const execution = this.#run(id);
    this.#runs.delete(id);
    execution.kill("SIGTERM");
    await execution.log.dispose();
  }

  /** Milliseconds since a run ended, or since this service was made; 0 while one is under way. */
  get idleMs(): number {
    return this.#running > 0 ? 0 : Math.round(performance.now() - this.#lastRan);
  }

  /** Bytes of a run's log that are in memory. */
  memory(id: string): number {
    return this.#run(id).log.memory;
  }

  /** Whether a run waits for a listener to catch up with its output. */
  behind(id: string): boolean {
    return this.#run(id).log.full;
  }

  /** Ends all runs, background children included, and removes the logs. */
  async close(): Promise<void> {
    await this.#options.launcher.close();
    await Promise.all([...this.#runs.values()].map(({ log }) => log.dispose()));
    if (this.#spool !== undefined) await rm(await this.#spool, { recursive: true, force: true });
  }

  #run(id: string): Execution {
    const execution = this.#runs.get(id);
    if (execution !== undefined) return execution;
    const words = this.#used.has(id)
      ? `The run '${id}' is no longer kept: it was disposed, or ${KEPT_RUNS} newer runs have ended.`
      : `This computer (runtime ${this.#options.runtimeId}) does not know the run '${id}': nothing was started on it under this id.`;
    throw new ComputerError("EEXEC_LOST", words);
  }

  #use(id: string): void {
    this.#used.add(id);
    for (const oldest of this.#used) {
      if (this.#used.size <= KEPT_IDS) break;
      if (!this.#runs.has(oldest)) this.#used.delete(oldest);
    }
  }

  #forgetOldRuns(): void {
    const ended = [...this.#runs].filter(([, { log }]) => log.ended);
    for (const [id, { log }] of ended.slice(0, -KEPT_RUNS)) {
      this.#runs.delete(id);
      void log.dispose();
    }
  }

  #place(cwd: string = WORKSPACE_ROOT): string {
    const path = posix.resolve(WORKSPACE_ROOT, cwd);
    if (path !== WORKSPACE_ROOT && !path.startsWith(`${WORKSPACE_ROOT}/`)) return path;
    return this.#options.workspaceRoot + path.slice(WORKSPACE_ROOT.length);
  }

  #spoolDir(): Promise<string> {
    this.#spool ??= mkdtemp(join(tmpdir(), "computerd-runs-"));
    return this.#spool;
  }
}

/** A source too long to be an argument is read by the shell from the front of its own stdin, which the command then continues. */
function carry(source: string, stdin: Uint8Array | undefined): { source: string; stdin: Uint8Array | undefined } {
  const bytes = Buffer.from(source);
  if (bytes.length <= LONGEST_ARGUMENT) return { source, stdin };
  return { source: `eval "$(head -c ${bytes.length})"`, stdin: Buffer.concat([bytes, stdin ?? Buffer.alloc(0)]) };
}

function eventStream(reader: EventReader): ReadableStream<ExecEvent> {
  return new ReadableStream(
    {
      async pull(controller) {
        const event = await reader.next();
        if (event === undefined) controller.close();
        else controller.enqueue(event);
      },
    },
    // Nothing is taken from the log before it is asked for: what waits here would count as listened to.
    { highWaterMark: 0 },
  );
}

function parse<T>(call: string, schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const words = parsed.error.issues.map(({ path, message }) => [...path, message].join(": ")).join("; ");
  throw new ComputerError("EOPTION", `${call}: ${words}.`);
}
