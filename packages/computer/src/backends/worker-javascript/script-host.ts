/** The host's side of one run: all that an isolate can call, each call checked, counted and within its limits. */

import { RpcTarget } from "cloudflare:workers";
import { FsError, isFsError } from "@cloudflare/dofs";
import { absolutePath } from "../../files/absolute-path.ts";
import type { HostModules } from "./host-modules.ts";
import type { JavaScriptLimits } from "./javascript-options.ts";
import { checkJson, parseJson } from "./json-value.ts";
import type { WorkspaceModuleCallContext, WorkspaceRuntimeAccess } from "./module-types.ts";
import type { ScriptFiles } from "./script-files.ts";

/** What the isolate hears from the host. */
export interface ScriptEar {
  /** The run is over: give up. */
  end(): Promise<void>;
  /** Another has changed files. */
  changed(rev: number): Promise<void>;
}

/** An error as it crosses the border: what a script may see of it. */
interface ToldError {
  readonly message: string;
  readonly name?: string;
  readonly code?: string;
  readonly syscall?: string;
  readonly path?: string;
  readonly dest?: string;
}

type Told<T> = { readonly value: T } | { readonly error: ToldError };

/** Every answer says at which revision another last changed files, so that nothing read before is taken for new. */
interface Answer {
  foreign: number;
  /** Why nothing was done. */
  error?: ToldError;
}

export interface FilesAnswer extends Answer {
  /** The revision the results are of. */
  rev: number;
  results: Told<unknown>[];
}

export interface CallAnswer extends Answer {
  /** JSON. */
  value?: string;
}

export interface HostCallsOptions {
  readonly limits: JavaScriptLimits;
  readonly files: ScriptFiles;
  readonly modules: HostModules;
  readonly access: WorkspaceRuntimeAccess;
  readonly cwd: string;
  /** When the run ends at the latest, in milliseconds since 1970. */
  readonly deadline: number;
  rev(): number;
  /** Takes output, as the isolate gives it. */
  say(frames: unknown): void;
  begin(ear: unknown): void;
}

/** Operations on files in one call. */
export const BATCH_MAX = 256;

/** What lies behind a {@link ScriptHost}, and what the host alone may do with it. */
export class HostCalls {
  readonly #options: HostCallsOptions;
  readonly #abort = new AbortController();
  readonly #accepted = new Set<Promise<unknown>>();
  #bytes = 0;
  #closed = false;
  #foreign = 0;
  /** Calls of host functions and operations on files so far. */
  calls = 0;
  /** Messages those came in. */
  roundTrips = 0;
  #changing = false;

  constructor(options: HostCallsOptions) {
    this.#options = options;
  }

