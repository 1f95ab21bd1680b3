/** A session with a computer that speaks `WorkspaceRPC`: push, run and pull as one bracket, over a line that is dialled again when it breaks. */

import { ComputerError, isComputerError, type ShellRPC, type SyncLimits, TIMED_OUT } from "@cloudflare/computer-rpc";
import type { RunCutShort } from "../runtime/event.ts";
import type { SyncProgress } from "../sync/progress.ts";
import { reported } from "../sync/reported.ts";
import type { BackendHandle } from "./backend.ts";
import { pending, pullAfter, pushBefore } from "./bracket.ts";
import type { ComputerHost, ComputerSession } from "./computer.ts";
import { Dialer } from "./dialer.ts";
import { type KnownFor, type KnownRun, KnownRuns } from "./known-runs.ts";
import { Line } from "./line.ts";
import type {
  KillInput,
  ModuleExecutionEnvelope,
  ModuleExecutionInput,
  ReattachInput,
  RunReference,
  SyncOutcome,
} from "./run.ts";
import { type After, runEvents, type ShellEvents } from "./run-events.ts";

export interface SyncedSessionOptions {
  /** The computer's id. */
  readonly id: string;
  readonly host: ComputerHost;
  dial(): Promise<BackendHandle>;
  /** How much the batches of a sync may hold, where it is not the usual. */
  readonly limits?: Partial<SyncLimits>;
}

/** A run on a line. */
interface Started {
  readonly line: Line;
  readonly events: ShellEvents;
}

export class SyncedSession implements ComputerSession {
  readonly #id: string;
  readonly #host: ComputerHost;
  readonly #dialer: Dialer;
  readonly #runs: KnownRuns;
  /** Runs that were told to end, while their events are followed. */
  readonly #killed = new Set<string>();

  constructor({ id, host, dial, limits }: SyncedSessionOptions) {
    this.#id = id;
    this.#host = host;
    this.#runs = new KnownRuns(host.db, id, host.now);
    this.#dialer = new Dialer(async () => new Line(await dial(), id, host, limits));
  }

  /** Dials now, so that a computer that cannot be reached is told at once. */
  async open(): Promise<void> {
    await this.#dialer.live();
  }

  async exec(input: ModuleExecutionInput): Promise<ModuleExecutionEnvelope> {
    const id = input.id ?? crypto.randomUUID();
    if (input.id !== undefined && this.#runs.get(id) !== undefined) throw exists(id, this.#id);
    const { line, pushed } = await pushBefore((work) => this.#dialer.redialling(work), this.#id, this.#host);
    // On the workspace's own files a lost run leaves nothing to bring over, and the computer itself says that it does not know it.
    const how = line.driver === undefined && input.id === undefined ? "this life" : "kept";
    this.#remember(id, { runtimeId: line.runtimeId, timeoutMs: input.timeoutMs }, how);
    const started = await this.#start(line, shellInput(input, id));
    return this.#envelope(id, started, { pushed, defer: input.sync === "defer" });
  }

  async getExec({ id, after, runtimeId }: ReattachInput): Promise<ModuleExecutionEnvelope> {
    const started = await this.#onRun({ id, runtimeId }, async (line) => {
      const { events } = await line.rpc.shell.getExec({ id, ...(after === undefined ? {} : { after }) });
      return { line, events };
    });
    return this.#envelope(id, started, { pushed: 0, defer: false, after });
  }

