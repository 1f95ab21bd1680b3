/** The runs of a shell as the workspace sees them: told again to who asks, and over when they are said to be. */

import { ComputerError, type KillSignal, type ShellRPC, TIMED_OUT, WORKSPACE_ROOT } from "@cloudflare/computer-rpc";
import { isFsError, type WorkspaceFilesystem } from "@cloudflare/dofs";
import { RunLog } from "../../computer/run-log.ts";
import { decodeExecEvents } from "../../runtime/event-codec.ts";
import type { WorkerShellRuntime } from "./runtime.ts";
import { ShellFiles } from "./shell-files.ts";
import { ShellHost, type ShellHostParts } from "./shell-host.ts";

const SIGNALS: Readonly<Record<KillSignal, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };
const LOST = 137;
const KEPT_RUNS = 100;
/** How much longer than its timeout, in milliseconds, a shell may take to end a run itself. */
const GRACE = 1000;

interface Run {
  /** What the shell calls the run. */
  readonly inner: string;
  readonly log: RunLog;
  readonly runtime: WorkerShellRuntime;
  readonly files: ShellFiles;
  readonly host: ShellHost;
}

export interface ShellRunsOptions {
  readonly fs: WorkspaceFilesystem;
  /** A shell for one run, new where the last is gone. */
  runtime(): Promise<WorkerShellRuntime>;
  /** Whether the shell takes the files along with the run. */
  readonly takesFiles: boolean;
  /** What the commands of a run can ask beside the files. */
  readonly parts: ShellHostParts;
}

export class ShellRuns implements ShellRPC {
  readonly #options: ShellRunsOptions;
  readonly #runs = new Map<string, Run>();
  readonly #used = new Set<string>();

  constructor(options: ShellRunsOptions) {
    this.#options = options;
  }

  async exec({
    source,
    id = crypto.randomUUID(),
    cwd,
    timeoutMs,
    env,
    stdin,
  }: Parameters<ShellRPC["exec"]>[0]): ReturnType<ShellRPC["exec"]> {
    if (this.#used.has(id)) {
      throw new ComputerError(
        "EEXEC_EXISTS",
        `A run with the id '${id}' was already started here. Attach to it with getExec.`,
      );
    }
    this.#used.add(id);
    const { fs, takesFiles, parts } = this.#options;
    const runtime = await this.#options.runtime();
    await directoryAt(fs, WORKSPACE_ROOT);
    // An isolate may outlive the object that named its runs.
    const inner = takesFiles ? crypto.randomUUID() : id;
    const [files, host] = [new ShellFiles(fs), new ShellHost(parts)];
    const run: Run = { inner, log: new RunLog(id), runtime, files, host };
    const input = {
      command: source,
      id: inner,
      cwd: within(cwd),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(env === undefined ? {} : { env }),
      ...(stdin === undefined ? {} : { stdin }),
      ...(takesFiles ? { files, host } : {}),
    };
    const { events } = await runtime.exec(input);
    this.#runs.set(id, run);
    void this.#follow(run, events, timeoutMs);
    return { id, events: run.log.events() };
  }

  async getExec({ id, after }: Parameters<ShellRPC["getExec"]>[0]): ReturnType<ShellRPC["getExec"]> {
    return { id, events: this.#run(id).log.events(after) };
  }

  async killExec({ id, signal = "SIGTERM" }: Parameters<ShellRPC["killExec"]>[0]): Promise<void> {
    this.#stop(this.#run(id), signal);
  }

  async disposeExec({ id }: Parameters<ShellRPC["disposeExec"]>[0]): Promise<void> {
    this.#stop(this.#run(id), "SIGTERM");
    this.#runs.delete(id);
  }

  close(): void {
    for (const run of this.#runs.values()) this.#stop(run, "SIGKILL");
  }

  #run(id: string): Run {
    const run = this.#runs.get(id);
    if (run !== undefined) return run;
    throw new ComputerError(
      "EEXEC_LOST",
      `This computer does not know the run '${id}': it was disposed of, or ran in an earlier life of the object.`,
    );
  }

  #stop({ log, inner, runtime, files, host }: Run, signal: KillSignal): void {
    if (log.over) return;
    log.end({ code: 128 + SIGNALS[signal], ended: "killed" });
    files.close();
    host.close();
    // The run is over whether or not the shell hears of it: its files are closed.
    runtime.killExec({ id: inner, signal }).catch(() => {});
  }

  /** Takes a run's events over as they come. */
  async #follow(run: Run, events: ReadableStream<Uint8Array>, timeoutMs: number | undefined): Promise<void> {
    const { log } = run;
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => this.#timeOut(run, timeoutMs), timeoutMs + GRACE);
    try {
      for await (const event of decodeExecEvents(events)) {
        if (event.name === "exit") log.end({ code: event.value ?? exitCode(event), ended: endedOf(event) });
        else log.say(event.name, event.value as Uint8Array);
      }
      if (!log.over) throw new Error("it said no exit code");
    } catch (error) {
      log.say(
        "stderr",
        new TextEncoder().encode(`the shell was lost: ${error instanceof Error ? error.message : error}\n`),
      );
      log.end({ code: LOST });
    } finally {
      clearTimeout(timer);
      run.files.close();
      run.host.close();
      this.#forgetOldRuns();
    }
  }

  #timeOut(run: Run, timeoutMs: number): void {
    if (run.log.over) return;
    run.log.say("stderr", new TextEncoder().encode(`timed out after ${timeoutMs} ms and was ended\n`));
    run.log.end({ code: TIMED_OUT, ended: "timeout" });
    run.files.close();
    run.host.close();
    run.runtime.killExec({ id: run.inner, signal: "SIGKILL" }).catch(() => {});
  }

  #forgetOldRuns(): void {
    const over = [...this.#runs].filter(([, { log }]) => log.over);
    for (const [id] of over.slice(0, -KEPT_RUNS)) this.#runs.delete(id);
  }
}

async function directoryAt(fs: WorkspaceFilesystem, path: string): Promise<void> {
  if (await fs.exists(path)) return;
  try {
    await fs.mkdir(path, { recursive: true });
  } catch (error) {
    if (!isFsError(error)) throw error;
  }
}

function within(cwd: string | undefined): string {
  if (cwd === undefined) return WORKSPACE_ROOT;
  return cwd.startsWith("/") ? cwd : `${WORKSPACE_ROOT}/${cwd}`;
}

/** Exits have had their code as `value` and as `code`. */
function exitCode(event: object): number {
  return "code" in event && typeof event.code === "number" ? event.code : LOST;
}

function endedOf(event: object): "killed" | "timeout" | undefined {
  const ended = "ended" in event ? event.ended : undefined;
  return ended === "killed" || ended === "timeout" ? ended : undefined;
}
