/** The modules of the shell's Worker, as a loader takes them. */

import core from "../../shell/core.ts";

/** Modules by name. */
export type ShellModuleGroup = Readonly<Record<string, { js: string }>>;

/** The interpreter and the commands that are always there. */
export const SHELL_CORE_MODULES: ShellModuleGroup = core;

/**
 * The core with groups of commands beside it.
 *
 * @example
 * import jq from "@cloudflare/computer/shell/jq";
 * const modules = assembleShellModules([jq]);
 */
export function assembleShellModules(groups: readonly ShellModuleGroup[] = []): ShellModuleGroup {
  return Object.assign({}, core, ...groups);
}
