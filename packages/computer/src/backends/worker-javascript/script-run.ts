/** One script in its isolate, from its load to its end. */

import { ComputerError, type KillSignal, TIMED_OUT } from "@cloudflare/computer-rpc";
import type { InodeStore } from "@cloudflare/dofs";
import type { RunCutShort } from "../../runtime/event.ts";
import type { HostModules } from "./host-modules.ts";
import { type JavaScriptLimits, outboundOf, type WorkerJavaScriptBackendOptions } from "./javascript-options.ts";
import { parseJson } from "./json-value.ts";
import type { LiveRun } from "./live-run.ts";
import type { ModuleGraph } from "./module-graph.ts";
import type { RunEnd } from "./run-journal.ts";
import { ScriptFiles } from "./script-files.ts";
import { BATCH_MAX, HostCalls, type ScriptEar, ScriptHost } from "./script-host.ts";

const COMPATIBILITY_DATE = "2026-10-01";
/** Real module URLs, and modules that may wait for the host while they are evaluated. */
const REGISTRY = "new_module_registry";

const SIGNALS: Readonly<Record<KillSignal, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };
/** How long an isolate that was told to give up may take to say so, in milliseconds. */
const FAREWELL_MS = 1_000;

export interface ScriptRunOptions {
  readonly run: LiveRun;
  readonly backend: WorkerJavaScriptBackendOptions;
  readonly limits: JavaScriptLimits;
  readonly modules: HostModules;
  readonly store: InodeStore;
  readonly root: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly graph: ModuleGraph;
  readonly input: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array;
  now(): number;
}

/** What an isolate says of its end. It is a script's own word: nothing but the script's result is taken from it. */
interface Outcome {
  readonly started: boolean;
  readonly code: number;
  readonly result: string | undefined;
}

/** Why a run is ended from outside. */
interface Stop {
  readonly code: number;
  readonly ended?: RunCutShort;
  readonly words?: string;
}

export class ScriptRun {
  readonly #options: ScriptRunOptions;
  readonly #calls: HostCalls;
  readonly #files: ScriptFiles;
  readonly #unsubscribe: () => void;
  readonly #stopped: Promise<Stop>;
  #stop: (stop: Stop) => void = () => {};
  #ear: (ScriptEar & Partial<Disposable>) | undefined;
  #said = 0;
  #over = false;
  #gone = false;
  #started = false;
  /** Settles when the exit has been told. */
  readonly done: Promise<void>;

