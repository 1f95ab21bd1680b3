/** A computer in memory whose commands are functions: a double for tests of agents, without Docker and without a network. */

import { ComputerError, type KillSignal, TIMED_OUT, WORKSPACE_ROOT } from "@cloudflare/computer-rpc";
import type { WorkspaceFilesystem } from "@cloudflare/dofs";
import type { Computer, ComputerHost, ComputerSession } from "../computer/computer.ts";
import type {
  KillInput,
  ModuleExecutionEnvelope,
  ModuleExecutionInput,
  ReattachInput,
  RunReference,
} from "../computer/run.ts";
import type { RunEnd } from "../computer/run-log.ts";
import type { WorkspaceRuntimeValue } from "../runtime/event.ts";
import { MemoryRun } from "./memory-run.ts";
import { shellWords } from "./shell-words.ts";

/** What a command of a {@link MemoryComputer} works with. */
export interface MemoryCommandContext {
  /** The words after the command's name. */
  readonly args: readonly string[];
  /** The whole of what was run. */
  readonly source: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array;
  readonly input: WorkspaceRuntimeValue | undefined;
  /** The files of the workspace. */
  readonly fs: WorkspaceFilesystem;
  /** Aborted when the run is killed or out of time; what the command does after that is not seen. */
  readonly signal: AbortSignal;
  stdout(text: string | Uint8Array): void;
  stderr(text: string | Uint8Array): void;
}

/** A command. What it returns is its exit code, 0 without one; `{ value }` is the value of a callable computer. An error is exit code 1. */
export type MemoryCommand = (context: MemoryCommandContext) => MemoryOutcome | Promise<MemoryOutcome>;

// biome-ignore lint/suspicious/noConfusingVoidType: a command that says nothing of its end is the usual one
type MemoryOutcome = number | { value: WorkspaceRuntimeValue } | void;

export interface MemoryComputerOptions {
  /** Default `memory`. */
  readonly id?: string;
  readonly description?: string;
  /** Takes `input` and returns a value. Default false. */
  readonly callable?: boolean;
  /** Commands by their first word. */
  readonly commands?: Readonly<Record<string, MemoryCommand>>;
  /** Runs what no command is named for; without it that is "command not found" and exit code 127. */
  readonly otherwise?: MemoryCommand;
}

const SIGNALS: Readonly<Record<KillSignal, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };
const NOT_FOUND = 127;
const KEPT_RUNS = 100;

/**
 * Runs functions as commands over the workspace's own files, with the events, kills, timeouts and replays of a real computer.
 *
 * @example
 * const computer = new MemoryComputer({
 *   commands: {
 *     async wc({ args, fs, stdout }) {
 *       const text = await fs.readFile(`/workspace/${args[0]}`, "utf8");
 *       stdout(`${text.split("\n").length - 1}\n`);
 *     },
 *   },
 * });
 * const workspace = new Workspace({ storage: ctx.storage, backends: [computer] });
 */
export class MemoryComputer implements Computer {
  readonly id: string;
  readonly type = "memory";
  readonly protocol = "command";
  readonly callable: boolean;
  readonly description: string | undefined;
  readonly #commands: ReadonlyMap<string, MemoryCommand>;
  readonly #otherwise: MemoryCommand;

  constructor(options: MemoryComputerOptions = {}) {
    this.id = options.id ?? "memory";
    this.callable = options.callable === true;
    this.description = options.description;
    this.#commands = new Map(Object.entries(options.commands ?? {}));
    this.#otherwise = options.otherwise ?? notFound;
  }

  async connect(host: ComputerHost): Promise<ComputerSession> {
    return new MemorySession(host, (name) => this.#commands.get(name) ?? this.#otherwise);
  }
}

class MemorySession implements ComputerSession {
  readonly #fs: WorkspaceFilesystem;
  readonly #command: (name: string) => MemoryCommand;
  readonly #runs = new Map<string, MemoryRun>();
  readonly #used = new Set<string>();
  readonly #runtimeId = crypto.randomUUID();

  constructor(host: ComputerHost, command: (name: string) => MemoryCommand) {
    this.#fs = host.fs;
    this.#command = command;
  }

