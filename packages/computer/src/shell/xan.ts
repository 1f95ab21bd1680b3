/** The shell's `xan`, as modules for `commands` of a `WorkerShellBackend`. Made by `scripts/shell-bundle`. */

import modules from "../../out/shell/xan.js";

const group: Readonly<Record<string, { js: string }>> = modules;

export default group;
