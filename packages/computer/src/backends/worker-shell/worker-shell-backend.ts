/** The shell computer: just-bash in a Dynamic Worker, over the workspace's own files. */

import { ComputerError, type SyncRPC } from "@cloudflare/computer-rpc";
import type { BackendHandle, WorkspaceBackendHost } from "../../computer/backend.ts";
import { checkOptions } from "../../options/check-options.ts";
import type { WorkspaceEgressPolicy } from "../container/container-api.ts";
import { isolateName } from "./isolate-name.ts";
import { assembleShellModules, SHELL_CORE_MODULES } from "./modules.ts";
import type { WorkerLoaderCode, WorkerShellRuntime, WorkerShellSource } from "./runtime.ts";
import { ShellRuns } from "./shell-runs.ts";
import { type WorkerShellBackendOptions, workerShellOptions } from "./worker-shell-options.ts";

const COMPATIBILITY_DATE = "2026-10-01";

/**
 * Runs shell scripts in milliseconds, with no container.
 *
 * @example
 * new WorkerShellBackend({ loader: env.LOADER, workspace: { binding: "AGENT", id: ctx.id.toString() } })
 */
export class WorkerShellBackend {
  readonly type = "worker-shell" as const;
  readonly description: string =
    "A just-bash shell in a Dynamic Worker. Starts fast, with no container and no direct network. Good for cat, grep, sed, awk, head, tail, sort, find, diff and text transformations, and a built-in `git` that works through the workspace where it has one. Cannot run npm, node, python, or binaries outside its built-in command set.";
  readonly id: string;
  readonly #source: WorkerShellSource;
  readonly #options: WorkerShellBackendOptions;

  /** `EOPTION` for an option that there is not, and where no shell is to be had. */
  constructor(options: WorkerShellBackendOptions) {
    checkOptions(workerShellOptions, options, "WorkerShellBackend");
    this.id = options.id ?? "worker-shell";
    this.#options = options;
    this.#source = sourceOf(options);
  }

  async connect(host?: WorkspaceBackendHost): Promise<BackendHandle> {
    if (host === undefined) {
      throw new ComputerError("EOPTION", "WorkerShellBackend is connected by a workspace: put it in its `backends`.");
    }
    const source = this.#source;
    const egress = this.#options.egress ?? { mode: "none" };
    const shell = new ShellRuns({
      fs: host.fs,
      takesFiles: source.type === "loader",
      parts: host,
      runtime: async () => (source.type === "loader" ? this.#load(source, egress) : source.connect({ egress })),
    });
    return {
      rpc: { sync: NO_SYNC, shell },
      sync: "none",
      runtimeId: crypto.randomUUID(),
      close: async () => shell.close(),
    };
  }

  #load(source: Extract<WorkerShellSource, { type: "loader" }>, egress: WorkspaceEgressPolicy): WorkerShellRuntime {
    const { loaderId = "worker-shell", commands, compatibilityDate = COMPATIBILITY_DATE } = this.#options;
    const flags = [...new Set(["nodejs_compat", ...(this.#options.compatibilityFlags ?? [])])];
    const name = isolateName({
      prefix: loaderId,
      workspace: source.workspace,
      egress,
      groups: [SHELL_CORE_MODULES, ...(commands ?? [])],
      compatibilityDate,
      flags,
    });
    const code = (): WorkerLoaderCode => ({
      compatibilityDate,
      compatibilityFlags: flags,
      mainModule: "main.js",
      modules: assembleShellModules(commands),
      env: {},
      ...outboundOf(egress),
    });
    return source.loader.get(name, code).getEntrypoint() as WorkerShellRuntime;
  }
}

/** A shell works on the workspace's own files: nothing is carried over, and none of this is called. */
const NO_SYNC: SyncRPC = new Proxy({} as SyncRPC, {
  get: () => () => Promise.reject(new ComputerError("EPROTOCOL", "The shell works on the workspace's own files.")),
});

function sourceOf({ source, loader, workspace, ctx }: WorkerShellBackendOptions): WorkerShellSource {
  if (source !== undefined && loader !== undefined) {
    throw new ComputerError("EOPTION", "WorkerShellBackend takes `source` or `loader`, not both.");
  }
  if (source !== undefined) return source;
  if (loader === undefined) {
    throw new ComputerError(
      "EOPTION",
      'WorkerShellBackend needs a loader of Dynamic Workers: add "worker_loaders": [{ "binding": "LOADER" }] to wrangler.jsonc and give loader: env.LOADER.',
    );
  }
  // The isolates of a backend that does not say whose they are are its own.
  return { type: "loader", loader, workspace: workspace ?? { binding: "", id: crypto.randomUUID() }, ctx };
}

function outboundOf(egress: WorkspaceEgressPolicy): Pick<WorkerLoaderCode, "globalOutbound"> {
  if (egress.mode === "direct") return {};
  return { globalOutbound: egress.mode === "none" ? null : egress.gateway };
}
