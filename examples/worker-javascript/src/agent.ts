/** A Durable Object with files, and a computer that runs JavaScript over them. */

import { DurableObject } from "cloudflare:workers";
import { Workspace, type WorkspaceModuleFunctions, type WorkspaceRuntimeValue } from "@cloudflare/computer";
import { WorkerJavaScriptBackend } from "@cloudflare/computer/backends/worker-javascript";

/** A module to run. */
export interface RunRequest {
  readonly source: string;
  readonly input?: WorkspaceRuntimeValue;
  /** Names the run, so that it can be looked at again. */
  readonly id?: string;
  /** Milliseconds. */
  readonly timeoutMs?: number;
}

/** How a run ended. */
export interface RunAnswer {
  readonly id: string;
  readonly status: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly value?: WorkspaceRuntimeValue | undefined;
}

interface Env {
  LOADER: WorkerLoader;
}

/** Euros for one unit; a real agent would ask someone. It runs here, on the host: a script gets the answer and nothing else. */
const RATES: Readonly<Record<string, number>> = { EUR: 1, USD: 0.9, GBP: 1.15 };

const rates: WorkspaceModuleFunctions = {
  euros([amount, currency], { signal }) {
    signal.throwIfAborted();
    const rate = RATES[String(currency)];
    if (rate === undefined) throw new Error(`no rate for ${String(currency)}`);
    return Math.round(Number(amount) * rate * 100) / 100;
  },
};

export class Agent extends DurableObject<Env> {
  readonly #workspace: Workspace;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const javascript = new WorkerJavaScriptBackend({ loader: env.LOADER, modules: { "ws:rates": rates } });
    this.#workspace = new Workspace({ storage: ctx.storage, backends: [javascript] });
  }

  /** Takes a {@link RunRequest} and gives a {@link RunAnswer}, both as JSON. */
  async run(request: string): Promise<string> {
    const { source, ...options } = JSON.parse(request) as RunRequest;
    using run = await this.#workspace.runtime.exec(source, { ...options, encoding: "utf8" });
    return answer(run.id, await run.result());
  }

  /** A run that was started before, perhaps before a restart. */
  async look(id: string): Promise<string> {
    using run = await this.#workspace.runtime.getExec(id, { encoding: "utf8" });
    return answer(id, await run.result());
  }

  async write(name: string, text: string): Promise<{ path: string }> {
    const path = `/workspace/${name}`;
    await this.#workspace.fs.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await this.#workspace.fs.writeFile(path, text);
    return { path };
  }

  async read(name: string): Promise<string> {
    return this.#workspace.fs.readFile(`/workspace/${name}`, "utf8");
  }
}

function answer(id: string, { status, exitCode, stdout, stderr, value }: Omit<RunAnswer, "id">): string {
  return JSON.stringify({ id, status, exitCode, stdout, stderr, value } satisfies RunAnswer);
}
