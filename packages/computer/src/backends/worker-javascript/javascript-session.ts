/** The runs of one JavaScript computer over one workspace. */

import { ComputerError } from "@cloudflare/computer-rpc";
import { ConfinedStore, type SQLStorageLike, StoreProvider } from "@cloudflare/dofs";
import { noArtifacts } from "../../artifacts/no-artifacts.ts";
import type { WorkspaceModuleBackendHost } from "../../computer/backend.ts";
import type { ComputerSession } from "../../computer/computer.ts";
import type {
  KillInput,
  ModuleExecutionEnvelope,
  ModuleExecutionInput,
  ReattachInput,
  RunReference,
} from "../../computer/run.ts";
import { absolutePath } from "../../files/absolute-path.ts";
import { noGit } from "../../git/client/no-git.ts";
import { HostModules } from "./host-modules.ts";
import { type JavaScriptLimits, limitsOf, type WorkerJavaScriptBackendOptions } from "./javascript-options.ts";
import { checkJson } from "./json-value.ts";
import { LiveRun } from "./live-run.ts";
import { type ModuleGraph, moduleGraph } from "./module-graph.ts";
import { ImportError } from "./resolve-import.ts";
import { RunJournal } from "./run-journal.ts";
import { lostRun, notStarted, ScriptRun } from "./script-run.ts";
import { ReadModules, SourceFiles } from "./source-files.ts";

/** Runs at once. */
const RUNS_MAX = 24;

/** The runs that this isolate has at work, by their database and computer: two workspaces over one storage see each other's. */
const atWork = new WeakMap<SQLStorageLike, Map<string, KnownRun>>();

interface KnownRun {
  readonly run: LiveRun;
  /** Absent once it is over. */
  script?: ScriptRun | undefined;
}

export class JavaScriptSession implements ComputerSession {
  readonly #host: WorkspaceModuleBackendHost;
  readonly #options: WorkerJavaScriptBackendOptions;
  readonly #limits: JavaScriptLimits;
  readonly #id: string;
  readonly #root: string;
  readonly #modules: HostModules;
  readonly #journal: RunJournal;
  readonly #known: Map<string, KnownRun>;
  readonly #read = new ReadModules();
  #graph: { readonly key: string; readonly rev: number; readonly graph: ModuleGraph } | undefined;