  constructor(options: ScriptRunOptions) {
    this.#options = options;
    const { limits, store, root, backend, modules, cwd, timeoutMs } = options;
    const access = backend.access ?? "read-write";
    this.#stopped = new Promise((resolve) => {
      this.#stop = resolve;
    });
    this.#files = new ScriptFiles({
      store,
      root,
      access,
      maxDirectoryEntries: limits.maxDirectoryEntries,
      maxReadBytes: Math.min(4 * 1024 * 1024, limits.maxCapabilityResponseBytes),
      now: options.now,
    });
    this.#calls = new HostCalls({
      limits,
      files: this.#files,
      modules,
      access,
      cwd,
      deadline: options.now() + timeoutMs,
      rev: () => store.rev(),
      say: (frames) => this.#say(frames),
      begin: (ear) => this.#begin(ear),
    });
    this.#unsubscribe = store.subscribe((rev) => this.#changed(rev));
    this.done = this.#whole();
  }

  /** Ends the run, with the exit code of a process that got the signal. */
  kill(signal: KillSignal): void {
    this.#stop({ code: 128 + SIGNALS[signal], ended: "killed" });
  }

  async #whole(): Promise<void> {
    const { run, timeoutMs, limits, now } = this.#options;
    const timer = setTimeout(() => {
      this.#stop({ code: TIMED_OUT, ended: "timeout", words: `timed out after ${timeoutMs} ms and was ended` });
    }, timeoutMs);
    let end: RunEnd;
    try {
      const outcome = this.#isolate();
      const first = await Promise.race([outcome, this.#stopped]);
      this.#calls.close();
      if ("result" in first) end = this.#ended(first);
      else {
        this.#over = true;
        void this.#ear?.end().catch(() => {});
        await within(
          FAREWELL_MS,
          outcome.then((last) => this.#note(last)),
        );
        end = this.#cut(first);
      }
      // What was accepted happens, and has happened when the exit is told.
      await within(limits.maxHostCallMs, this.#calls.idle());
    } catch (error) {
      this.#calls.close();
      end = this.#lost(error);
    } finally {
      clearTimeout(timer);
      this.#unsubscribe();
      this.#gone = true;
      this.#ear?.[Symbol.dispose]?.();
      this.#ear = undefined;
    }
    try {
      this.#files.close();
    } finally {
      const { calls, roundTrips } = this.#calls;
      run.end({ ...end, script: { started: this.#started, hostCalls: calls, roundTrips } }, now());
    }
  }

  async #isolate(): Promise<Outcome> {
    const { backend, limits, graph, input, env, stdin, cwd } = this.#options;
    const outbound = outboundOf(backend);
    const worker = backend.loader.load({
      compatibilityDate: backend.compatibilityDate ?? COMPATIBILITY_DATE,
      compatibilityFlags: flagsFor(backend.compatibilityFlags, graph.node),
      limits: { cpuMs: limits.maxCpuMs },
      mainModule: graph.mainModule,
      modules: { ...graph.modules },
      ...(outbound === undefined ? {} : { globalOutbound: outbound }),
    });
    const entrypoint = worker.getEntrypoint(undefined, { limits: { cpuMs: limits.maxCpuMs } });
    const init = {
      entry: graph.entry,
      argv: ["node", `${cwd === "/" ? "" : cwd}/<script>`],
      cwd,
      env: { ...env },
      stdin,
      ...(input === undefined ? {} : { input }),
      limits: {
        concurrency: limits.maxConcurrentCapabilityCalls,
        batch: BATCH_MAX,
        requestBytes: limits.maxCapabilityRequestBytes,
      },
    };
    const told = await (entrypoint as ScriptEntrypoint).run(new ScriptHost(this.#calls), init);
    return outcomeOf(told);
  }

  #begin(ear: unknown): void {
    if (this.#ear !== undefined || this.#gone) return;
    const stub = ear as ScriptEar & { dup?: () => ScriptEar & Disposable };
    // The argument of a call is let go of when the call returns.
    this.#ear = stub.dup?.() ?? stub;
    if (this.#over) void this.#ear.end().catch(() => {});
  }

  #changed(rev: number): void {
    if (this.#calls.changed(rev)) void this.#ear?.changed(rev).catch(() => {});
  }

  #say(frames: unknown): void {
    const { run, limits } = this.#options;
    for (const [stream, bytes] of merged(frames)) {
      const room = limits.maxStdioBytes - this.#said;
      run.say(stream === 1 ? "stderr" : "stdout", bytes.subarray(0, room));
      this.#said += bytes.length;
      if (bytes.length <= room && !run.full) continue;
      this.#stop({
        code: 1,
        words: `the output is longer than ${limits.maxStdioBytes} bytes (maxStdioBytes), and the run was ended`,
      });
      this.#calls.close();
      return;
    }
  }

  #note(outcome: Outcome): void {
    this.#started ||= outcome.started;
  }

  #ended(outcome: Outcome): RunEnd {
    const { maxResultBytes } = this.#options.limits;
    this.#note(outcome);
    if (outcome.result === undefined || outcome.code !== 0) return { code: outcome.code };
    if (outcome.result.length > maxResultBytes || new TextEncoder().encode(outcome.result).length > maxResultBytes) {
      return this.#failed(`The result is longer than ${maxResultBytes} bytes (maxResultBytes): write it to a file.`);
    }
    try {
      return { code: 0, result: parseJson(outcome.result, "result") };
    } catch (error) {
      return this.#failed(error instanceof Error ? error.message : String(error));
    }
  }

  #cut({ code, ended, words }: Stop): RunEnd {
    if (this.#ear !== undefined) this.#started = true;
    if (words !== undefined) this.#tell(words);
    return { code, ...(ended === undefined ? {} : { ended }) };
  }

  #lost(error: unknown): RunEnd {
    const words = error instanceof Error ? error.message : String(error);
    this.#started ||= this.#ear !== undefined;
    if (/CPU/.test(words)) {
      this.#tell(`timed out: the run took all of its CPU time, ${this.#options.limits.maxCpuMs} ms (maxCpuMs)`);
      return { code: TIMED_OUT, ended: "timeout" };
    }
    return this.#failed(`The isolate was lost: ${words}`);
  }

  #failed(words: string): RunEnd {
    this.#tell(words);
    return { code: 1 };
  }

  #tell(words: string): void {
    this.#options.run.say("stderr", new TextEncoder().encode(`${words}\n`));
  }
}

/** A script that names nothing of Node's is spared its start, unless the options ask for flags of their own. */
function flagsFor(given: readonly string[] | undefined, node: boolean): string[] {
  const compat = node || given !== undefined ? ["nodejs_compat"] : ["no_nodejs_compat", "no_nodejs_compat_v2"];
  return [...new Set([...compat, REGISTRY, ...(given ?? [])])];
}

interface ScriptEntrypoint {
  run(host: ScriptHost, init: object): Promise<unknown>;
}

function outcomeOf(told: unknown): Outcome {
  const { started, code, result } = (typeof told === "object" && told !== null ? told : {}) as Record<string, unknown>;
  return {
    started: started === true,
    code: typeof code === "number" && Number.isInteger(code) ? code & 255 : 1,
    result: typeof result === "string" ? result : undefined,
  };
}

/** Neighbours of one stream together; what is no frame is none. */
function merged(frames: unknown): [stream: 0 | 1, bytes: Uint8Array][] {
  const pieces = (Array.isArray(frames) ? frames : []).filter(isFrame);
  const result: [0 | 1, Uint8Array][] = [];
  for (let at = 0; at < pieces.length; ) {
    const stream = pieces[at]?.[0] ?? 0;
    let end = at;
    while (pieces[end]?.[0] === stream) end += 1;
    result.push([stream, joined(pieces.slice(at, end).map(([, bytes]) => bytes))]);
    at = end;
  }
  return result;
}

function isFrame(frame: unknown): frame is [0 | 1, Uint8Array] {
  return Array.isArray(frame) && (frame[0] === 0 || frame[0] === 1) && frame[1] instanceof Uint8Array;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** Waits for something, but no longer than this. Failures are none of the waiter's. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
}

/** The exit code of a run that could not be started: nothing of its script has run. */
export function notStarted(run: LiveRun, words: string, now: number): void {
  run.say("stderr", new TextEncoder().encode(`${words}\n`));
  run.end({ code: 1, script: { started: false, hostCalls: 0, roundTrips: 0 } }, now);
}

/** `EEXEC_LOST` for a run that is not known. */
export function lostRun(id: string): ComputerError {
  return new ComputerError(
    "EEXEC_LOST",
    `This computer does not know the run '${id}': it was disposed of, is too old, or ran elsewhere.`,
  );
}
