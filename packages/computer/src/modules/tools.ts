/** `ws:tools`: a model's tools as functions that scripts call. */

import { ComputerError } from "@cloudflare/computer-rpc";
import { FsError } from "@cloudflare/dofs";
import type { WorkspaceModuleCallContext, WorkspaceModuleFactory } from "../backends/worker-javascript/module-types.ts";
import type { WorkspaceRuntimeValue } from "../runtime/event.ts";

/** One tool as a script can call it, whatever library it was written for. */
export interface ToolBinding {
  readonly name: string;
  /** It changes nothing, so that a run with read access may call it. */
  readonly readOnly?: boolean | undefined;
  call(
    input: Record<string, WorkspaceRuntimeValue>,
    context: WorkspaceModuleCallContext,
  ): Promise<ToolBindingResult> | ToolBindingResult;
}

export interface ToolBindingResult {
  /** What a model would be told. */
  readonly text: string;
  /** The tool failed, as `text` says. */
  readonly isError: boolean;
  readonly details?: WorkspaceRuntimeValue | undefined;
  /** The tool's output as data. */
  readonly structuredContent?: WorkspaceRuntimeValue | undefined;
}

/** Tools, or what gives them when a workspace is made. */
export type ToolBindings = Iterable<ToolBinding> | (() => Iterable<ToolBinding>);

export interface ToolBindingsOptions {
  /** Names of tools that scripts do not get. */
  readonly exclude?: readonly string[] | undefined;
  /** Told to the model instead of the list of the tools' names. */
  readonly description?: string | undefined;
}

/**
 * The tools as a module of the JavaScript computer. A function takes the tool's input, and gives its output as data, its text where it
 * has no data; where the tool fails it throws an error with the tool's text. `EOPTION` for two tools of one name.
 *
 * @example
 * new WorkerJavaScriptBackend({ loader, modules: { "ws:tools": createToolBindings(forAISDKTools(tools)) } });
 * // in a script: import { grep } from "ws:tools"; const { matches } = await grep({ query: "TODO" });
 */
export function createToolBindings(bindings: ToolBindings, options: ToolBindingsOptions = {}): WorkspaceModuleFactory {
  const { exclude = [], description } = options;
  const given = (): ToolBinding[] => {
    const all = [...(typeof bindings === "function" ? bindings() : bindings)];
    return all.filter(({ name }) => !exclude.includes(name));
  };
  const factory = () => {
    const functions: Record<
      string,
      (args: readonly WorkspaceRuntimeValue[], context: WorkspaceModuleCallContext) => unknown
    > = {};
    for (const binding of given()) {
      if (Object.hasOwn(functions, binding.name)) {
        throw new ComputerError(
          "EOPTION",
          `There are two tools of the name ${binding.name}: leave one out with exclude.`,
        );
      }
      functions[binding.name] = ([input], context) => call(binding, input, context);
    }
    return functions;
  };
  return Object.assign(factory, { description: description ?? "the tools, as functions that take their input" });
}

async function call(
  binding: ToolBinding,
  input: WorkspaceRuntimeValue = {},
  context: WorkspaceModuleCallContext,
): Promise<WorkspaceRuntimeValue> {
  const { name, readOnly = false } = binding;
  if (context.access === "read" && !readOnly) {
    throw new FsError("EACCES", { detail: `this run may only read, and the tool ${name} can change things` });
  }
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new TypeError(`The tool ${name} takes one object, its input: ${name}({ … }).`);
  }
  const { text, isError, details, structuredContent } = await binding.call(input, context);
  if (isError) throw new Error(text);
  return structuredContent ?? details ?? text;
}

/** A value as data that JSON can carry; undefined for what is none. */
export function jsonOf(value: unknown): WorkspaceRuntimeValue | undefined {
  const json = JSON.stringify(value);
  return json === undefined ? undefined : (JSON.parse(json) as WorkspaceRuntimeValue);
}
