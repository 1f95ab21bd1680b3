/** The shell's `curl`, as modules for `commands` of a `WorkerShellBackend`. Made by `scripts/shell-bundle`. */

import modules from "../../out/shell/curl.js";

const group: Readonly<Record<string, { js: string }>> = modules;

export default group;
