/** The runtime of one workspace: sends each call to the computer it names. */

import { ComputerError, type KillSignal } from "@cloudflare/computer-rpc";
import type { WorkspaceBackendInfo } from "../computer/backend-info.ts";
import type { Computers } from "../computer/computers.ts";
import type { ModuleExecutionEnvelope } from "../computer/run.ts";
import type { WorkspaceObserver } from "../observe/observer.ts";
import { checkOptions } from "../options/check-options.ts";
import type { ExecEncoding } from "./event.ts";
import { ExecHandle, type WorkspaceRuntimeExecHandle } from "./exec-handle.ts";
import {
  disposeOptions,
  execOptions,
  getOptions,
  killOptions,
  type WorkspaceRuntimeDisposeOptions,
  type WorkspaceRuntimeExecOptions,
  type WorkspaceRuntimeGetOptions,
  type WorkspaceRuntimeKillOptions,
  type WorkspaceRuntimeOutputOptions,
} from "./exec-options.ts";
import { followedRun } from "./followed-run.ts";
import type { OutputFiles } from "./output-files.ts";
import { RunOutput } from "./run-output.ts";
import type { OutputLimits } from "./tail.ts";
import type { WorkspaceRuntime } from "./workspace-runtime.ts";

export interface RuntimeRouterOptions {
  readonly computers: Computers;
  readonly observer: WorkspaceObserver;
  /** Left out: outputs are neither cut nor saved, unless a call says otherwise. */
  readonly output?: { readonly files: OutputFiles; readonly limits: OutputLimits } | undefined;
}

/** Limits of a call that asks for some where the workspace has none. */
const DEFAULT_LIMITS: OutputLimits = { maxLines: 2000, maxBytes: 65_536 };

const REMEMBERED_KILLS = 1000;

export class RuntimeRouter implements WorkspaceRuntime {
  readonly #computers: Computers;
  readonly #observer: WorkspaceObserver;
  readonly #output: RuntimeRouterOptions["output"];
  /** Ids of runs that were killed through here, the latest {@link REMEMBERED_KILLS}. */
  readonly #killed = new Set<string>();

  constructor({ computers, observer, output }: RuntimeRouterOptions) {
    this.#computers = computers;
    this.#observer = observer;
    this.#output = output;
  }

  isCallable(id: string): boolean {
    return this.#computers.get(id).callable === true;
  }