  async exec(input: ModuleExecutionInput): Promise<ModuleExecutionEnvelope> {
    const id = input.id ?? crypto.randomUUID();
    if (this.#used.has(id)) {
      throw new ComputerError(
        "EEXEC_EXISTS",
        `A run with the id '${id}' was already started here. Attach to it with getExec.`,
      );
    }
    this.#used.add(id);
    const run = new MemoryRun(id);
    this.#runs.set(id, run);
    const [name = "", ...args] = shellWords(input.source);
    const context = this.#context(run, input, args);
    void this.#end(run, this.#command(name), context, input.timeoutMs);
    return { id, runtimeId: this.#runtimeId, events: run.events() };
  }

  async getExec({ id, after, runtimeId }: ReattachInput): Promise<ModuleExecutionEnvelope> {
    const run = this.#run(id, runtimeId);
    return { id, runtimeId: this.#runtimeId, events: run.events(after) };
  }

  async killExec({ id, signal = "SIGTERM", runtimeId }: KillInput): Promise<void> {
    this.#run(id, runtimeId).end({ code: 128 + SIGNALS[signal], ended: "killed" });
  }

  async disposeExec({ id, runtimeId }: RunReference): Promise<void> {
    this.#run(id, runtimeId).end({ code: 128 + SIGNALS.SIGTERM, ended: "killed" });
    this.#runs.delete(id);
  }

  async close(): Promise<void> {
    for (const run of this.#runs.values()) run.end({ code: 128 + SIGNALS.SIGKILL, ended: "killed" });
  }

  #run(id: string, runtimeId: string | undefined): MemoryRun {
    const run = this.#runs.get(id);
    if (run !== undefined && (runtimeId ?? this.#runtimeId) === this.#runtimeId) return run;
    throw new ComputerError(
      "EEXEC_LOST",
      `This computer does not know the run '${id}': it was disposed of, or ran elsewhere.`,
    );
  }

  #context(run: MemoryRun, input: ModuleExecutionInput, args: string[]): MemoryCommandContext {
    const { source, cwd = WORKSPACE_ROOT, env = {}, stdin = "" } = input;
    return {
      args,
      source,
      cwd: cwd.startsWith("/") ? cwd : `${WORKSPACE_ROOT}/${cwd}`,
      env: { ...env },
      stdin: bytes(stdin),
      input: input.input,
      fs: this.#fs,
      signal: run.signal,
      stdout: (text) => run.say("stdout", bytes(text)),
      stderr: (text) => run.say("stderr", bytes(text)),
    };
  }

  async #end(
    run: MemoryRun,
    command: MemoryCommand,
    context: MemoryCommandContext,
    timeoutMs: number | undefined,
  ): Promise<void> {
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => timeOut(run, timeoutMs), timeoutMs);
    try {
      run.end(endOf(await command(context)));
    } catch (error) {
      run.say("stderr", bytes(`${error instanceof Error ? error.message : String(error)}\n`));
      run.end({ code: 1 });
    } finally {
      clearTimeout(timer);
      this.#forgetOldRuns();
    }
  }

  #forgetOldRuns(): void {
    const over = [...this.#runs.values()].filter((run) => run.over);
    for (const { id } of over.slice(0, -KEPT_RUNS)) this.#runs.delete(id);
  }
}

function timeOut(run: MemoryRun, timeoutMs: number): void {
  run.say("stderr", bytes(`timed out after ${timeoutMs} ms and was ended\n`));
  run.end({ code: TIMED_OUT, ended: "timeout" });
}

function endOf(outcome: MemoryOutcome): RunEnd {
  if (typeof outcome === "number") return { code: outcome };
  return typeof outcome === "object" ? { code: 0, result: outcome.value } : { code: 0 };
}

function notFound({ source, stderr }: MemoryCommandContext): number {
  stderr(`${shellWords(source)[0] ?? source}: command not found\n`);
  return NOT_FOUND;
}

/** A copy, so that a caller's later change of its buffer is not seen. */
function bytes(value: string | Uint8Array): Uint8Array {
  return typeof value === "string" ? new TextEncoder().encode(value) : value.slice();
}