  /** Takes note of a change of files; whether another than this run made it. */
  changed(rev: number): boolean {
    if (this.#changing) return false;
    this.#foreign = rev;
    return true;
  }

  /** Refuses whatever is asked from now on, and asks what is under way to stop. */
  close(): void {
    this.#closed = true;
    this.#abort.abort(new Error("The run is over."));
  }

  /** Resolves once all that was accepted has settled. */
  async idle(): Promise<void> {
    while (this.#accepted.size > 0) await Promise.allSettled([...this.#accepted]);
  }

  begin(ear: unknown): void {
    this.#options.begin(ear);
  }

  say(frames: unknown): void {
    if (!this.#closed) this.#options.say(frames);
  }

  async files(ops: unknown): Promise<FilesAnswer> {
    const results: Told<unknown>[] = [];
    const refusal = await this.#accept(sizeOf(ops), async () => {
      if (!Array.isArray(ops) || ops.length === 0 || ops.length > BATCH_MAX) {
        throw new FsError("EINVAL", { detail: `a call has from 1 to ${BATCH_MAX} operations` });
      }
      let bytes = 0;
      for (const op of ops) {
        const result = await this.#file(op);
        results.push(result);
        this.#spend(sizeOf(result));
        bytes += sizeOf(result);
        // What no longer fits is asked for again.
        if (bytes > this.#options.limits.maxCapabilityResponseBytes / 2) break;
      }
    });
    return { foreign: this.#foreign, rev: this.#options.rev(), results, ...refusal };
  }

  async call(module: unknown, name: unknown, args: unknown): Promise<CallAnswer> {
    let value: string | undefined;
    const refusal = await this.#accept(sizeOf(args), async () => {
      if (typeof module !== "string" || typeof name !== "string" || typeof args !== "string") {
        throw new TypeError("a call has the names of a module and a function, and arguments as JSON");
      }
      this.#count();
      const answer = await this.#call(module, name, args);
      if (answer === undefined) return;
      checkJson(answer, "result");
      const text = JSON.stringify(answer);
      this.#spend(text.length);
      const { maxCapabilityResponseBytes: most } = this.#options.limits;
      if (text.length > most)
        throw limit(`The answer of ${name} is longer than ${most} bytes (maxCapabilityResponseBytes).`);
      value = text;
    });
    return { foreign: this.#foreign, ...(value === undefined ? {} : { value }), ...refusal };
  }

  async #file(op: unknown): Promise<Told<unknown>> {
    try {
      if (this.#closed) throw over();
      this.#count();
      this.#changing = true;
      const answer = this.#options.files.run(op);
      this.#changing = false;
      return { value: await answer };
    } catch (error) {
      return { error: told(error) };
    } finally {
      this.#changing = false;
    }
  }

  async #call(module: string, name: string, args: string): Promise<unknown> {
    const found = this.#options.modules.find(module, name);
    if (found === undefined) throw new TypeError(`There is no function ${name} in the module ${module}.`);
    const values = parseJson(args, "arguments");
    if (!Array.isArray(values)) throw new TypeError("The arguments are no array.");
    const { maxHostCallMs } = this.#options.limits;
    const abort = new AbortController();
    const stop = (): void => abort.abort(this.#abort.signal.reason);
    this.#abort.signal.addEventListener("abort", stop);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const error = limit(`${name} of ${module} took longer than ${maxHostCallMs} ms (maxHostCallMs).`);
        abort.abort(error);
        reject(error);
      }, maxHostCallMs);
    });
    try {
      return await Promise.race([found(values, this.#context(abort.signal)), late]);
    } finally {
      clearTimeout(timer);
      this.#abort.signal.removeEventListener("abort", stop);
    }
  }

  #context(signal: AbortSignal): WorkspaceModuleCallContext {
    const { files, cwd, deadline, access } = this.#options;
    return {
      signal,
      deadline,
      access,
      root: files.root,
      callId: String(this.calls),
      resolvePath: async (path, { allowMissing = false } = {}) =>
        files.resolve(path.startsWith("/") ? path : absolutePath("/", `${cwd}/${path}`), allowMissing),
    };
  }

  /** Does what is asked where the limits allow it; why not, or why it failed, is data: nothing a script does is an error of the host. */
  async #accept(bytes: number, work: () => Promise<void>): Promise<{ error?: ToldError }> {
    try {
      this.#admit(bytes);
      const accepted = work();
      this.#accepted.add(accepted);
      try {
        await accepted;
      } finally {
        this.#accepted.delete(accepted);
      }
      return {};
    } catch (error) {
      return { error: told(error) };
    }
  }

  #admit(bytes: number): void {
    const { maxConcurrentCapabilityCalls, maxCapabilityRequestBytes } = this.#options.limits;
    if (this.#closed) throw over();
    if (this.#accepted.size >= maxConcurrentCapabilityCalls) {
      throw limit(`More than ${maxConcurrentCapabilityCalls} host calls at once (maxConcurrentCapabilityCalls).`);
    }
    if (bytes > maxCapabilityRequestBytes) {
      throw limit(
        `A host call carries more than ${maxCapabilityRequestBytes} bytes (maxCapabilityRequestBytes): write in pieces, with a stream.`,
      );
    }
    this.roundTrips += 1;
    this.#spend(bytes);
  }

  #count(): void {
    const { maxCapabilityCalls } = this.#options.limits;
    if (this.calls >= maxCapabilityCalls)
      throw limit(`The run has made its ${maxCapabilityCalls} host calls (maxCapabilityCalls).`);
    this.calls += 1;
  }

  #spend(bytes: number): void {
    this.#bytes += bytes;
    const { maxCapabilityBytes } = this.#options.limits;
    if (this.#bytes > maxCapabilityBytes)
      throw limit(`The run's host calls have carried ${maxCapabilityBytes} bytes (maxCapabilityBytes).`);
  }
}

/** What the isolate holds. It has these four methods, and nothing else of the host can be reached through it. */
export class ScriptHost extends RpcTarget {
  readonly #calls: HostCalls;

  constructor(calls: HostCalls) {
    super();
    this.#calls = calls;
  }

  async begin(ear: unknown): Promise<void> {
    this.#calls.begin(ear);
  }

  async say(frames: unknown): Promise<void> {
    this.#calls.say(frames);
  }

  async files(ops: unknown): Promise<FilesAnswer> {
    return this.#calls.files(ops);
  }

  async call(module: unknown, name: unknown, args: unknown): Promise<CallAnswer> {
    return this.#calls.call(module, name, args);
  }
}

/** About what a message takes, in bytes. */
function sizeOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  return Object.values(value).reduce((sum: number, part: unknown) => sum + sizeOf(part), 16);
}

function told(error: unknown): ToldError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, name } = error;
  if (isFsError(error)) {
    const { code, syscall, path, dest } = error as FsError;
    return { message, code, ...defined({ syscall, path, dest }) };
  }
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { message, name, ...defined({ code }) };
}

function defined<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

function limit(message: string): Error {
  return Object.assign(new Error(message), { code: "ELIMIT" });
}

function over(): Error {
  return Object.assign(new Error("The run is over."), { code: "ECANCELED" });
}