  constructor(host: WorkspaceModuleBackendHost, id: string, options: WorkerJavaScriptBackendOptions) {
    this.#host = host;
    this.#options = options;
    this.#id = id;
    this.#limits = limitsOf(options);
    this.#root = absolutePath("/", options.root ?? "/workspace");
    this.#modules = new HostModules(options.modules ?? {}, {
      runtime: host.runtime,
      git: host.git ?? noGit(),
      artifacts: host.artifacts ?? noArtifacts(),
      assets: host.assets,
    });
    this.#journal = new RunJournal(host.db, id);
    const known = atWork.get(host.db.sql) ?? new Map<string, KnownRun>();
    atWork.set(host.db.sql, known);
    this.#known = known;
    this.#recall();
  }

  async exec(input: ModuleExecutionInput): Promise<ModuleExecutionEnvelope> {
    const timeoutMs = this.#check(input);
    this.#forgetOld();
    const id = input.id ?? crypto.randomUUID();
    if (this.#known.has(this.#key(id))) {
      throw new ComputerError(
        "EEXEC_EXISTS",
        `A run with the id '${id}' was already started here. Attach to it with getExec.`,
      );
    }
    const busy = this.#all().filter(({ script }) => script !== undefined).length;
    if (busy >= RUNS_MAX) {
      throw new ComputerError(
        "EUNAVAILABLE",
        `${RUNS_MAX} runs are at work here already: wait for one of them to end.`,
      );
    }
    const run = new LiveRun(this.#journal, this.#journal.begin(id));
    const known: KnownRun = { run };
    this.#known.set(this.#key(id), known);
    this.#start(known, input, timeoutMs);
    return { id, events: run.events(-1, this.#limits.maxExecutionSubscribers) };
  }

  async getExec({ id, after = -1 }: ReattachInput): Promise<ModuleExecutionEnvelope> {
    this.#forgetOld();
    return { id, events: this.#get(id).run.events(after, this.#limits.maxExecutionSubscribers) };
  }

  async killExec({ id, signal = "SIGTERM" }: KillInput): Promise<void> {
    const { script } = this.#get(id);
    script?.kill(signal);
    await script?.done;
  }

  async disposeExec({ id }: RunReference): Promise<void> {
    const { run, script } = this.#get(id);
    script?.kill("SIGTERM");
    await script?.done;
    run.forget();
    this.#known.delete(this.#key(id));
  }

  /** Ends what is at work. */
  async close(): Promise<void> {
    const scripts = this.#all().flatMap(({ script }) => script ?? []);
    for (const script of scripts) script.kill("SIGKILL");
    await Promise.all(scripts.map(({ done }) => done));
  }

  #start(known: KnownRun, input: ModuleExecutionInput, timeoutMs: number): void {
    const { store, now } = this.#host.fs;
    const { run } = known;
    try {
      const cwd = absolutePath("/", input.cwd?.startsWith("/") ? input.cwd : `${this.#root}/${input.cwd ?? ""}`);
      this.#makeRoot();
      const script = new ScriptRun({
        run,
        backend: this.#options,
        limits: this.#limits,
        modules: this.#modules,
        store,
        root: this.#root,
        cwd,
        timeoutMs,
        graph: this.#graphOf(input.source, cwd),
        input: input.input === undefined ? undefined : JSON.stringify(input.input),
        env: input.env ?? {},
        stdin:
          typeof input.stdin === "string" ? new TextEncoder().encode(input.stdin) : (input.stdin ?? new Uint8Array(0)),
        now,
      });
      known.script = script;
      void script.done.finally(() => {
        known.script = undefined;
      });
    } catch (error) {
      notStarted(
        run,
        error instanceof ImportError ? error.message : `The run could not be started: ${String(error)}`,
        now(),
      );
    }
  }

  /** A fresh workspace has no directory to work in yet. */
  #makeRoot(): void {
    const { store } = this.#host.fs;
    if (this.#options.access === "read" || this.#root === "/") return;
    const node = new StoreProvider(store);
    if (!node.existsSync(this.#root)) node.mkdirSync(this.#root, { recursive: true });
  }

  /** The same script over unchanged files has the same modules. */
  #graphOf(source: string, cwd: string): ModuleGraph {
    const { store } = this.#host.fs;
    const key = `${cwd}\0${source}`;
    const rev = store.rev();
    if (this.#graph?.key === key && this.#graph.rev === rev) return this.#graph.graph;
    const confined = new ConfinedStore(store, { root: this.#root });
    const node = new StoreProvider(confined);
    const graph = moduleGraph({
      source,
      cwd: node.existsSync(cwd) ? node.realpathSync(cwd) : cwd,
      root: node.existsSync(this.#root) ? node.realpathSync(this.#root) : this.#root,
      files: new SourceFiles(confined, this.#read),
      configured: this.#modules.configured,
      maxSourceBytes: this.#limits.maxSourceBytes,
    });
    this.#graph = { key, rev, graph };
    return graph;
  }

  /** Refuses, before anything is begun, what is too much; gives how long the run may take. */
  #check({ source, input, stdin = "", env = {}, timeoutMs }: ModuleExecutionInput): number {
    const { maxSourceBytes, maxInputBytes, maxStdinBytes, maxEnvBytes, maxTimeoutMs, defaultTimeoutMs } = this.#limits;
    this.#within("The source", bytesOf(source), maxSourceBytes, "maxSourceBytes");
    if (input !== undefined) {
      try {
        checkJson(input, "input");
      } catch (error) {
        throw new ComputerError("EOPTION", error instanceof Error ? error.message : String(error));
      }
      this.#within("input", bytesOf(JSON.stringify(input)), maxInputBytes, "maxInputBytes");
    }
    this.#within("stdin", typeof stdin === "string" ? bytesOf(stdin) : stdin.length, maxStdinBytes, "maxStdinBytes");
    this.#within(
      "env",
      Object.entries(env).reduce((sum, pair) => sum + bytesOf(pair.join("=")), 0),
      maxEnvBytes,
      "maxEnvBytes",
    );
    const asked = timeoutMs ?? defaultTimeoutMs;
    if (asked > maxTimeoutMs) {
      throw new ComputerError("EOPTION", `A run here takes ${maxTimeoutMs} ms at most (maxTimeoutMs), not ${asked}.`);
    }
    return asked;
  }

  #within(what: string, bytes: number, most: number, option: string): void {
    if (bytes <= most) return;
    throw new ComputerError(
      "EOPTION",
      `${what} has ${bytes} bytes, more than the ${most} of ${option}: put it into a file.`,
    );
  }

  /** What the journal has of earlier lives of the object; runs that it cut off end here, as failed. */
  #recall(): void {
    const now = this.#host.fs.now();
    for (const row of this.#journal.runs()) {
      if (this.#known.has(this.#key(row.id))) continue;
      const run = new LiveRun(this.#journal, row);
      this.#known.set(this.#key(row.id), { run });
      if (run.over) continue;
      run.say("stderr", new TextEncoder().encode("The run was cut off: its Durable Object was restarted meanwhile.\n"));
      run.end({ code: 1 }, now);
    }
  }

  #forgetOld(): void {
    const oldest = this.#host.fs.now() - this.#limits.retentionMs;
    const over = this.#all()
      .filter(({ run }) => run.over)
      .sort((a, b) => (a.run.endedAt ?? 0) - (b.run.endedAt ?? 0));
    const spare = over.length - this.#limits.maxRetainedExecutions;
    over.forEach(({ run }, at) => {
      if (at >= spare && (run.endedAt ?? 0) >= oldest) return;
      run.forget();
      this.#known.delete(this.#key(run.id));
    });
  }

  #all(): KnownRun[] {
    const prefix = this.#key("");
    return [...this.#known].filter(([key]) => key.startsWith(prefix)).map(([, known]) => known);
  }

  #get(id: string): KnownRun {
    const known = this.#known.get(this.#key(id));
    if (known === undefined) throw lostRun(id);
    return known;
  }

  #key(id: string): string {
    return `${this.#id}\0${id}`;
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
