/** The shell's interpreter and the commands that are always there, as modules for `commands` of a `WorkerShellBackend`. Made by `scripts/shell-bundle`. */

import modules from "../../out/shell/core.js";

const group: Readonly<Record<string, { js: string }>> = modules;

export default group;
