/** The configured modules of a computer: text for the isolate, and functions that stay on the host. */

import { ComputerError } from "@cloudflare/computer-rpc";
import { builtinOf } from "./builtins.ts";
import type { ConfiguredModule } from "./module-graph.ts";
import type { WorkspaceModule, WorkspaceModuleFunction, WorkspaceModuleHost } from "./module-types.ts";

/** `EOPTION` for a name that a script could not import it by, and for what is no module. */
export function checkModules(modules: Readonly<Record<string, WorkspaceModule>>): void {
  for (const [name, module] of Object.entries(modules)) {
    const taken = builtinOf(name) !== undefined;
    if (taken || /^(\.|\/|file:|cloudflare:|workerd:|data:|https?:)/.test(name)) {
      throw wrong(name, taken ? "is a module of Node's" : "is a path or an address");
    }
    if (typeof module === "string" || typeof module === "function") continue;
    if (typeof module !== "object" || module === null)
      throw wrong(name, "is neither text, nor functions, nor what makes them");
    checkFunctions(name, module);
  }
}

/** What of the modules is told to a model. */
export function describeModules(modules: Readonly<Record<string, WorkspaceModule>>): string {
  const lines = Object.entries(modules).map(([name, module]) => {
    const { description } = typeof module === "function" ? module : { description: undefined };
    return description === undefined ? name : `${name}: ${description}`;
  });
  return lines.length === 0 ? "" : ` Modules that can be imported: ${lines.join("; ")}.`;
}

export class HostModules {
  /** By name, as the isolate gets them. */
  readonly configured: ReadonlyMap<string, ConfiguredModule>;
  readonly #functions = new Map<string, ReadonlyMap<string, WorkspaceModuleFunction>>();

  /** Makes the functions of factories, for one workspace. */
  constructor(modules: Readonly<Record<string, WorkspaceModule>>, host: WorkspaceModuleHost) {
    const configured = new Map<string, ConfiguredModule>();
    for (const [name, module] of Object.entries(modules)) {
      if (typeof module === "string") {
        configured.set(name, { kind: "text", text: module });
        continue;
      }
      const functions = typeof module === "function" ? module(host) : module;
      checkFunctions(name, functions);
      this.#functions.set(name, new Map(Object.entries(functions)));
      configured.set(name, { kind: "functions", names: Object.keys(functions) });
    }
    this.configured = configured;
  }

  /** One function; undefined where there is none of these names. */
  find(module: string, name: string): WorkspaceModuleFunction | undefined {
    return this.#functions.get(module)?.get(name);
  }
}

function checkFunctions(name: string, functions: unknown): void {
  const entries = typeof functions === "object" && functions !== null ? Object.entries(functions) : [];
  if (entries.length === 0) throw wrong(name, "has no functions");
  const other = entries.find(([, value]) => typeof value !== "function");
  if (other !== undefined) throw wrong(name, `has ${other[0]}, which is no function`);
}

function wrong(name: string, why: string): ComputerError {
  return new ComputerError(
    "EOPTION",
    `WorkerJavaScriptBackend cannot have the module ${JSON.stringify(name)}: it ${why}. Give a bare name such as "ws:search", and the text of an ES module or an object of functions.`,
  );
}