  backends(): WorkspaceBackendInfo[] {
    return this.#computers.list().map(({ id, protocol, callable, description }) => ({
      id,
      protocol,
      callable: callable === true,
      ...(description === undefined ? {} : { description }),
    }));
  }

  exec(source: string): Promise<WorkspaceRuntimeExecHandle<undefined>>;
  exec(source: string, options: WorkspaceRuntimeExecOptions<"utf8">): Promise<WorkspaceRuntimeExecHandle<"utf8">>;
  exec(source: string, options: WorkspaceRuntimeExecOptions<undefined>): Promise<WorkspaceRuntimeExecHandle<undefined>>;
  exec(source: string, options: WorkspaceRuntimeExecOptions): Promise<WorkspaceRuntimeExecHandle<ExecEncoding>>;
  async exec(
    source: string,
    options: WorkspaceRuntimeExecOptions = {},
  ): Promise<WorkspaceRuntimeExecHandle<ExecEncoding>> {
    checkOptions(execOptions, options, "runtime.exec");
    if (typeof source !== "string" || source === "") {
      throw new ComputerError("EOPTION", "runtime.exec takes what to run as a string that is not empty.");
    }
    const { backend, encoding, output, ...input } = options;
    const computer = this.#computers.get(backend);
    if (input.input !== undefined && computer.callable !== true) {
      throw new ComputerError("EOPTION", `Computer ${computer.id} takes no input. ${this.#callableHint()}`);
    }
    const run = await this.#observer.span("workspace.exec", { "computer.id": computer.id }, async (span) => {
      const session = await this.#computers.session(computer.id);
      const started = await session.exec({ ...input, source });
      span.setAttribute("run.id", started.id);
      return started;
    });
    return this.#handle(run, computer.id, encoding, this.#follow(run.id, output, true));
  }

  getExec(id: string): Promise<WorkspaceRuntimeExecHandle<undefined>>;
  getExec(id: string, options: WorkspaceRuntimeGetOptions<"utf8">): Promise<WorkspaceRuntimeExecHandle<"utf8">>;
  getExec(id: string, options: WorkspaceRuntimeGetOptions<undefined>): Promise<WorkspaceRuntimeExecHandle<undefined>>;
  getExec(id: string, options: WorkspaceRuntimeGetOptions): Promise<WorkspaceRuntimeExecHandle<ExecEncoding>>;
  async getExec(
    id: string,
    options: WorkspaceRuntimeGetOptions = {},
  ): Promise<WorkspaceRuntimeExecHandle<ExecEncoding>> {
    checkOptions(getOptions, options, "runtime.getExec");
    const { backend, encoding, resume = "full", output } = options;
    const computer = this.#computers.get(backend);
    const session = await this.#computers.session(computer.id);
    const run = await session.getExec({ id, ...(resume === "full" ? {} : { after: resume }) });
    return this.#handle(run, computer.id, encoding, this.#follow(run.id, output, resume === "full" || resume === -1));
  }

  async killExec(id: string, options: WorkspaceRuntimeKillOptions = {}): Promise<void> {
    checkOptions(killOptions, options, "runtime.killExec");
    const { backend, signal } = options;
    await this.#kill(this.#computers.get(backend).id, { id }, signal);
  }

  async disposeExec(id: string, options: WorkspaceRuntimeDisposeOptions = {}): Promise<void> {
    checkOptions(disposeOptions, options, "runtime.disposeExec");
    const session = await this.#computers.session(this.#computers.get(options.backend).id);
    await session.disposeExec({ id });
  }

  #handle(
    run: ModuleExecutionEnvelope,
    backend: string,
    encoding: ExecEncoding,
    output: RunOutput,
  ): WorkspaceRuntimeExecHandle<ExecEncoding> {
    const kill = (signal: KillSignal | undefined): Promise<void> => this.#kill(backend, run, signal);
    const wasKilled = (): boolean => this.#killed.has(`${backend}/${run.id}`);
    return new ExecHandle(followedRun({ run, backend, encoding, output, kill, wasKilled }));
  }

  async #kill(
    backend: string,
    run: { id: string; runtimeId?: string | undefined },
    signal?: KillSignal,
  ): Promise<void> {
    const session = await this.#computers.session(backend);
    // Before the call, since the run's exit may be here before its answer.
    this.#killed.add(`${backend}/${run.id}`);
    const oldest = this.#killed.values().next().value;
    if (this.#killed.size > REMEMBERED_KILLS && oldest !== undefined) this.#killed.delete(oldest);
    await session.killExec({
      id: run.id,
      ...(run.runtimeId === undefined ? {} : { runtimeId: run.runtimeId }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  #follow(id: string, wanted: false | WorkspaceRuntimeOutputOptions | undefined, whole: boolean): RunOutput {
    if (wanted === false) return new RunOutput({ id });
    const base = this.#output?.limits ?? (wanted === undefined ? undefined : DEFAULT_LIMITS);
    const limits = base && {
      maxLines: wanted?.maxLines ?? base.maxLines,
      maxBytes: wanted?.maxBytes ?? base.maxBytes,
    };
    if (!whole) return new RunOutput({ id, limits, notSaved: "the run was joined part of the way" });
    return new RunOutput({ id, limits, files: this.#output?.files });
  }

  #callableHint(): string {
    const callable = this.#computers.list().filter((computer) => computer.callable === true);
    return callable.length === 0
      ? "None of the computers does: put it into the command, env or stdin."
      : `These do: ${callable.map(({ id }) => id).join(", ")}.`;
  }
}
