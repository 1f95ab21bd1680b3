/** The shell's `yq`, as modules for `commands` of a `WorkerShellBackend`. Made by `scripts/shell-bundle`. */

import modules from "../../out/shell/yq.js";

const group: Readonly<Record<string, { js: string }>> = modules;

export default group;