  async killExec({ id, signal, runtimeId }: KillInput): Promise<void> {
    await this.#onRun({ id, runtimeId }, async (line) => {
      this.#killed.add(id);
      await line.rpc.shell.killExec({ id, ...(signal === undefined ? {} : { signal }) });
    });
  }

  async disposeExec({ id, runtimeId }: RunReference): Promise<void> {
    await this.#onRun({ id, runtimeId }, (line) => line.rpc.shell.disposeExec({ id }));
    this.#runs.forget(id);
  }

  push(): AsyncIterable<SyncProgress> {
    return this.#steps("push");
  }

  pull(): AsyncIterable<SyncProgress> {
    return this.#steps("pull");
  }

  async close(): Promise<void> {
    await this.#dialer.close();
  }

  /** Notes a run before it is started: one that cannot be noted could not be told from another later. */
  #remember(id: string, run: KnownRun, how: KnownFor): void {
    try {
      this.#runs.remember(id, run, how);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new ComputerError("ESYNC", `The command was not started: run ${id} could not be noted. ${why}`, { cause });
    }
  }

  /** Starts a command once. Where the answer is lost, the run is looked for by its id and not started again. */
  async #start(line: Line, input: Parameters<ShellRPC["exec"]>[0] & { id: string }): Promise<Started> {
    try {
      return { line, events: (await line.rpc.shell.exec(input)).events };
    } catch (error) {
      if (line.brokenBy(error)) return this.#again(line, input.id, undefined, error);
      // It was refused: nothing was run under this id, unless it is that of another run.
      if (!isComputerError(error, "EEXEC_EXISTS")) this.#runs.forget(input.id);
      throw error;
    }
  }

  /** What is left of a run, over a new line. */
  async #again(line: Line, id: string, after: After, cause: unknown): Promise<Started> {
    let why = "it could not be found again";
    try {
      const next = await this.#dialer.live();
      if (next.runtimeId === line.runtimeId && next.runtimeId !== undefined) {
        const { events } = await next.rpc.shell.getExec({ id, ...(after === undefined ? {} : { after }) });
        return { line: next, events };
      }
      why = "the computer was replaced meanwhile";
    } catch {
      // That the line broke says more than why the run could not be looked for.
    }
    throw this.#uncertain(id, why, cause);
  }

  #uncertain(id: string, why: string, cause: unknown): ComputerError {
    return new ComputerError(
      "EEXEC_UNCERTAIN",
      `The connection to computer ${this.#id} broke during run ${id}, and ${why}. The command may have started, so it is not run a second time; look at what it was to change before you run it again.`,
      { cause },
    );
  }

  #envelope(
    id: string,
    started: Started,
    { pushed, defer, after }: { readonly pushed: number; readonly defer: boolean; readonly after?: After },
  ): ModuleExecutionEnvelope {
    let { line } = started;
    const { runtimeId } = line;
    const { promise: outcome, resolve } = Promise.withResolvers<SyncOutcome>();
    const events = runEvents({
      events: started.events,
      after,
      again: async (last, cause) => {
        if (!line.brokenBy(cause)) throw cause;
        const found = await this.#again(line, id, last, cause);
        line = found.line;
        return found.events;
      },
      gaveUp: (cause) =>
        line.brokenBy(cause) ? this.#uncertain(id, "a second time after it was dialled again", cause) : cause,
      exited: async () => resolve(defer ? pending({ computer: this.#id, line }) : await this.#settle(line)),
      cutShort: (code) => {
        const guess = this.#cutShort(id, code);
        return line.tellsEnd ? undefined : guess;
      },
    });
    return {
      id,
      events,
      ...(runtimeId === undefined ? {} : { runtimeId }),
      ...(line.driver === undefined ? {} : { sync: { pushed, outcome } }),
    };
  }

  /** The pull after a run, from the same life of the computer that it ran in. */
  async #settle(ran: Line): Promise<SyncOutcome> {
    const line = ran.lost ? await this.#dialer.live().catch(() => ran) : ran;
    if (line.runtimeId !== ran.runtimeId) {
      const error = "The computer was replaced after the run: what it changed there is gone.";
      return pending({ computer: this.#id, line: ran, error });
    }
    const outcome = await pullAfter(line, this.#id, this.#host);
    if (outcome.sync.status === "complete" || !line.lost || line !== ran) return outcome;
    const next = await this.#dialer.live().catch(() => undefined);
    return next === undefined || next.runtimeId !== ran.runtimeId ? outcome : pullAfter(next, this.#id, this.#host);
  }

  /** Does `work` for a run in the life of the computer that it belongs to. */
  #onRun<T>({ id, runtimeId }: RunReference, work: (line: Line) => Promise<T>): Promise<T> {
    return this.#dialer.redialling(async (line) => {
      const belongs = runtimeId ?? this.#runs.get(id)?.runtimeId;
      if (belongs !== undefined && belongs !== line.runtimeId) throw lost(id, this.#id);
      return work(line);
    });
  }

  async *#steps(direction: "push" | "pull"): AsyncGenerator<SyncProgress> {
    const line = await this.#dialer.live();
    const { driver } = line;
    if (driver === undefined) return;
    try {
      yield* reported(driver[direction](), this.#host);
    } catch (error) {
      line.brokenBy(error);
      throw error;
    }
  }

  #cutShort(id: string, code: number): RunCutShort | undefined {
    if (this.#killed.delete(id) && code !== 0) return "killed";
    return code === TIMED_OUT && this.#runs.get(id)?.timeoutMs !== undefined ? "timeout" : undefined;
  }
}

function shellInput(input: ModuleExecutionInput, id: string): Parameters<ShellRPC["exec"]>[0] & { id: string } {
  const { source, cwd, input: value, env, stdin, timeoutMs } = input;
  return {
    id,
    source,
    ...(cwd === undefined ? {} : { cwd }),
    ...(value === undefined ? {} : { input: value }),
    ...(env === undefined ? {} : { env }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(stdin === undefined ? {} : { stdin: typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin }),
  };
}

function exists(id: string, computer: string): ComputerError {
  return new ComputerError(
    "EEXEC_EXISTS",
    `A run with the id '${id}' was already started on computer ${computer}. Attach to it with getExec, or dispose of it first.`,
  );
}

function lost(id: string, computer: string): ComputerError {
  return new ComputerError(
    "EEXEC_LOST",
    `Run ${id} ended with the life of computer ${computer} that it ran in; the computer was replaced since.`,
  );
}
