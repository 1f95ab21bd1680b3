/** The JavaScript computer: each run is an ES module in an isolate of its own. */

import { ComputerError } from "@cloudflare/computer-rpc";
import type { WorkspaceModuleBackendHost } from "../../computer/backend.ts";
import type { Computer, ComputerSession } from "../../computer/computer.ts";
import { checkModules, describeModules } from "./host-modules.ts";
import { checkJavaScriptOptions, type WorkerJavaScriptBackendOptions } from "./javascript-options.ts";
import { JavaScriptSession } from "./javascript-session.ts";

/**
 * Runs JavaScript and TypeScript over the workspace's files, in a Dynamic Worker that is loaded for the run and never used again.
 *
 * @example
 * const workspace = new Workspace({ storage: ctx.storage, backends: [new WorkerJavaScriptBackend({ loader: env.LOADER })] });
 * using run = await workspace.runtime.exec("export default ({ n }) => n * 2", { input: { n: 21 } });
 * const { value } = await run.result();
 */
export class WorkerJavaScriptBackend implements Computer {
  readonly protocol = "module" as const;
  readonly type = "worker-javascript" as const;
  readonly callable = true as const;
  readonly id: string;
  description: string;
  readonly #options: WorkerJavaScriptBackendOptions;

  /** `EOPTION` for an option that there is not, and for a module that no script could import. */
  constructor(options: WorkerJavaScriptBackendOptions) {
    checkJavaScriptOptions(options);
    checkModules(options.modules ?? {});
    if (options.compatibilityFlags?.includes("legacy_module_registry") === true) {
      throw new ComputerError(
        "EOPTION",
        "WorkerJavaScriptBackend cannot have legacy_module_registry: scripts could not await at their top level.",
      );
    }
    this.#options = { ...options };
    this.id = options.id ?? "worker-javascript";
    this.description = `Runs one ES module of JavaScript or TypeScript in an isolate of its own, over the workspace's files by node:fs/promises. A default-exported function gets the input, and what it returns is the result. Starts at once; has no shell, no packages but those in the workspace, and ${networkOf(options)}.${describeModules(options.modules ?? {})}`;
  }

  async connect(host: WorkspaceModuleBackendHost): Promise<ComputerSession> {
    return new JavaScriptSession(host, this.id, this.#options);
  }
}

function networkOf({ egress, globalOutbound }: WorkerJavaScriptBackendOptions): string {
  if ((egress === undefined || egress.mode === "none") && (globalOutbound ?? null) === null) return "no network";
  return egress?.mode === "direct" ? "the network by fetch" : "such network as its gateway allows, by fetch";
}
